/**
 * Machines from elsewhere at the door of a master: who may come in is the cell's to say, and is asked of the API's copy; a token that is shown first
 * goes into the journal. Who nobody has approved waits here, in memory alone: strangers leave nothing in the journal, and so many fit and no more.
 */
import { createHash } from "node:crypto";
import type { MachineVerdict } from "../../borgmaster/api/identify.ts";
import type { JoinsAnswer, JoinWaiting } from "../../borgmaster/api/message.ts";
import type { ClientAnswer } from "../../borgmaster/message.ts";
import { encodeOp, masterOp } from "../../cell/op.ts";
import { derOf, type KeyAndCertificate, keyOfRequest, pemOf, signMachine } from "../../rpc/certificates.ts";
import type { Admission, JoinAnswer, LinkDoor } from "../../rpc/link-server.ts";
import type { LinkJoin } from "../../wire/gen/borg/v1/link_pb.ts";
import { API, MASTER } from "./addresses.ts";

/** Keys that wait for an approval; one more is refused. */
export const WAITING_MAX = 100;
/** Keys that were denied; beyond it the first is forgotten. */
const DENIED_MAX = 1000;
/** A machine asks again much more often than this. */
const WAITING_MS = 60_000;
const DENIED_MS = 600_000;
/** Questions under way; one more is refused. */
const QUESTIONS_MAX = 1000;
const ANSWER_MS = 5000;
const LATER = "The cell cannot say now: ask again";

export interface JoinsOptions {
  readonly cell: string;
  readonly authority: KeyAndCertificate;
  /** Whose certificates count, as PEM, the newest first. */
  readonly authorities: readonly string[];
  readonly send: (to: string, message: object) => void;
  readonly now: () => number;
  /** This machine is sent a new certificate. */
  readonly onSigned: (machine: string) => void;
}

type Told = MachineVerdict | Extract<ClientAnswer, { readonly type: "answer" }>;

export class Joins implements LinkDoor {
  readonly #options: JoinsOptions;
  /** By key, oldest first. */
  readonly #waiting = new Map<string, JoinWaiting & { readonly heardMs: number }>();
  readonly #denied = new Map<string, number>();
  readonly #questions = new Map<string, (told: Told | undefined) => void>();
  #last = 0;

  constructor(options: JoinsOptions) {
    this.#options = options;
  }

  /** Whether this machine, which holds its key, may have a link. */
  async admit(machine: string, key: string): Promise<Admission> {
    const verdict = await this.#verdict(machine, key, "");
    if (verdict?.verdict === "approved") return { ok: true, approved: verdict.capacity };
    return { ok: false, reason: verdict === undefined ? LATER : `Machine "${machine}" is not approved with this key (any more)` };
  }

  async join({ machine, request, token, capacity }: LinkJoin, address: string): Promise<JoinAnswer> {
    const pem = pemOf(request, "CERTIFICATE REQUEST");
    const key = await keyOfRequest(pem);
    if (key === undefined) return refused("Its certificate request is not signed with its own key");
    const tokenHash = token === "" ? "" : createHash("sha256").update(token).digest("hex");
    const verdict = await this.#verdict(machine, key, tokenHash);
    if (verdict === undefined) return refused(LATER);
    if (verdict.verdict === "refused") return refused(verdict.reason);
    if (verdict.verdict === "unknown") return this.#wait({ machine, key, capacity: capacity!, address, sinceMs: this.#options.now() });
    const problem = verdict.verdict === "invited" ? await this.#enroll(machine, key, tokenHash) : undefined;
    return problem === undefined ? this.#sign(machine, pem) : refused(problem);
  }

  /** Letters that are about this; false: it is about something else. */
  hear(body: Readonly<Record<string, unknown>>): boolean {
    if (body["type"] !== "verdict" && body["type"] !== "answer") return false;
    const id = String(body["id"]);
    this.#questions.get(id)?.(body as unknown as Told);
    this.#questions.delete(id);
    return true;
  }

  list(id: string): JoinsAnswer {
    this.#sweep();
    return { type: "joins", id, waiting: [...this.#waiting.values()].map(({ heardMs: _, ...each }) => each) };
  }

  /** Without a key: whoever asks under that name. */
  deny(id: string, machine: string, key: string): JoinsAnswer {
    const found = [...this.#waiting.values()].filter((each) => each.machine === machine && (key === "" || each.key === key));
    for (const each of found) {
      this.#waiting.delete(each.key);
      this.#denied.set(each.key, this.#options.now() + DENIED_MS);
    }
    for (const first of this.#denied.keys()) if (this.#denied.size > DENIED_MAX) this.#denied.delete(first);
    return { type: "denied", id, denied: found.length };
  }

  #wait(asked: JoinWaiting): JoinAnswer {
    this.#sweep();
    const now = this.#options.now();
    if ((this.#denied.get(asked.key) ?? 0) > now) return refused(`Machine "${asked.machine}" was denied`);
    const known = this.#waiting.get(asked.key);
    if (known === undefined && this.#waiting.size >= WAITING_MAX)
      return refused(`${WAITING_MAX} machines wait for an approval: ask again later`);
    this.#waiting.set(asked.key, { ...asked, sinceMs: known?.sinceMs ?? now, heardMs: now });
    return { type: "waiting", key: asked.key };
  }

  #sweep(): void {
    const now = this.#options.now();
    for (const [key, { heardMs }] of this.#waiting) if (now - heardMs > WAITING_MS) this.#waiting.delete(key);
    for (const [key, untilMs] of this.#denied) if (untilMs <= now) this.#denied.delete(key);
  }

  /** Undefined when it is done; else why not. */
  async #enroll(machine: string, key: string, tokenHash: string): Promise<string | undefined> {
    const op = encodeOp(masterOp({ case: "machineEnroll", value: { machine, tokenHash, key } }));
    const answer = (await this.#ask(MASTER, (id) => ({ type: "request", id, op }))) as ClientAnswer | undefined;
    if (answer?.result === "done") return undefined;
    return answer?.result === "refused" ? answer.reason : LATER;
  }

  async #sign(machine: string, request: string): Promise<JoinAnswer> {
    const { cell, authority, authorities } = this.#options;
    const certificate = await signMachine(authority, request, { cell, machine }, Date.now());
    if (certificate === undefined) return refused("Its certificate request cannot be signed");
    for (const [key, each] of this.#waiting) if (each.machine === machine) this.#waiting.delete(key);
    this.#options.onSigned(machine);
    return { type: "joined", certificate: derOf(certificate), authorities: authorities.map(derOf) };
  }

  async #verdict(machine: string, key: string, tokenHash: string): Promise<MachineVerdict | undefined> {
    return (await this.#ask(API, (id) => ({ type: "may-join", id, machine, key, tokenHash }))) as MachineVerdict | undefined;
  }

  #ask(to: string, message: (id: string) => object): Promise<Told | undefined> {
    const { promise, resolve } = Promise.withResolvers<Told | undefined>();
    if (this.#questions.size >= QUESTIONS_MAX) return Promise.resolve(undefined);
    this.#last += 1;
    const id = `join ${this.#last}`;
    const timer = setTimeout(() => {
      this.#questions.delete(id);
      resolve(undefined);
    }, ANSWER_MS);
    this.#questions.set(id, (told) => {
      clearTimeout(timer);
      resolve(told);
    });
    this.#options.send(to, message(id));
    return promise;
  }
}

const refused = (reason: string): JoinAnswer => ({ type: "refused", reason });
