import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Disk } from "../base/env.ts";
import { type ContractSubject, journalContract } from "./contract.ts";
import { EtcdJournal } from "./etcd/journal.ts";
import type { Etcd } from "./etcd/port.ts";
import { DiskShelf } from "./etcd/shelf.ts";
import { FilesDisk } from "./files.ts";
import { FilesJournal } from "./files-journal.ts";
import { Log } from "./log.ts";
import { LogJournal } from "./log-journal.ts";
import { MemoryDisk } from "./memory-disk.ts";
import { MemoryEtcd } from "./memory-etcd.ts";
import type { MemoryJournal } from "./memory-journal.ts";
import { MemoryStore } from "./memory-store.ts";

/** Runs what was deferred, one step a turn. */
class Steps {
  readonly #waiting: (() => void)[] = [];
  readonly defer = (act: () => void) => void this.#waiting.push(act);
  readonly turn = () => this.#waiting.shift()?.();
}

const SMALL = { cell: "contract", wall: () => 0, segmentBytes: 4096 };

function logSubject(disk: Disk, discard: () => void): ContractSubject {
  const steps = new Steps();
  return {
    open: (listener) => new LogJournal({ log: Log.open(disk, SMALL), listener, defer: steps.defer }),
    close: () => {},
    step: steps.turn,
    discard,
  };
}

journalContract("memory store", () => {
  const steps = new Steps();
  const store = new MemoryStore((_, act) => steps.defer(act));
  let handle: MemoryJournal | undefined;
  return {
    open: (listener) => {
      handle = store.open(listener);
      return handle;
    },
    close: () => handle?.close(),
    step: steps.turn,
    discard: () => {},
  };
});

journalContract("the journal in etcd, over a model of etcd", () => {
  const steps = new Steps();
  const model = new MemoryEtcd(() => 0);
  const disk = new MemoryDisk();
  const etcd: Etcd = {
    ask: (question, then) => {
      steps.defer(() => {
        const answer = model.ask(question);
        steps.defer(() => then(answer));
      });
    },
    watch: (range, revision, listener) => model.watch(range, revision, (event) => steps.defer(() => listener(event))),
  };
  let journal: EtcdJournal | undefined;
  return {
    open: (listener) => {
      journal = new EtcdJournal({ etcd, cell: "contract", name: "r0", replicas: 1, shelf: new DiskShelf(disk, "contract"), listener });
      return journal;
    },
    close: () => journal?.close(),
    step: steps.turn,
    discard: () => {},
  };
});

journalContract("log on a memory disk", () => logSubject(new MemoryDisk(), () => {}));

journalContract("log on real files", () => {
  const directory = mkdtempSync(join(tmpdir(), "journal-"));
  const disk = new FilesDisk(directory);
  return logSubject(disk, () => {
    disk.close();
    rmSync(directory, { recursive: true });
  });
});

journalContract("files in a worker thread", () => {
  const directory = mkdtempSync(join(tmpdir(), "journal-"));
  let journal: FilesJournal | undefined;
  return {
    open: async (listener) => {
      journal = await FilesJournal.open({ directory, cell: "contract", segmentBytes: 4096 }, listener);
      return journal;
    },
    close: async () => journal?.close(),
    step: () => new Promise((resolve) => setTimeout(resolve, 1)),
    discard: () => rmSync(directory, { recursive: true }),
  };
});
