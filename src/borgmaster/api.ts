/**
 * The API of a cell: every call of every user, in production and in simulation. It decides who may, makes the op and sends it to the master, turns
 * what comes back into an answer or a kind of no, and answers reads from its own copy of the cell. Nothing waits for ever: a call ends at its deadline,
 * a change then as `unknown` if it may have been done, everything else as `unavailable`. It never decides what an op means, and keeps nothing.
 */

import type { Actor, Address, Env } from "../base/env.ts";
import { userId } from "../base/id.ts";
import type { NewHash } from "../base/sha256.ts";
import { encodeOp, type Op } from "../cell/op.ts";
import { refusalKind } from "../cell/ops/table.ts";
import type { CellState } from "../cell/state.ts";
import { ASK_PREFIX } from "../offers/asking.ts";
import { Frameworks } from "../offers/frameworks.ts";
import { claimOp } from "../scheduler/message.ts";
import { make } from "../wire/codec.ts";
import * as wire from "../wire/gen/borg/v1/api_pb.ts";
import { Role } from "../wire/gen/borg/v1/op_pb.ts";
import { accessProblem } from "./api/access.ts";
import { BorgletReads } from "./api/borglet-reads.ts";
import { changedView, claimsView, kindOf, userRequest } from "./api/changes.ts";
import { controllerAccess, controllerOf, type Door, NO_DOOR } from "./api/controllers.ts";
import { Copy } from "./api/copy.ts";
import { CountCalls } from "./api/count-calls.ts";
import { Currency } from "./api/currency.ts";
import { foresee } from "./api/foresee.ts";
import { frameworksHost } from "./api/frameworks-host.ts";
import type { ApiAnswer, ApiCall, ClaimsAnswer, FailureCode, FromApi, JoinsAnswer, JoinsAsk, ToApi } from "./api/message.ts";
import { aboutOf, METHODS, type Method } from "./api/methods.ts";
import { type Desk, type OpenCall, OpenCalls } from "./api/open-calls.ts";
import { PackageCalls } from "./api/package-calls.ts";
import { type Due, Portions } from "./api/portions.ts";
import { checkQuestion, explainQuestion, explanationOf } from "./api/questions.ts";
import { listJoins } from "./api/reads.ts";
import { SecretCalls } from "./api/secret-calls.ts";
import { selectorProblem } from "./api/selected.ts";
import { SentRequests } from "./api/sent-requests.ts";
import { VIEWS_TAG, ViewCalls } from "./api/view-calls.ts";
import type { ClientAnswer, ConfirmAnswer, FollowerAnswer, FollowerQuestion } from "./message.ts";
import type { Vault } from "./vault.ts";

export interface ApiOptions {
  readonly master: Address;
  readonly follower: Address;
  readonly link: Address;
  /** Who keeps the bytes of packages. */
  readonly packages: Address;
  /** With which secrets are encrypted and decrypted. */
  readonly vault: Vault;
  /** Where tasks of controllers reach it. */
  readonly door?: Door;
  /** Where the counters of the process are asked for. */
  readonly counters: Address;
  /** Schedulers that are threads of this process: only they can say how busy they are. */
  readonly threads: readonly string[];
  /** With which requests are told apart; the plain one takes a hundredth of a second for a submit of 800 KB. */
  readonly newHash?: NewHash;
}

type OnRefused = (answer: Extract<ClientAnswer, { readonly result: "refused" }>) => boolean;

type Change = Extract<Method, { readonly kind: "change" | "claims" | "upload" | "secret" }>;
const isChange = (method: Method): method is Change => ["change", "claims", "upload", "secret"].includes(method.kind);

const RETRY_AFTER_MS = 500;
const GO_ON = "go on";
const LATE = "No answer in time";
const LATE_READ = `${LATE}: try again`;
const SAME_ID = "the same request id, sent again, tells the outcome";

export class Api implements Actor<ToApi> {
  readonly #env: Env<FromApi>;
  readonly #options: ApiOptions;
  readonly #copy = new Copy();
  readonly #calls: OpenCalls;
  readonly #currency: Currency;
  /** When the last entry came, by the monotonic clock. */
  #heardMs = 0;
  /** Polls that wait for the next entry. */
  #polls = new Map<OpenCall, () => void>();
  readonly #sent = new SentRequests();
  readonly #portions: Portions;
  readonly #borglets: BorgletReads;
  readonly #packages: PackageCalls;
  readonly #secrets: SecretCalls;
  readonly #counts: CountCalls;
  readonly #views: ViewCalls;
  /** Programs written for Mesos: their calls come by a door of their own, not as messages. */
  readonly frameworks: Frameworks;

  constructor(env: Env<FromApi>, options: ApiOptions) {
    this.#env = env;
    this.#options = options;
    this.#calls = new OpenCalls(env);
    this.#portions = new Portions(() => env.timer(0, GO_ON));
    const desk: Desk = {
      copy: this.#copy,
      calls: this.#calls,
      answer: (open, value) => this.#answer(open, value),
      fail: (open, code, reason, position) => this.#fail(open, code, reason, position),
    };
    this.#borglets = new BorgletReads({ ...desk, link: options.link, timeMs: () => this.nowMs });
    this.#counts = new CountCalls({ ...desk, counters: options.counters, link: options.link, threads: options.threads });
    this.#views = new ViewCalls({ ...desk, env, serve: (open, work) => this.#serve(open, work), timeMs: () => this.nowMs });
    this.#packages = new PackageCalls({ ...desk, keeper: options.packages });
    this.#secrets = new SecretCalls({
      ...{ ...desk, vault: options.vault, door: options.door ?? NO_DOOR, master: options.master, freshId: () => env.id() },
      whenCurrent: (open, then) => this.#currency.wait(open, then),
      change: (open, op, refused) => this.#request(open, op, refused),
      tell: (to, answer) => env.send(to, answer),
    });
    this.#currency = new Currency({
      now: () => env.now(),
      position: () => this.#copy.state.position,
      ask: (id) => env.send(options.master, { type: "confirm", id }),
      notCurrent: (open, reason) => this.#unavailable(open, reason),
    });
    this.frameworks = new Frameworks(frameworksHost(env, options.master, options.link, this.#copy));
    this.#copy.offersTo = (framework) => this.frameworks.offersTo(framework);
  }

  /** Its copy of the cell. */
  get state(): CellState {
    return this.#copy.state;
  }

  /** Cell time, also when no entry came for long. Not the wall clock, which may step: what ends by it ends at the same time for everybody. */
  get nowMs(): number {
    return this.#copy.state.timeMs + Math.floor(this.#env.now() - this.#heardMs);
  }

  start(): void {}

  /** Whose token of a controller this is; undefined for one that is none, or that has ended. */
  controllerOf(token: string): { readonly user: string; readonly controller: string } | undefined {
    return controllerOf(this.#copy.state, this.#options.vault, token);
  }

  /** Keys of secrets that nothing needs go; asked when the copy is current. */
  sweepKeys(): void {
    this.#secrets.sweep();
  }

  onTimer(tag: string): void {
    if (tag === GO_ON) this.#portions.next();
    else if (tag.startsWith(VIEWS_TAG)) this.#views.onTimer(tag);
    else if (tag.startsWith(ASK_PREFIX)) this.frameworks.onTimer(tag);
    else this.#calls.onTimer(tag);
  }

  onMessage(from: Address, message: ToApi): void {
    this.#portions.begin();
    switch (message.type) {
      case "call":
        return this.#onCall(from, message);
      case "cancel":
        return this.#calls.cancel(from, message.id);
      case "restore":
        this.#currency.reset();
        this.#copy.hear(message);
        this.frameworks.restored();
        this.#views.reset();
        return this.#moved();
      case "entry": {
        const touched = this.#copy.hear(message);
        this.#env.send(this.#options.master, { type: "followed", position: message.position });
        this.frameworks.changed(touched);
        this.#views.touched(touched);
        return this.#moved();
      }
      case "usage":
        this.#copy.usage.learn(message.machines, { wallMs: this.#env.wall(), cellMs: this.nowMs });
        return this.#views.measured(message.machines);
      case "executor-said":
        return this.frameworks.executorSaid(message);
      case "secrets-ask":
        return this.#secrets.ask(from, message);
      case "confirmed":
      case "not-confirmed":
        return this.#onConfirm(message);
      case "answer":
        return message.id.startsWith(ASK_PREFIX) ? this.frameworks.told(message) : this.#calls.told(message);
      default:
        return this.#calls.told(message);
    }
  }

  #onConfirm(message: ConfirmAnswer): void {
    if (message.id.startsWith(ASK_PREFIX)) this.frameworks.confirmed(message.type === "confirmed");
    else if (message.type === "confirmed") this.#currency.confirmed(message.id, message.position);
    else this.#currency.notConfirmed(message.id, message.reason);
  }

  /** An entry was applied here: what waited for its position, or for anything new, goes on. */
  #moved(): void {
    this.#heardMs = this.#env.now();
    this.#currency.moved();
    this.#secrets.moved();
    if (this.#polls.size === 0) return;
    const polls = this.#polls;
    this.#polls = new Map();
    for (const [open, look] of polls) this.#serve(open, look);
  }

  #onCall(from: Address, call: ApiCall): void {
    const open = this.#calls.begin(from, call);
    if (open === "open") return;
    if (open === "full")
      return this.#env.send(from, failed(call.id, 1, "unavailable", "Too many calls wait for an answer: try again later", 0, undefined));
    open.late = () => this.#unavailable(open, LATE_READ);
    const method = METHODS[call.method];
    if (isChange(method)) this.#change(open, method);
    else {
      const read = (): void => this.#permitted(open, () => this.#read(open, method));
      if (call.stale || method.kind === "master") this.#serve(open, read);
      else this.#currency.wait(open, () => this.#serve(open, read));
    }
    if (!open.ended) this.#calls.watch(open);
  }

  /** Does it when this user is served, if somebody still waits for it. */
  #serve(open: OpenCall, work: () => void): void {
    const due: Due = () => {
      const { meter } = open;
      const before = meter.work;
      if (!open.ended) work();
      return meter.work - before;
    };
    const isAdmin =
      open.call.controller === undefined && this.#copy.state.users.get(userId(open.call.user))?.roles.has(Role.CELL_ADMIN) === true;
    this.#portions.add(open.call.user, due, isAdmin);
  }

  // Who may

  #accessProblem({ call }: OpenCall): string | undefined {
    const problem = accessProblem(this.#copy.state, call.method, call.user, aboutOf(call.method, call.request, call.user));
    return problem ?? controllerAccess(this.#copy.state, call);
  }

  #permitted(open: OpenCall, then: () => void): void {
    if (this.#copy.state.name === "") return this.#unavailable(open, "The cell is not ready yet: try again");
    const problem = this.#accessProblem(open);
    if (problem !== undefined) this.#fail(open, "not-permitted", problem);
    else then();
  }

  // Changes

  /** The cell decides in apply. A no from here is said only from a copy that is known to be current: an old one may not know the caller yet. */
  #change(open: OpenCall, method: Method): void {
    const go = (): void => {
      if (method.kind === "upload") this.#packages.upload(open);
      else if (method.kind === "secret") this.#secrets.set(open);
      else if (method.kind !== "change") this.#claim(open);
      else if (open.call.method === "addPackage") this.#packages.whenKept(open, () => this.#askMaster(open, method));
      else this.#askMaster(open, method);
    };
    if (this.#copy.state.name !== "" && this.#accessProblem(open) === undefined) go();
    else this.#currency.wait(open, () => this.#permitted(open, go));
  }

  #askMaster(open: OpenCall, { ask }: Extract<Method, { readonly kind: "change" }>): void {
    const { call } = open;
    this.#request(
      open,
      userRequest(call, ask(call.request as never, this.nowMs), () => this.#env.id(), this.#options.newHash),
    );
  }

  #request(open: OpenCall, op: Op, refused?: OnRefused): void {
    // A refusal is final; of a request that may be on its way already only the journal knows the outcome.
    if (this.#sent.has(op) || foresee(this.#copy.state, op) === undefined) return this.#send(open, op, refused);
    this.#currency.wait(open, () => {
      const foreseen = this.#sent.has(op) ? undefined : foresee(this.#copy.state, op);
      if (foreseen === undefined) this.#send(open, op, refused);
      else this.#fail(open, foreseen.code, foreseen.reason);
    });
  }

  /** `refused`: who hears of a refusal first, and may go on with the call. */
  #send(open: OpenCall, op: Op, refused?: OnRefused): void {
    this.#sent.add(op);
    open.meter.changes(this.#copy.state, op);
    const bytes = encodeOp(op);
    open.late = () => this.#fail(open, "unknown", `${LATE}: ${SAME_ID}`);
    this.#calls.ask<ClientAnswer>(
      open,
      this.#options.master,
      (id) => ({ type: "request", id, op: bytes }),
      (answer) => {
        if (answer.result === "done") return this.#changed(open, answer);
        if (answer.result === "refused" && refused?.(answer) === true) return undefined;
        if (answer.result === "refused") return this.#fail(open, refusalKind(this.#copy.state, op), answer.reason, answer.position);
        if (answer.result === "unavailable") return this.#unavailable(open, answer.reason, answer.retryAfterMs);
        return this.#fail(open, "unknown", `${answer.reason}: ${SAME_ID}`);
      },
    );
  }

  #changed(open: OpenCall, answer: Extract<ClientAnswer, { readonly result: "done" }>): void {
    const { method, user, request } = open.call;
    if (method === "openShell") this.#borglets.shellOpened(user, request as wire.OpenShellRequest);
    this.#answer(open, changedView(answer, kindOf(this.#copy.state, request)), answer.position);
  }

  /** Judged by the cell like any other scheduler's. A lost answer is no harm: the feed shows what became of the claims. */
  #claim(open: OpenCall): void {
    const { scheduler, claims: wanted, allOrNothing } = open.call.request as wire.ClaimTasksRequest;
    const claims = wanted.map(({ task, incarnation, place, victims, seen }) => ({ task, incarnation, place, victims, seen }));
    const op = claimOp(scheduler, claims, allOrNothing, open.call.user);
    open.late = () => this.#fail(open, "unknown", `${LATE}: the feed shows what became of the claims`);
    this.#calls.ask<ClaimsAnswer>(
      open,
      this.#options.master,
      (id) => ({ type: "claim", id, op }),
      (told) => {
        if (told.type === "claimed") this.#answer(open, claimsView(told), told.position);
        else this.#fail(open, "refused", told.reason);
      },
    );
  }

  // Reads

  #read(open: OpenCall, method: Exclude<Method, { readonly kind: "change" }>): void {
    const { call } = open;
    const problem = selectorProblem(call.request);
    if (problem !== undefined) return this.#fail(open, "bad-request", problem);
    switch (method.kind) {
      case "read": {
        const found = method.read(this.#copy, call.request as never, call.user, open.meter);
        return found.ok ? this.#answer(open, found.value) : this.#fail(open, "not-found", found.reason);
      }
      case "poll":
        return this.#poll(open, method);
      case "views":
        return this.#views.watch(open);
      case "explain":
        return this.#askFollower(
          open,
          wire.ExplanationSchema,
          explainQuestion(call.user, call.request as wire.ExplainRequest, this.nowMs),
          1,
        );
      case "check":
        return this.#askFollower(open, wire.CheckJobResponseSchema, checkQuestion(call.user, call.request as wire.CheckJobRequest), 3);
      case "log":
        return this.#borglets.readLog(open, call.request as wire.ReadLogRequest);
      case "file":
        return this.#borglets.readFile(open, call.request as wire.ReadFileRequest);
      case "usage":
        return this.#borglets.readUsage(open, call.request as wire.ReadUsageRequest);
      case "shell":
        return this.#borglets.useShell(open, call.request as wire.UseShellRequest);
      case "schedulers":
        return this.#counts.listSchedulers(open);
      case "master":
        return this.#counts.getMaster(open);
      case "joins":
        return this.#askDoor(open, (id) => ({ type: "list-joins", id }));
      case "deny": {
        const { machine, key } = call.request as wire.DenyMachineRequest;
        return this.#askDoor(open, (id) => ({ type: "deny-join", id, machine, key }));
      }
      case "edge":
        return this.#unavailable(open, "There are no pages here: ask the master that serves them (borg ui)");
      case "query":
        return this.#unavailable(open, "This master keeps no history: borg sql asks one that does");
      case "secrets":
        return this.#secrets.list(open);
      case "rotate":
        return this.#secrets.rotate(open);
      case "claims":
      case "secret":
      case "upload":
        return undefined;
    }
  }

  /** With nothing to tell it waits for the next entry; when its time is over, it says that there is nothing. */
  #poll(open: OpenCall, method: Extract<Method, { readonly kind: "poll" }>): void {
    const { waitMs } = open.call.request as { readonly waitMs: number };
    const untilMs = Math.min(this.#env.now() + waitMs, open.untilMs);
    let request: object = open.call.request;
    const look = (): void => {
      const { page, empty, next } = method.read(this.#copy, request as never, open.call.user, open.meter);
      request = next ?? request;
      if (!empty || this.#env.now() >= untilMs) return this.#answer(open, page);
      open.late = () => this.#answer(open, page);
      this.#polls.set(open, look);
    };
    look();
    if (!open.ended) this.#calls.endBy(open, untilMs);
  }

  #askFollower(
    open: OpenCall,
    schema: typeof wire.ExplanationSchema | typeof wire.CheckJobResponseSchema,
    question: (id: string) => FollowerQuestion,
    timesTheCell: number,
  ): void {
    open.meter.question(this.#copy.state, open.call.user, timesTheCell);
    this.#calls.ask<FollowerAnswer>(open, this.#options.follower, question, (told) => {
      open.unasked = undefined;
      const found = explanationOf(schema, told);
      if (found.ok) this.#answer(open, found.value);
      else this.#fail(open, "not-found", found.reason);
    });
    // What costs much is not worked out for nobody.
    open.unasked = (id) => this.#env.send(this.#options.follower, { type: "forget", id });
  }

  /** Machines that wait stand in the link's memory, those that may come in the cell's. */
  #askDoor(open: OpenCall, question: (id: string) => JoinsAsk): void {
    this.#calls.ask<JoinsAnswer>(open, this.#options.link, question, (told) =>
      this.#answer(open, told.type === "joins" ? listJoins(this.#copy, told.waiting) : make(wire.DenyMachineResponseSchema, told)),
    );
  }

  // Answers

  #answer(open: OpenCall, response: object, position = this.#copy.state.position): void {
    const ageMs = open.call.stale ? this.#ageMs() : undefined;
    this.#calls.answer(open, { type: "answered", id: open.call.id, response, position, ageMs, price: open.meter.price });
  }

  /**
   * How long ago the copy was surely current: since it was last confirmed, by the monotonic clock. Nobody knows while nothing was confirmed, as right after a start: the wall clock
   * and the stamp of the newest entry do not say it. A clock that was stepped, here or at the leader, makes a copy that misses hundreds of entries look young.
   */
  #ageMs(): number | undefined {
    const { currentMs } = this.#currency;
    const ageMs = currentMs === undefined ? undefined : Math.ceil(this.#env.now() - currentMs);
    this.#currency.refresh();
    return ageMs;
  }

  #unavailable(open: OpenCall, reason: string, retryAfterMs = RETRY_AFTER_MS): void {
    this.#calls.answer(open, failed(open.call.id, open.meter.price, "unavailable", reason, this.#copy.state.position, retryAfterMs));
  }

  #fail(open: OpenCall, code: FailureCode, reason: string, position = this.#copy.state.position): void {
    const retryAfterMs = code === "unavailable" ? RETRY_AFTER_MS : undefined;
    this.#calls.answer(open, failed(open.call.id, open.meter.price, code, reason, position, retryAfterMs));
  }
}

function failed(
  id: string,
  price: number,
  code: FailureCode,
  reason: string,
  position: number,
  retryAfterMs: number | undefined,
): ApiAnswer {
  return { type: "failed", id, code, reason, position, price, retryAfterMs };
}
