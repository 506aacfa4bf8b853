/** What somebody might say to etcd: drawn from a seed, said to any etcd, and written down so that answers of two of them can be compared. */
import { Random } from "../../src/base/random.ts";
import type { Answer, Etcd, Op, Question, WatchEvent } from "../../src/store/etcd/port.ts";

export type Step =
  | { readonly type: "ask"; readonly question: Question }
  /** Watches all keys from a revision on, for a moment. */
  | { readonly type: "watch"; readonly revision: number }
  | { readonly type: "wait"; readonly ms: number };

/** One line for each step: what was said, and what came back. */
export type Lines = readonly string[];

const KEYS = ["k/a", "k/b", "k/c", "k/d"];
const ALL = { key: "k/", end: "k0" };

/** `leasesEnd`: waits for some, which takes 20 s. Leases are named by their place among all that were granted: "#1" is the first. */
export function drawSteps(seed: number, count: number, leasesEnd: boolean): readonly Step[] {
  const random = new Random(seed, "conversation");
  const steps = Array.from({ length: count }, (): Step => ({ type: "ask", question: draw(random) }));
  const lease: readonly Step[] = [
    { type: "ask", question: { type: "grant", ttlS: 5 } },
    {
      type: "ask",
      question: txn([
        { type: "put", key: "k/leased", value: Uint8Array.of(1), lease: "#last" },
        { type: "get", ...ALL },
      ]),
    },
    { type: "wait", ms: 2500 },
    { type: "ask", question: { type: "keep-alive", lease: "#last" } },
    { type: "wait", ms: 3000 },
    { type: "ask", question: txn([{ type: "get", key: "k/leased" }]) },
    { type: "wait", ms: 9000 },
    { type: "ask", question: txn([{ type: "get", key: "k/leased" }]) },
    { type: "ask", question: { type: "keep-alive", lease: "#last" } },
    { type: "ask", question: { type: "revoke", lease: "#last" } },
    { type: "ask", question: txn([{ type: "put", key: "k/leased", value: Uint8Array.of(1), lease: "#last" }]) },
  ];
  const compaction: readonly Step[] = [
    { type: "watch", revision: 1 },
    { type: "ask", question: { type: "compact", revision: 5 } },
    { type: "ask", question: { type: "compact", revision: 5 } },
    { type: "ask", question: { type: "compact", revision: 1_000_000 } },
    { type: "watch", revision: 4 },
    { type: "watch", revision: 5 },
    { type: "watch", revision: 6 },
  ];
  return [...steps, ...compaction, ...(leasesEnd ? lease : []), { type: "watch", revision: 6 }];
}

const txn = (ops: readonly Op[]): Question => ({ type: "txn", guards: [], ops, otherwise: [] });

function draw(random: Random): Question {
  const key = (): string => random.pick(KEYS);
  const value = (): Uint8Array => Uint8Array.of(random.int(0, 3));
  const guard = () => (random.chance(0.5) ? { key: key(), created: random.pick([0, 0, 2, 3, 5]) } : { key: key(), value: value() });
  const range = (): { key: string; end?: string } => (random.chance(0.3) ? { key: key(), end: "k/c" } : { key: key() });
  // etcd takes no second put of one key in one transaction.
  const ops = (): Op[] => [
    ...(random.chance(0.5) ? [{ type: "get", ...range() } as const] : []),
    ...(random.chance(0.7) ? [{ type: "put", key: key(), value: value() } as const] : []),
    { type: "get", ...ALL, ...(random.chance(0.3) ? { limit: random.int(1, 4) } : {}) },
  ];
  const kind = random.int(0, 10);
  if (kind === 0) return { type: "grant", ttlS: 60 };
  if (kind === 1)
    return txn([
      { type: "delete", ...range() },
      { type: "get", ...ALL },
    ]);
  if (kind === 2) return { type: "keep-alive", lease: random.pick(["#1", "#2", "12345"]) };
  if (kind === 3) return txn([{ type: "put", key: key(), value: value(), lease: "#1" }]);
  if (kind === 4 && random.chance(0.4)) return { type: "revoke", lease: random.pick(["#1", "#2"]) };
  return { type: "txn", guards: [guard(), ...(random.chance(0.3) ? [guard()] : [])], ops: ops(), otherwise: ops() };
}

/** Says it all, one after the other. `pass` lets time go by. */
export async function converse(etcd: Etcd, steps: readonly Step[], pass: (ms: number) => Promise<void>): Promise<Lines> {
  const leases: string[] = [];
  const named = (lease: string): string =>
    lease.startsWith("#") ? (leases.at(lease === "#last" ? -1 : Number(lease.slice(1)) - 1) ?? "99") : lease;
  const nameOf = (lease: string): string => (leases.includes(lease) ? `#${leases.indexOf(lease) + 1}` : lease);
  const lines: string[] = [];
  for (const step of steps) {
    if (step.type === "wait") {
      await pass(step.ms);
      lines.push(`wait ${step.ms}`);
    } else if (step.type === "watch") {
      lines.push(
        `watch ${step.revision}: ${(await watched(etcd, step.revision, `k/z${lines.length}`)).map((event) => told(event, nameOf)).join(" ")}`,
      );
    } else {
      const answer = await new Promise<Answer>((resolve) => etcd.ask(withLease(step.question, named), resolve));
      if (answer.type === "granted") leases.push(answer.lease);
      lines.push(`${shown(step.question)} -> ${shown(answer, nameOf)}`);
    }
  }
  return lines;
}

/** Up to a put of its own, of a key that nobody else puts. */
function watched(etcd: Etcd, revision: number, last: string): Promise<readonly WatchEvent[]> {
  return new Promise((resolve) => {
    const events: WatchEvent[] = [];
    let end = (): void => {};
    const listen = (event: WatchEvent): void => {
      events.push(event);
      if (event.type === "put" && event.entry.key !== last) return;
      queueMicrotask(() => end());
      resolve(events);
    };
    end = etcd.watch(ALL, revision, listen);
    etcd.ask(txn([{ type: "put", key: last, value: Uint8Array.of(9) }]), () => {});
  });
}

function withLease(question: Question, named: (lease: string) => string): Question {
  if (question.type === "keep-alive" || question.type === "revoke") return { ...question, lease: named(question.lease) };
  if (question.type !== "txn") return question;
  return {
    ...question,
    ops: question.ops.map((op) => (op.type === "put" && op.lease !== undefined ? { ...op, lease: named(op.lease) } : op)),
  };
}

const shown = (value: object, nameOf: (lease: string) => string = (lease) => lease): string =>
  JSON.stringify(value, (key, each: unknown) => {
    if (each instanceof Uint8Array) return Buffer.from(each).toString("hex");
    return key === "lease" ? nameOf(String(each)) : each;
  });

const told = (event: WatchEvent, nameOf: (lease: string) => string): string =>
  event.type === "put" ? shown(event.entry, nameOf) : "ended";
