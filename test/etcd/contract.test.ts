/** The contract of all journals, against a real etcd of one member, and of three behind wires that delay what passes: every rule on a cell of its own. */
import { after, before, describe } from "node:test";
import { journalContract } from "../../src/store/contract.ts";
import { type OpenJournal, openEtcdJournal } from "../../src/store/etcd-journal.ts";
import { MemoryDisk } from "../../src/store/memory-disk.ts";
import { Members, missing, wait } from "./members.ts";
import { BadWire, FAIR } from "./proxy.ts";

const skip = missing();
/** Of each piece of bytes; a read of many entries must be there within its second all the same. Cuts would make appends unknown, which the rules are not about: test/etcd/faults.test.ts. */
const DELAY_MS = 2;
const SEED = 7;

for (const count of [1, 3])
  describe(`the journal in etcd, ${count === 1 ? "one member" : "three members behind slow wires"}`, { skip: skip ?? false }, () => {
    let members: Members;
    let wires: readonly BadWire[] = [];
    let cells = 0;
    before(async () => {
      members = await Members.start(count);
      wires = await Promise.all(Array.from({ length: count }, (_, i) => BadWire.open(members.port(i), SEED + i)));
      if (count > 1) for (const wire of wires) wire.weather = { ...FAIR, delayMs: DELAY_MS };
    });
    after(async () => {
      for (const wire of wires) await wire.close();
      await members.stop();
    });

    journalContract(`etcd, ${count === 1 ? "one member" : "three members behind slow wires"}`, () => {
      const disk = new MemoryDisk();
      const cell = `contract-${cells++}`;
      let open: OpenJournal | undefined;
      return {
        open: (listener) => {
          open = openEtcdJournal({ urls: wires.map(({ url }) => url), cell, name: "r0", replicas: 1, disk }, listener);
          return open.journal;
        },
        close: () => open?.close(),
        step: () => wait(1),
        discard: () => {},
      };
    });
  });
