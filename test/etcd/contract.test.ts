/** The contract of all journals, against a real etcd of one member: every rule on a cell of its own. */
import { after, before, describe } from "node:test";
import { journalContract } from "../../src/store/contract.ts";
import { type OpenJournal, openEtcdJournal } from "../../src/store/etcd-journal.ts";
import { MemoryDisk } from "../../src/store/memory-disk.ts";
import { Members, missing, wait } from "./members.ts";

const skip = missing();

describe("the journal in etcd", { skip: skip ?? false }, () => {
  let members: Members;
  let cells = 0;
  before(async () => {
    members = await Members.start(1);
  });
  after(() => members.stop());

  journalContract("etcd, one member", () => {
    const disk = new MemoryDisk();
    const cell = `contract-${cells++}`;
    let open: OpenJournal | undefined;
    return {
      open: (listener) => {
        open = openEtcdJournal({ urls: members.urls, cell, name: "r0", replicas: 1, disk }, listener);
        return open.journal;
      },
      close: () => open?.close(),
      step: () => wait(1),
      discard: () => {},
    };
  });
});
