/** Bugs in who is a master of a cell on several machines, in what it is handed, and in whose clock is right. */
import type { Mutant } from "./mutant.ts";

export const MASTER_BUGS: readonly Mutant[] = [
  {
    name: "a master's token is good twice",
    file: "src/daemon/roster.ts",
    text: '{ type: "delete", key: token },',
    replacement: "",
    suite: "test/attack/masters.test.ts",
  },
  {
    name: "two who show one token at the same moment are both let in",
    file: "src/daemon/roster.ts",
    text: "{ key: token, created: invitation.created },\n",
    replacement: "",
    suite: "test/attack/masters.test.ts",
  },
  {
    name: "a master's token is good for ever",
    file: "src/daemon/roster.ts",
    text: "invitation === undefined || Number(textOf(invitation.value)) <= nowMs",
    replacement: "invitation === undefined",
    suite: "test/attack/masters.test.ts",
  },
  {
    name: "a master is who has a certificate, whatever its key",
    file: "src/daemon/peer/server.ts",
    text: " === name && each.key === key",
    replacement: " === name && key !== undefined",
    suite: "test/attack/masters.test.ts",
  },
  {
    name: "whoever is there gets the owner's socket",
    file: "src/daemon/peer/server.ts",
    text: "const isMaster = this.masterAt(request.socket as TLSSocket) !== undefined;",
    replacement: "const isMaster = true;",
    suite: "test/attack/masters.test.ts",
  },
  {
    name: "keys that were sealed for one number open for another",
    file: "src/daemon/peer/bundle.ts",
    text: "for its master ${replica}`",
    replacement: "${replica > 0}`",
    suite: "test/attack/masters.test.ts",
  },
  {
    name: "a master whose clock is wrong stands for election",
    file: "src/store/etcd/lock.ts",
    text: " && asked.stands !== false",
    replacement: "",
    suite: "test/etcd/lock.test.ts",
  },
  {
    name: "of two clocks that differ each is wrong",
    file: "src/daemon/peer/clocks.ts",
    text: "2 * differing.length > masters",
    replacement: "2 * differing.length >= masters",
    suite: "src/daemon/peer/clocks.test.ts",
  },
  {
    name: "a package that was fetched is what its name says, unseen",
    file: "src/daemon/peer/mirror.ts",
    text: "if (found === digest) renameSync",
    replacement: "if (found.length === digest.length) renameSync",
    suite: "src/daemon/peer/mirror.test.ts",
  },
  {
    name: "a replica without the key of secrets stands for election",
    file: "src/daemon/standing.ts",
    text: "if (!this.#hasKey) return NO_KEY;",
    replacement: "",
    suite: "src/daemon/standing.test.ts",
  },
  {
    name: "one of several masters makes a key of secrets of its own",
    file: "src/daemon/vault.ts",
    text: ' && ifMissing === "make"',
    replacement: "",
    suite: "src/daemon/vault.test.ts",
  },
];
