/**
 * Masters on a real etcd of three members, behind wires that delay, cut, mute and reorder, while members die and leaders change. Several replicas lead by turns
 * and append what they may; in the end the journal holds every entry that was acknowledged, once, in order, and each follower and confirmed read agrees.
 * ETCD_ROUNDS says how many rounds; SEED which.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Random } from "../../src/base/random.ts";
import { type OpenJournal, openEtcdJournal } from "../../src/store/etcd-journal.ts";
import { MemoryDisk } from "../../src/store/memory-disk.ts";
import type { JournalAnswer, JournalEntry } from "../../src/wire/journal.ts";
import { Members, missing, wait } from "./members.ts";
import { BadWire, FAIR } from "./proxy.ts";

const ROUNDS = Number(process.env["ETCD_ROUNDS"] ?? 1);
const SEED = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const ROUND_MS = 5000;
const REPLICAS = 3;

type Of<T extends JournalAnswer["type"]> = Extract<JournalAnswer, { type: T }>;

/** Everything that anybody was told is done: by position, its bytes. */
type Acknowledged = Map<number, string>;

const textOf = (payload: Uint8Array): string => Buffer.from(payload).toString();

/** A master as far as the journal sees one: one question of a kind at a time, and the pipeline's rule for what is unknown. */
class Replica {
  readonly #open: OpenJournal;
  readonly #waiting: { readonly types: readonly string[]; readonly resolve: (answer: JournalAnswer) => void }[] = [];
  readonly followed: JournalEntry[] = [];
  readonly name: string;
  unknowns = 0;

  constructor(name: string, urls: readonly string[], cell: string) {
    this.name = name;
    this.#open = openEtcdJournal({ urls, cell, name, replicas: REPLICAS, disk: new MemoryDisk() }, (answer) => this.#on(answer));
    this.#open.journal.follow(1);
  }

  get journal() {
    return this.#open.journal;
  }

  close(): void {
    this.#open.close();
  }

  #on(answer: JournalAnswer): void {
    if (answer.type === "followed") {
      this.followed.push(answer.entry);
      return;
    }
    const index = this.#waiting.findIndex(({ types }) => types.includes(answer.type));
    if (index >= 0) this.#waiting.splice(index, 1)[0]?.resolve(answer);
  }

  expect<T extends JournalAnswer["type"]>(...types: T[]): Promise<Of<T>> {
    return new Promise((resolve) => {
      this.#waiting.push({ types, resolve: (answer) => resolve(answer as Of<T>) });
    });
  }

  async lead(): Promise<Of<"leading"> | undefined> {
    this.journal.lead();
    const answer = await this.expect("leading", "not-leading");
    return answer.type === "leading" ? answer : undefined;
  }

  /** As src/borgmaster/pipeline.ts: an unknown append is read back; what is absent is sent once more, the same bytes at the same place. */
  async append(term: number, position: number, text: string): Promise<"done" | "deposed"> {
    for (let tries = 0; tries < 2; tries++) {
      this.journal.append(term, position, Buffer.from(text));
      const answer = await this.expect("appended", "not-appended");
      if (answer.type === "appended") return "done";
      if (answer.fault === "fenced" && tries === 0) return "deposed";
      if (answer.fault === "unavailable" && tries === 0) continue;
      this.unknowns += 1;
      const found = await this.#readBack(position);
      if (found !== undefined) return found.term === term && textOf(found.payload) === text ? "done" : "deposed";
    }
    return "deposed";
  }

  async #readBack(position: number): Promise<JournalEntry | undefined> {
    for (;;) {
      this.journal.read(position, 1);
      const answer = await this.expect("entries", "not-read");
      if (answer.type === "entries") return answer.entries[0];
      await wait(100);
    }
  }

  async confirm(term: number): Promise<number | undefined> {
    this.journal.confirm(term);
    const answer = await this.expect("confirmed", "not-confirmed");
    return answer.type === "confirmed" ? answer.position : undefined;
  }
}

/** Leads now and then, and appends while it may. What was acknowledged before a confirm is asked for lies at or before its position. */
async function live(replica: Replica, acknowledged: Acknowledged, random: Random, untilMs: number): Promise<number> {
  let leads = 0;
  while (Date.now() < untilMs) {
    await wait(random.int(0, 600));
    const lead = await replica.lead();
    if (lead === undefined) continue;
    leads += 1;
    let { last } = lead;
    for (let count = random.int(5, 60); count > 0 && Date.now() < untilMs; count--) {
      const text = `${replica.name} ${lead.term} ${last + 1}`;
      if ((await replica.append(lead.term, last + 1, text)) === "deposed") break;
      last += 1;
      assert.equal(acknowledged.get(last), undefined, `position ${last} was acknowledged twice`);
      acknowledged.set(last, text);
      if (!random.chance(0.2)) continue;
      const before = Math.max(0, ...acknowledged.keys());
      const position = await replica.confirm(lead.term);
      assert.ok(position === undefined || position >= before, `confirmed ${position}, and ${before} was acknowledged before`);
    }
  }
  return leads;
}

describe("the journal in an etcd of three members, under faults", { skip: missing() ?? false }, () => {
  let members: Members;
  before(async () => {
    members = await Members.start(3);
  });
  after(() => members?.stop());

  for (let round = 0; round < ROUNDS; round++) {
    const seed = SEED + round;
    test(`seed ${seed}: nothing acknowledged is lost, moved or doubled [store.A1] [store.E1] [store.E3] [store.E5] [KD1] [KL1]`, async (t) => {
      const random = new Random(seed, "faults");
      const proxies = await Promise.all([0, 1, 2].map((i) => BadWire.open(members.port(i), seed)));
      const cell = `faults-${seed}`;
      const names = Array.from({ length: REPLICAS }, (_, i) => `r${i}`);
      const replicas = names.map(
        (name, i) =>
          new Replica(
            name,
            [...proxies.slice(i), ...proxies.slice(0, i)].map(({ url }) => url),
            cell,
          ),
      );
      const acknowledged: Acknowledged = new Map();
      const untilMs = Date.now() + ROUND_MS;
      try {
        const lives = replicas.map((replica, i) => live(replica, acknowledged, new Random(seed, `replica/${i}`), untilMs));
        await strike(members, proxies, random, untilMs);
        const leads = (await Promise.all(lives)).reduce((a, b) => a + b, 0);
        const unknowns = replicas.reduce((sum, { unknowns: each }) => sum + each, 0);
        t.diagnostic(`seed ${seed}: ${acknowledged.size} entries acknowledged, ${leads} leads, ${unknowns} unknown`);
        await settled(replicas, acknowledged);
      } finally {
        for (const replica of replicas) replica.close();
        await Promise.all(proxies.map((proxy) => proxy.close()));
      }
    });
  }
});

/** One thing after another goes wrong, and right again. */
async function strike(members: Members, proxies: readonly BadWire[], random: Random, untilMs: number): Promise<void> {
  while (Date.now() < untilMs) {
    const victim = random.int(0, 3);
    const proxy = proxies[victim]!;
    const what = random.pick(["weather", "weather", "weather", "cut", "dark", "kill", "stop"] as const);
    if (what === "weather")
      proxy.weather = { delayMs: 30, cut: random.pick([0, 0.02]), mute: random.pick([0, 0.05]), late: random.pick([0, 0.05]) };
    if (what === "cut") proxy.cutAll();
    if (what === "dark") proxy.isDark = true;
    if (what === "kill") members.kill(victim);
    if (what === "stop") members.kill(victim, "SIGSTOP");
    await wait(random.int(100, 1500));
    if (what === "kill") members.run(victim);
    if (what === "stop") members.kill(victim, "SIGCONT");
    if (what === "dark") proxy.cutAll();
    proxy.isDark = false;
    if (random.chance(0.5)) proxy.weather = FAIR;
  }
  for (const proxy of proxies) proxy.weather = FAIR;
  await members.ready();
}

/** When all is well again: one more leads, and everyone reads the same. */
async function settled(replicas: readonly Replica[], acknowledged: Acknowledged): Promise<void> {
  const [first] = replicas as [Replica];
  let lead = await first.lead();
  for (let tries = 0; lead === undefined && tries < 20; tries++) {
    await wait(200);
    lead = await first.lead();
  }
  assert.ok(lead !== undefined, "nobody can lead although all is well");
  const all = await readAll(first);
  assert.deepEqual(
    all.map(({ position }) => position),
    all.map((_, i) => i + 1),
  );
  for (let i = 1; i < all.length; i++) assert.ok(all[i]!.term >= all[i - 1]!.term, "terms go down");
  for (const [position, text] of acknowledged) assert.equal(textOf(all[position - 1]!.payload), text, `position ${position}`);
  for (const replica of replicas) {
    for (let tries = 0; replica.followed.length < all.length && tries < 100; tries++) await wait(100);
    const seen = (entries: readonly JournalEntry[]) => entries.map(({ position, payload }) => `${position} ${textOf(payload)}`);
    assert.deepEqual(seen(replica.followed), seen(all), `${replica.name} followed something else`);
  }
}

async function readAll(replica: Replica): Promise<readonly JournalEntry[]> {
  const all: JournalEntry[] = [];
  for (;;) {
    replica.journal.read(all.length + 1, 1_000_000);
    const answer = await replica.expect("entries", "not-read");
    if (answer.type === "not-read") throw new Error(answer.reason);
    all.push(...answer.entries);
    if (all.length >= answer.last) return all;
  }
}
