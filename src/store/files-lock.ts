/**
 * Only one process may write a journal. The lock is a name among Linux's abstract sockets, made of the directory's
 * device and inode: the kernel gives it to one process and takes it back when that process dies, however it dies.
 */
import { statSync } from "node:fs";
import { createServer, type Server } from "node:net";

/** Resolves to the way to give it back; rejects if another process holds it. */
export function lockDirectory(directory: string): Promise<() => void> {
  const { dev, ino } = statSync(directory);
  const server: Server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(new Error(`Cannot lock "${directory}": another process uses this journal`, { cause })));
    server.listen({ path: `\0openborg-journal-${dev}-${ino}` }, () => resolve(() => server.close()));
  });
}
