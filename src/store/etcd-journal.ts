/** Opens the journal of a replica: the connection to etcd, the snapshots on this replica's disk, and the beat of a second. */
import { performance } from "node:perf_hooks";
import type { Disk } from "../base/env.ts";
import type { JournalListener } from "../wire/journal.ts";
import { EtcdJournal } from "./etcd/journal.ts";
import { DiskShelf } from "./etcd/shelf.ts";
import { EtcdClient, type EtcdOptions } from "./etcd-client.ts";

const SECOND_MS = 1000;

export interface ReplicaOptions extends EtcdOptions {
  readonly cell: string;
  readonly name: string;
  readonly replicas: number;
  /** For snapshots. */
  readonly disk: Disk;
}

export interface OpenJournal {
  readonly journal: EtcdJournal;
  close(): void;
}

export function openEtcdJournal(options: ReplicaOptions, listener: JournalListener): OpenJournal {
  const { cell, name, replicas, disk } = options;
  const etcd = new EtcdClient(options);
  const journal = new EtcdJournal({ etcd, cell, name, replicas, shelf: new DiskShelf(disk, cell), listener });
  const beat = setInterval(() => journal.second(performance.now()), SECOND_MS);
  return {
    journal,
    close: () => {
      clearInterval(beat);
      journal.close();
      etcd.close();
    },
  };
}
