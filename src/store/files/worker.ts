/** The journal's own thread: a LogJournal on real files, driven by messages. Its syncs block nobody else. */
import { parentPort, type Transferable } from "node:worker_threads";
import type { JournalAnswer } from "../../wire/journal.ts";
import { FilesDisk } from "../files.ts";
import { IDLE_MARK_MS, Log } from "../log.ts";
import { LogJournal } from "../log-journal.ts";
import { type Lock, lockDirectory } from "./lock.ts";
import { type FilesOptions, packEntries, type Reply, type Request } from "./message.ts";

const port = parentPort!;

const reply = (message: Reply, transfer: Transferable[] = []) => port.postMessage(message, transfer);

function answer(answer: JournalAnswer): void {
  if (answer.type === "entries") {
    const entries = packEntries(answer.entries);
    reply({ type: "packed", from: answer.from, last: answer.last, entries }, [
      entries.terms.buffer,
      entries.lengths.buffer,
      entries.bytes.buffer,
    ]);
  } else if (answer.type === "followed") {
    reply({ type: "answer", answer }, [answer.entry.payload.buffer as ArrayBuffer]);
  } else if (answer.type === "snapshot" && answer.snapshot !== undefined) {
    reply({ type: "answer", answer }, [answer.snapshot.payload.buffer as ArrayBuffer]);
  } else {
    reply({ type: "answer", answer });
  }
}

function perform(journal: LogJournal, request: Exclude<Request, { type: "open" | "close" }>): void {
  const { type } = request;
  if (type === "append") journal.append(request.term, request.position, request.payload);
  else if (type === "lead") journal.lead();
  else if (type === "read") journal.read(request.from, request.bytesMax);
  else if (type === "follow") journal.follow(request.from);
  else if (type === "unfollow") journal.unfollow();
  else if (type === "save-snapshot") journal.saveSnapshot(request.snapshot);
  else journal.loadSnapshot(request.atMost);
}

function serve(disk: FilesDisk, log: Log, unlock: () => void): void {
  const journal = new LogJournal({ log, listener: answer, defer: setImmediate });
  const idle = setTimeout(() => journal.idle(), IDLE_MARK_MS);
  const close = (): void => {
    if (journal.isSaving) return void setImmediate(close);
    clearTimeout(idle);
    journal.idle();
    disk.close();
    unlock();
    port.close();
  };
  port.on("message", (request: Request) => {
    // What was asked before is deferred already, so it is done before the journal closes.
    if (request.type === "close") return void setImmediate(close);
    if (request.type === "open") return;
    perform(journal, request);
    if (request.type === "append" || request.type === "lead") idle.refresh();
  });
}

function open(options: FilesOptions): void {
  let lock: Lock | undefined;
  const unlock = (): void => lock?.release();
  try {
    const disk = new FilesDisk(options.directory);
    lock = lockDirectory(options.directory, "journal");
    const log = Log.open(disk, { ...options, wall: Date.now });
    serve(disk, log, unlock);
    reply({ type: "opened", opened: { last: log.last, cut: log.cut, damagedSnapshots: log.damagedSnapshots } });
  } catch (cause) {
    const { message, exitCode } = cause as Error & { readonly exitCode?: number };
    unlock();
    reply({ type: "refused", reason: message, exitCode });
    port.close();
  }
}

port.once("message", (request: Request) => {
  if (request.type === "open") open(request.options);
  else port.close();
});
reply({ type: "loaded" });
