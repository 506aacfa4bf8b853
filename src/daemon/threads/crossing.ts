/**
 * What crosses between the link threads of replicas: what a shard tells the master that leads and hears of it, and whatever is asked of a borglet at a replica that has not its link. Here it becomes frames and
 * letters again; who has which machine, the shard knows. Nothing waits for a line that is broken: it is asked again, or told that it failed.
 */
import type { BorgletAnswer, BorgletAsk } from "../../borgmaster/api/message.ts";
import type { PieceAnswer, PieceAsk } from "../../borgmaster/link/package-requests.ts";
import type { FromLink, ShardTold } from "../../borgmaster/message.ts";
import { machinesOf, reportsOf } from "../../borgmaster/packing.ts";
import type { JoinAnswer } from "../../rpc/link-server.ts";
import type { LineBody, LineSaid } from "../../rpc/shard-lines.ts";
import { make } from "../../wire/codec.ts";
import type { ExecutorMessage, LinkJoin } from "../../wire/gen/borg/v1/link_pb.ts";
import { ReportsSchema } from "../../wire/gen/borg/v1/machine_pb.ts";

const MASTER_OF = "master/";
const SHARD_OF = "shard/";

/** The master of another replica, as this one's shard addresses it. */
export const masterOf = (replica: string): string => `${MASTER_OF}${replica}`;

/** The shard of another replica, as this one's master addresses it. */
export const isShard = (address: string): boolean => address.startsWith(SHARD_OF);

/** Undefined: it is this one's own. */
export const replicaAt = (address: string): string | undefined =>
  address.startsWith(MASTER_OF) || isShard(address) ? address.slice(address.indexOf("/") + 1) : undefined;

/** How a replica's links are, for the one that leads. */
export interface LinksThere {
  readonly links: number;
  readonly linksFormer: number;
  readonly authority: string;
}

export interface CrossingParts {
  readonly send: (replica: string, body: LineBody) => boolean;
  /** To this replica's master, in the name of another's shard. */
  readonly toMaster: (from: string, message: FromLink) => void;
  readonly toShard: (from: string, message: ShardTold) => void;
  /** To this replica's API. */
  readonly toApi: (message: BorgletAnswer | { readonly type: "executor-said" }) => void;
  readonly ask: (asked: BorgletAsk) => void;
  readonly toExecutor: (message: ExecutorMessage) => void;
  readonly join: (ask: LinkJoin, address: string) => Promise<JoinAnswer>;
  readonly read: (ask: PieceAsk) => Promise<PieceAnswer>;
  readonly redial: (machine: string) => void;
  readonly counts: () => LinksThere & { readonly cut: readonly string[] };
}

/** Without an answer for so long there is none. */
const ANSWER_MS = 4000;
/** Questions under way; one more fails. */
const QUESTIONS_MAX = 10_000;
const LATER = "The replica that leads does not answer: ask again";

export class Crossing {
  readonly #parts: CrossingParts;
  readonly #there = new Map<string, LinksThere & { readonly heardMs: number }>();
  readonly #open = new Map<string, (said: LineSaid | undefined) => void>();
  #last = 0;

  constructor(parts: CrossingParts) {
    this.#parts = parts;
  }

  /** From this replica's shard to the master of another, or from this replica's master to the shard of another. */
  tell(replica: string, message: FromLink | ShardTold): void {
    this.#parts.send(replica, this.#frameOf(message));
  }

  /** What the API asks of a borglet that is linked to that replica. Its answer comes as any other. */
  askThere(replica: string, { id, about, machine, request }: BorgletAsk): void {
    const isSent = this.#parts.send(replica, { case: "question", value: { id, about, machine, request } });
    if (!isSent)
      this.#parts.toApi({ type: "borglet-silent", id, reason: `The replica that polls machine "${machine}" does not answer: try again` });
  }

  /** Whether the answer to a question is another replica's. */
  answer(answer: BorgletAnswer): boolean {
    const found = /^at (\S+) (.+)$/s.exec(answer.id);
    const [, replica, id] = found ?? [];
    if (replica === undefined || id === undefined) return false;
    const value = answer.type === "borglet-said" ? { id, chunk: answer.chunk } : { id, reason: answer.reason || "No answer" };
    this.#parts.send(replica, { case: "answer", value });
    return true;
  }

  async joinThere(replica: string, join: LinkJoin, address: string): Promise<JoinAnswer> {
    const said = await this.#question(replica, (id) => ({ case: "join", value: { id, join, address } }));
    const answer = said?.case === "verdict" ? said.value.answer : undefined;
    if (answer?.case === "joined") return { type: "joined", ...answer.value };
    if (answer?.case === "waiting") return { type: "waiting", key: answer.value.key };
    return { type: "refused", reason: answer?.case === "refused" ? answer.value.reason : LATER };
  }

  /** Undefined: nobody says. */
  async readThere(replica: string, { id, digest, offset, bytesMax }: PieceAsk): Promise<PieceAnswer | undefined> {
    const said = await this.#question(replica, (question) => ({ case: "piece", value: { id: question, digest, offset, bytesMax } }));
    if (said?.case !== "found") return undefined;
    const { total, data, reason } = said.value;
    return reason === "" ? { type: "package-piece", id, total, data } : { type: "package-missing", id, reason };
  }

  /** What another replica said last of its links; undefined: nothing lately. */
  linksOf(replica: string, withinMs: number): LinksThere | undefined {
    const found = this.#there.get(replica);
    return found !== undefined && performance.now() - found.heardMs <= withinMs ? found : undefined;
  }

  hear(replica: string, said: LineSaid): void {
    const { toMaster, toShard, toApi, ask, toExecutor, redial } = this.#parts;
    const shard = `${SHARD_OF}${replica}`;
    switch (said.case) {
      case "ask":
        this.#there.set(replica, { ...said.value, heardMs: performance.now() });
        // Who is at the other end of a line is known: no shard speaks for another.
        return toMaster(shard, { ...said.value, type: "shard-ask", replica });
      case "told":
        return toShard(masterOf(replica), { ...said.value, type: "shard-told" });
      case "ops":
        return toMaster(shard, { ...said.value, type: "ops" });
      case "usage":
        return toMaster(shard, {
          type: "usage",
          term: said.value.term,
          epoch: said.value.epoch,
          machines: machinesOf(said.value.reports ?? NONE),
        });
      case "question": {
        const { id, about, machine, request } = said.value;
        return ask({ type: "ask-borglet", id: `at ${replica} ${id}`, about: about as BorgletAsk["about"], machine, request });
      }
      case "answer": {
        const { id, chunk, reason } = said.value;
        return toApi(reason === "" ? { type: "borglet-said", id, chunk } : { type: "borglet-silent", id, reason });
      }
      case "toExecutor":
        return toExecutor(said.value);
      case "ofExecutor":
        return toApi({ ...said.value, type: "executor-said" });
      case "join":
        return void this.#join(replica, said.value.id, said.value.join!, said.value.address);
      case "piece":
        return void this.#read(replica, said.value);
      case "verdict":
      case "found":
        return this.#open.get(said.value.id)?.(said);
      case "redial":
        return redial(said.value.machine);
    }
  }

  #frameOf(message: FromLink | ShardTold): LineBody {
    switch (message.type) {
      case "shard-ask":
        return { case: "ask", value: { ...bare(message), ...this.#counts() } };
      case "shard-told":
        return { case: "told", value: bare(message) };
      case "ops":
        return { case: "ops", value: { ...bare(message), ops: [...message.ops] } };
      case "usage":
        return { case: "usage", value: { term: message.term, epoch: message.epoch, reports: reportsOf(message.machines) } };
    }
  }

  #counts() {
    const { cut, ...links } = this.#parts.counts();
    return { ...links, cut: [...cut] };
  }

  async #join(replica: string, id: string, ask: LinkJoin, address: string): Promise<void> {
    const told = await this.#parts.join(ask, address).catch((): JoinAnswer => ({ type: "refused", reason: LATER }));
    this.#parts.send(replica, { case: "verdict", value: { id, answer: verdictOf(told) } });
  }

  async #read(replica: string, { id, digest, offset, bytesMax }: Omit<PieceAsk, "type">): Promise<void> {
    const found = await this.#parts.read({ type: "package-piece-ask", id, digest, offset, bytesMax });
    const value = found.type === "package-piece" ? { id, total: found.total, data: found.data } : { id, reason: found.reason };
    this.#parts.send(replica, { case: "found", value });
  }

  #question(replica: string, body: (id: string) => LineBody): Promise<LineSaid | undefined> {
    const { promise, resolve } = Promise.withResolvers<LineSaid | undefined>();
    this.#last += 1;
    const id = String(this.#last);
    const end = (said: LineSaid | undefined): void => {
      clearTimeout(timer);
      this.#open.delete(id);
      resolve(said);
    };
    const timer = setTimeout(() => end(undefined), ANSWER_MS);
    if (this.#open.size < QUESTIONS_MAX && this.#parts.send(replica, body(id))) this.#open.set(id, end);
    else end(undefined);
    return promise;
  }
}

const NONE = make(ReportsSchema, {});

const bare = <M extends { readonly type: string }>({ type: _, ...rest }: M): Omit<M, "type"> => rest;

type Verdict = Extract<LineBody, { readonly case: "verdict" }>["value"]["answer"];

function verdictOf(told: JoinAnswer): NonNullable<Verdict> {
  if (told.type === "joined") return { case: "joined", value: { certificate: told.certificate, authorities: [...told.authorities] } };
  return told.type === "waiting" ? { case: "waiting", value: { key: told.key } } : { case: "refused", value: { reason: told.reason } };
}
