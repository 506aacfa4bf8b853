/**
 * The store thread of a replica: it has the connection to etcd, the journal there, the lock and the snapshots on this replica's disk. Nothing here waits for the
 * master, and the master waits for nothing here. The lease is renewed only while the master goes on asking for it: one that hangs loses its lock.
 */
import { performance } from "node:perf_hooks";
import { parentPort, type Transferable } from "node:worker_threads";
import type { JournalAnswer } from "../wire/journal.ts";
import { EtcdJournal } from "./etcd/journal.ts";
import { Keys } from "./etcd/keys.ts";
import { EtcdLock } from "./etcd/lock.ts";
import { DiskShelf, SharedShelf } from "./etcd/shelf.ts";
import { EtcdClient } from "./etcd-client.ts";
import type { ReplicaStoreOptions, StoreReply, StoreRequest } from "./etcd-thread-message.ts";
import { packEntries } from "./files/message.ts";
import { FilesDisk } from "./files.ts";

const SECOND_MS = 1000;
const LOCK_TICK_MS = 250;

const port = parentPort!;

const reply = (message: StoreReply, transfer: Transferable[] = []): void => port.postMessage(message, transfer);

function answer(answer: JournalAnswer): void {
  if (answer.type === "entries") {
    const entries = packEntries(answer.entries);
    const buffers = [entries.terms.buffer, entries.lengths.buffer, entries.bytes.buffer];
    reply({ type: "packed", from: answer.from, last: answer.last, entries }, buffers);
  } else reply({ type: "answer", answer });
}

class Store {
  readonly #etcd: EtcdClient;
  readonly #journal: EtcdJournal;
  readonly #lock: EtcdLock;
  readonly #disks: readonly FilesDisk[];
  readonly #beats: readonly NodeJS.Timeout[];

  constructor(options: ReplicaStoreOptions) {
    const { cell, name, replicas } = options;
    this.#etcd = new EtcdClient(options);
    this.#lock = new EtcdLock(this.#etcd, new Keys(cell));
    this.#disks = [options.snapshots, ...options.peers].map((directory) => new FilesDisk(directory));
    const [own, ...peers] = this.#disks.map((disk) => new DiskShelf(disk, cell)) as [DiskShelf, ...DiskShelf[]];
    this.#journal = new EtcdJournal({
      etcd: this.#etcd,
      ...{ cell, name, replicas },
      shelf: new SharedShelf(own, peers),
      listener: answer,
      lockRevision: () => this.#lock.revision,
      onDiverged: (reason) => reply({ type: "diverged", reason }),
    });
    this.#beats = [setInterval(() => this.#second(), SECOND_MS), setInterval(() => this.#lock.tick(performance.now()), LOCK_TICK_MS)];
  }

  #second(): void {
    const now = performance.now();
    this.#journal.second(now);
    const { space, freshMs } = this.#journal;
    reply({ type: "state", space, ageMs: freshMs === undefined ? undefined : now - freshMs });
  }

  hear(request: Exclude<StoreRequest, { readonly type: "open" }>): void {
    const journal = this.#journal;
    switch (request.type) {
      case "lead":
        return journal.lead();
      case "append":
        return journal.append(request.term, request.position, request.payload);
      case "confirm":
        return journal.confirm(request.term);
      case "read":
        return journal.read(request.from, request.bytesMax);
      case "follow":
        return journal.follow(request.from);
      case "unfollow":
        return journal.unfollow();
      case "save-snapshot":
        return journal.saveSnapshot(request.snapshot);
      case "load-snapshot":
        return journal.loadSnapshot(request.atMost);
      case "acquire": {
        const { question, sequence } = request;
        return this.#lock.acquire(question, performance.now(), (verdict) => reply({ type: "lock", verdict, sequence }));
      }
      case "release":
        return this.#lock.release();
      case "depose":
        return void this.#lock.depose(performance.now());
      case "close":
        return this.#close();
    }
  }

  /** Gives the lock back first, so that nobody waits for its lease to end. */
  #close(): void {
    for (const beat of this.#beats) clearInterval(beat);
    this.#lock.release();
    this.#journal.close();
    setTimeout(() => {
      this.#etcd.close();
      for (const disk of this.#disks) disk.close();
      port.close();
    }, LOCK_TICK_MS);
  }
}

port.once("message", (first: StoreRequest) => {
  if (first.type !== "open") return port.close();
  try {
    const store = new Store(first.options);
    port.on("message", (request: StoreRequest) => {
      if (request.type !== "open") store.hear(request);
    });
    reply({ type: "opened" });
  } catch (cause) {
    reply({ type: "refused", reason: (cause as Error).message });
    port.close();
  }
});
reply({ type: "loaded" });
