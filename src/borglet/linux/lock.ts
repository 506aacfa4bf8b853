/**
 * Only one borglet may use a directory. The lock is a name among Linux's abstract sockets, made of the directory's device and inode: the
 * kernel gives it to one process and takes it back when that process dies, however it dies.
 */
import { statSync } from "node:fs";
import { createServer } from "node:net";

/** Resolves to the way to give it back; rejects if another process holds it. */
export function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const { dev, ino } = statSync(directory);
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(new Error(`Cannot use "${directory}": another borglet runs on it`, { cause })));
    server.listen({ path: `\0openborg-borglet-${dev}-${ino}` }, () => resolve(() => new Promise((done) => server.close(() => done()))));
  });
}
