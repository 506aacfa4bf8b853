/** The journal and the lock in etcd: what guards them, and what a missing answer means. */
import type { Mutant } from "./mutant.ts";

const JOURNAL = "src/store/etcd/journal.ts";
const SUITE = "test/etcd/journal.test.ts";

const REPLICA = "test/etcd/replica.test.ts";
const DOOR = "src/rpc/front-door.ts";
const DOOR_SUITE = "src/rpc/front-door.test.ts";

export const ETCD_BUGS: readonly Mutant[] = [
  {
    name: "standby confirms reads under the term that it once led",
    file: "src/borgmaster/master.ts",
    text: 'this.#role === "following" ? this.#followedTerm : 0',
    replacement: 'this.#role === "following" ? this.#term : 0',
    suite: "test/borgmaster/answers.test.ts",
  },
  {
    name: "replica with another snapshot than the majority goes on",
    file: "src/store/etcd/trimming.ts",
    text: "if (agreed !== undefined && agreed !== hash)",
    replacement: "if (agreed === undefined && agreed !== hash)",
    suite: REPLICA,
  },
  {
    name: "two of five replicas taken for a majority",
    file: "src/store/etcd/trimming.ts",
    text: "const agreed = [...counts].find(([, count]) => 2 * count > replicas)?.[0];",
    replacement: "const agreed = [...counts].find(([, count]) => count > 1)?.[0];",
    suite: REPLICA,
  },
  {
    name: "snapshot of a peer told of as one's own",
    file: "src/store/etcd/shelf.ts",
    text: "return this.#own.marks();",
    replacement: "return [...this.#own.marks(), ...this.#peers.flatMap((peer) => peer.marks())];",
    suite: REPLICA,
  },
  {
    name: "replica that starts before its etcd never starts",
    file: JOURNAL,
    text: "if (wanted !== undefined) this.loadSnapshot(wanted);",
    replacement: "",
    suite: REPLICA,
  },
  {
    name: "connections stay with a replica that no longer leads",
    file: DOOR,
    text: "for (const socket of wasOwn) socket.destroy();",
    replacement: "for (const socket of wasOwn) socket.resume();",
    suite: DOOR_SUITE,
  },
  {
    name: "connections stay led to a replica that no longer leads",
    file: DOOR,
    text: "for (const socket of this.#piped) socket.destroy();\n    this.#piped.clear();",
    replacement: "this.#piped.clear();",
    suite: DOOR_SUITE,
  },
  {
    name: "what was said while nobody led is lost",
    file: DOOR,
    text: 'socket.on("error", () => socket.destroy());\n    if',
    replacement: 'socket.on("error", () => socket.destroy());\n    if (this.#leader === undefined) socket.once("data", () => {});\n    if',
    suite: DOOR_SUITE,
  },
  {
    name: "master deposed without a second dial",
    file: "src/daemon/pulse.ts",
    text: "if (isOpen) return this.#dial(path, true);",
    replacement: "if (isOpen) this.#onGone();",
    suite: "src/daemon/pulse.test.ts",
  },
  {
    name: "master deposed that was never reached",
    file: "src/daemon/pulse.ts",
    text: "if (wasThere) this.#onGone();",
    replacement: "this.#onGone();",
    suite: "src/daemon/pulse.test.ts",
  },
  {
    name: "append to etcd not guarded by the head",
    file: JOURNAL,
    text: "const guards = [this.#isHead({ term, position: position - 1 })];",
    replacement: "const guards: Guard[] = [];",
    suite: SUITE,
  },
  {
    name: "lead in etcd does not raise the term",
    file: JOURNAL,
    text: "term: head.value.term + 1,",
    replacement: "term: Math.max(1, head.value.term),",
    suite: SUITE,
  },
  {
    name: "lead in etcd not guarded by the lock",
    file: JOURNAL,
    text: "...(lock === undefined ? [] : [{ key: this.#keys.lock, created: lock }])",
    replacement: "...([] as Guard[])",
    suite: SUITE,
  },
  {
    // An append that is absent may still land: nobody may say that it never will.
    name: "no answer from etcd taken for never",
    file: JOURNAL,
    text: 'isNever ? "unavailable" : "unknown"',
    replacement: '"unavailable"',
    suite: SUITE,
  },
  {
    name: "confirm answered by a read of etcd that was sent before",
    file: "src/store/etcd/confirming.ts",
    text: "for (const then of asked) then(head);",
    replacement: "for (const then of [...asked, ...this.#waiting.splice(0)]) then(head);",
    suite: SUITE,
  },
  {
    name: "follower of etcd skips what its watch has lost",
    file: "src/store/etcd/following.ts",
    text: "if (entry.position > this.#next) return this.#catchUp();",
    replacement: "",
    suite: SUITE,
  },
  {
    name: "follower of etcd never looks behind a silent watch",
    file: "src/store/etcd/following.ts",
    text: "if (this.#endWatch === undefined || (isBehind && this.#behindAt === this.#next)) this.#catchUp();",
    replacement: "if (this.#endWatch === undefined) this.#catchUp();",
    suite: SUITE,
  },
  {
    name: "etcd trimmed before a majority has the snapshot",
    file: "src/store/etcd/trimming.ts",
    text: "count > replicas / 2",
    replacement: "count > replicas / 4",
    suite: SUITE,
  },
  {
    name: "etcd trimmed to a snapshot of another hash",
    file: "src/store/etcd/trimming.ts",
    text: "for (const { position, hash } of marks.slice(1)) {",
    replacement: 'for (const { position, hash } of marks.slice(1).map((mark) => ({ ...mark, hash: "" }))) {',
    suite: SUITE,
  },
  {
    name: "etcd trimmed by an old leader",
    file: "src/store/etcd/trimming.ts",
    text: 'this.#etcd.ask({ type: "txn", guards, ops, otherwise: [] }',
    replacement: 'this.#etcd.ask({ type: "txn", guards: guards.slice(1), ops, otherwise: [] }',
    suite: SUITE,
  },
  {
    name: "lease in etcd renewed for a master that hangs",
    file: "src/store/etcd/lock.ts",
    text: "|| nowMs - this.#askedMs > SILENT_MS) return;",
    replacement: ") return;",
    suite: "test/etcd/lock.test.ts",
  },
  {
    name: "lock in etcd taken from who has it",
    file: "src/store/etcd/lock.ts",
    text: "const isMine = lock !== undefined && lock.lease === this.#lease;",
    replacement: "const isMine = lock !== undefined;",
    suite: "test/etcd/lock.test.ts",
  },
  {
    name: "standby ends leases in etcd again and again",
    file: "src/store/etcd/lock.ts",
    text: "nowMs - this.#deposedMs < DEPOSE_EVERY_MS",
    replacement: "nowMs < 0",
    suite: "test/etcd/lock.test.ts",
  },
  {
    name: "etcd believed with the certificate of another address",
    file: "src/store/etcd-client.ts",
    text: "=> checkServerIdentity(host, found) };",
    replacement: "=> (checkServerIdentity(host, found), undefined) };",
    suite: "test/etcd/tls.test.ts",
  },
  {
    name: "jobs taken while etcd runs full",
    file: "src/borgmaster/master.ts",
    text: 'const isFull = this.#space.level === "full" &&',
    replacement: "const isFull = this.#space.reason === undefined &&",
    suite: "test/borgmaster/answers.test.ts",
  },
  {
    name: "standby without a snapshot keeps its state and empties its copies",
    file: "src/borgmaster/master.ts",
    text: "this.#state = decoded?.ok ? decoded.value : newState();",
    replacement: "if (decoded?.ok) this.#state = decoded.value;",
    suite: "test/borgmaster/answers.test.ts",
  },
  {
    // In the simulation, on the model of etcd: what landed late is there although its caller was told that it never was.
    name: "absent entry taken for one that never comes",
    file: "src/borgmaster/pipeline.ts",
    text: 'flight.state = "sent";\n      flight.again = true;\n      this.#journal.append(this.#term, flight.position, flight.payload.slice());',
    replacement: 'this.#flight = undefined;\n      this.#host.refusedAppend(flight.ops, "It is absent");\n      this.pump();',
    caughtBy: ["KD5", "KD1", "KD2", "KD3", "KD4", "KL1", "KT3", "throw"],
  },
  {
    name: "append to etcd not guarded by the head, in the simulation",
    file: JOURNAL,
    text: "const guards = [this.#isHead({ term, position: position - 1 })];",
    replacement: "const guards: Guard[] = [];",
    caughtBy: ["KD5", "KD1", "KD2", "KD3", "KD4", "KL1", "KT3", "throw"],
  },
];
