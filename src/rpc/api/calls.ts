/**
 * CellService behind Connect, gRPC and gRPC-web: who calls, is the message within its bounds, how long may it take, and how an error is
 * said. A handler sees only checked messages of known users. Nothing here knows sockets.
 */
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { codeFromString } from "@connectrpc/connect/protocol-connect";
import { type Checks, checker } from "../../wire/check.ts";
import { CallProblemSchema, CellService } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Bounds } from "../bounds.ts";
import { CallError, CONNECT_CODES } from "../call-error.ts";
import type { Call, CallBounds, CellHandlers, Identity } from "../service.ts";
import { Budgets, type Spender } from "./budgets.ts";
import { isPlain } from "./compressed.ts";
import { Gate, LOOK_MS } from "./gate.ts";
import { OVER } from "./over.ts";
import { type BinaryScan, binaryScan } from "./scan-binary.ts";

/** The caller a token stands for; undefined for a token nobody has. */
export type Identify = (token: string) => Identity | undefined | Promise<Identity | undefined>;

export interface CallsOptions {
  readonly handlers: CellHandlers;
  readonly identify: Identify;
  readonly bounds: Bounds;
  readonly boundsOf?: (user: string) => CallBounds | undefined;
  readonly log: (line: string) => void;
}

/** One call's way through Connect. Whoever begins one ends it. */
export interface CallState extends Caller {
  /** Set when the caller is known. */
  entered: string | undefined;
  controller: string | undefined;
  /** What was taken of the caller's budget; undefined: it has none. */
  paid: Paid | undefined;
  /** Its answer has no text that a user chose. */
  isPlain: boolean;
}

interface Paid {
  readonly method: string;
  readonly by: Spender;
  readonly taken: number;
  /** Once it is known. */
  price: number | undefined;
}

/** Who calls, as far as the connection tells. */
export interface Caller {
  readonly token: string | undefined;
  /** Whose connection it is: a call without a token is this user's. */
  readonly user: string | undefined;
  /** Whose page it is that calls. */
  readonly session: Identity | undefined;
  readonly timeoutMs: number | undefined;
  /** How long the body is said to be; without a length it counts as the longest. */
  readonly bytes: number;
  /** On a connection of the reserve. */
  readonly isReserve: boolean;
}

export interface Served {
  readonly handle: UniversalHandler;
  readonly scan: BinaryScan;
}

type Unary = DescMethodUnary;
type Handler = (request: MessageShape<Unary["input"]>, call: Call) => MessageInitShape<Unary["output"]>;

const STATE = createContextKey<CallState | undefined>(undefined);
const NEXT_STEP = 'Run "borg token create --user NAME" as the owner of the cell, and send it as "Authorization: Bearer TOKEN"';
/** For one who has too many calls in progress. */
const RETRY_MS = 1000;
const MESSAGE_LENGTH_MAX = 2048;
/** What a unit of work is of the API's thread. */
const UNIT_MS = 2;
const FEED_HINT = "Follow what changes (ReadFeed, borg events -f) instead of listing again";

export class Calls {
  /** By path: /borg.v1.CellService/Method. */
  readonly methods: ReadonlyMap<string, Served>;
  readonly #options: CallsOptions;
  readonly #checks: Checks = new Map();
  readonly #inProgress = new Map<string, number>();
  readonly #polls = new Map<string, number>();
  readonly #budgets: Budgets;
  readonly #gate: Gate;
  #held = 0;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#gate = new Gate(options.bounds, () => performance.now());
    setInterval(() => this.#gate.look(), LOOK_MS).unref();
    this.#budgets = new Budgets(options.bounds);
    const router = createConnectRouter({
      acceptCompression: [],
      jsonOptions: { ignoreUnknownFields: false },
      requestGate: (context) => this.#enter(context),
    });
    for (const method of CellService.methods) router.rpc(method as Unary, this.#implementation(method as Unary));
    this.methods = new Map(
      router.handlers.map((handle) => [handle.requestPath, { handle, scan: binaryScan(handle.method.input) }] as const),
    );
  }

  begin(caller: Caller): { readonly state: CallState; readonly values: ContextValues } {
    const state: CallState = { ...caller, entered: undefined, controller: undefined, paid: undefined, isPlain: false };
    return { state, values: createContextValues().set(STATE, state) };
  }

  end({ entered: user, paid }: CallState): void {
    if (user === undefined) return;
    if (paid !== undefined) {
      const { method, by, taken, price = taken } = paid;
      this.#budgets.settle(by, method, taken, price);
    }
    const left = this.#inProgress.get(user)! - 1;
    if (left === 0) this.#inProgress.delete(user);
    else this.#inProgress.set(user, left);
  }

  /** The body is read: one without a length has paid for the longest there is. */
  received({ entered: user, bytes, paid }: CallState, received: number): void {
    if (user !== undefined && paid !== undefined) this.#budgets.giveBack(paid.by, this.#workOf(bytes) - this.#workOf(received));
  }

  #workOf(bytes: number): number {
    return Math.floor(bytes / this.#options.bounds.workBytes);
  }

  /** Before a byte of the body is read: who calls, and may they now. Throws a CallError; whoever begins the call ends it either way. */
  async enter(state: CallState, method: string): Promise<Identity> {
    if (state.token === undefined && state.user === undefined && state.session === undefined)
      throw new CallError("unauthenticated", "Expected a token", { hint: NEXT_STEP });
    const identity = state.session ?? (await this.#callerOf(state));
    if (identity === undefined)
      throw new CallError("unauthenticated", "Cannot find the user of this token: it may be revoked", { hint: NEXT_STEP });
    if (state.isReserve && identity.isAdmin !== true)
      throw new CallError("unavailable", "Every connection of the cell is busy, and the last ones are for admins: try again in 1 s", {
        retryAfterMs: RETRY_MS,
      });
    this.#beginCall(state, identity.user);
    state.controller = identity.controller;
    if (state.user === undefined && identity.isAdmin !== true && !(await this.#gate.enter()))
      throw new CallError("unavailable", "The cell is busy: try again in 1 s", { retryAfterMs: RETRY_MS });
    if (state.user === undefined) await this.#pay(state, identity, method);
    return identity;
  }

  #beginCall(state: CallState, user: string): void {
    const calls = this.#inProgress.get(user) ?? 0;
    const own = this.#boundsOf(user).calls;
    if (calls >= (state.user === undefined ? own : Math.max(own, this.#options.bounds.callsOfOwner)))
      throw new CallError(
        "unavailable",
        `User "${user}" has ${calls} calls in progress already: wait for one of them${orMore(user, "calls")}`,
        {
          retryAfterMs: RETRY_MS,
        },
      );
    this.#inProgress.set(user, calls + 1);
    state.entered = user;
  }

  #boundsOf(user: string): CallBounds {
    const { callsPerUser, pollsPerUser, workPerSecond } = this.#options.bounds;
    const own = this.#options.boundsOf?.(user);
    return {
      calls: own?.calls || callsPerUser,
      polls: own?.polls || pollsPerUser,
      workPerSecond: own?.workPerSecond || workPerSecond,
    };
  }

  async #enter(context: HandlerContext): Promise<void> {
    try {
      await this.enter(context.values.get(STATE)!, context.method.localName);
    } catch (error) {
      throw error instanceof CallError ? connectError(error) : error;
    }
  }

  /** From the caller's budget. Whoever has spent it waits for the refusal: a call in progress that costs nothing. */
  async #pay(state: CallState, { user, isAdmin = false }: Identity, method: string): Promise<void> {
    const taken = this.#budgets.expected(method);
    const { workPerSecond } = this.#boundsOf(user);
    const by: Spender = { user, isAdmin, workPerSecond };
    const waitMs = this.#budgets.take(by, taken + this.#workOf(state.bytes), performance.now());
    if (waitMs === 0) {
      state.paid = { method, by, taken, price: undefined };
      return;
    }
    await this.#hold(Math.min(waitMs, this.#options.bounds.heldMs));
    const share = Math.round((workPerSecond * UNIT_MS) / 10);
    const seconds = Math.ceil(waitMs / 1000);
    throw new CallError(
      "unavailable",
      `Slow down: user "${user}" has asked for its share of the API's time (${share} %, less while others ask for much); try again in ${seconds} s${orMore(user, "work")}`,
      { retryAfterMs: waitMs, hint: FEED_HINT },
    );
  }

  async #hold(ms: number): Promise<void> {
    if (this.#held >= this.#options.bounds.heldCalls) return;
    this.#held += 1;
    await new Promise((resolve) => setTimeout(resolve, ms).unref());
    this.#held -= 1;
  }

  async #callerOf({ token, user }: CallState): Promise<Identity | undefined> {
    return token === undefined ? { user: user as string } : this.identify(token);
  }

  async identify(token: string): Promise<Identity | undefined> {
    const timer = lateAfter(this.#options.bounds.callMs);
    try {
      return await Promise.race([this.#options.identify(token), timer.late]);
    } catch (error) {
      throw this.#problemOf("identify", error);
    } finally {
      timer.stop();
    }
  }

  #implementation(
    method: Unary,
  ): (request: MessageShape<Unary["input"]>, context: HandlerContext) => Promise<MessageInitShape<Unary["output"]>> {
    const check = checker(method.input, this.#checks);
    const handler = this.#options.handlers[method.localName as keyof CellHandlers] as unknown as Handler;
    return async (request, context) => {
      const problem = check(request);
      if (problem !== undefined) throw connectError(new CallError("bad-request", `Cannot take ${method.input.name}${problem}`));
      const state = context.values.get(STATE)!;
      const { entered: user, controller, session, timeoutMs, paid } = state;
      state.isPlain = isPlain(method.localName, request);
      const charge = (price: number): void => {
        if (paid !== undefined) paid.price = price;
      };
      const { requestId, waitMs } = request as { readonly requestId?: string; readonly waitMs?: number };
      const { callMs, callMsMax } = this.#options.bounds;
      const isPoll = waitMs !== undefined && waitMs > 0;
      if (isPoll) this.#beginPoll(user!);
      const deadlineMs = Math.min(timeoutMs ?? callMs + (waitMs ?? 0), callMsMax);
      const own = new AbortController();
      const signal = AbortSignal.any([context.signal, own.signal]);
      const stale = context.requestHeader.get("borg-stale") === "true";
      const known = { user: user!, ...(controller === undefined ? {} : { controller }), ...(requestId ? { requestId } : {}) };
      const call: Call = { ...known, isPage: session !== undefined, deadlineMs, stale, shown: shownIn(context), charge, signal };
      const timer = lateAfter(deadlineMs);
      try {
        return await Promise.race([handler(request, call), timer.late]);
      } catch (error) {
        throw connectError(this.#problemOf(method.name, error));
      } finally {
        timer.stop();
        own.abort(OVER);
        if (isPoll) this.#endPoll(user!);
      }
    };
  }

  #beginPoll(user: string): void {
    const polls = (this.#polls.get(user) ?? 0) + 1;
    if (polls > this.#boundsOf(user).polls)
      throw connectError(
        new CallError(
          "unavailable",
          `User "${user}" waits for news in ${polls - 1} calls already: end one of them first${orMore(user, "polls")}`,
          {
            retryAfterMs: RETRY_MS,
          },
        ),
      );
    this.#polls.set(user, polls);
  }

  #endPoll(user: string): void {
    const left = this.#polls.get(user)! - 1;
    if (left === 0) this.#polls.delete(user);
    else this.#polls.set(user, left);
  }

  /** What the caller is told of an error: everything of a CallError, nothing of a bug. */
  #problemOf(where: string, error: unknown): CallError {
    if (error instanceof CallError) return error;
    this.#options.log(`${where} failed: ${error instanceof Error ? error.stack : String(error)}`);
    return new CallError("internal", `Cannot do ${where}: the cell has a bug here, its log says more`);
  }
}

/** Who may change the bound that somebody has reached. */
const orMore = (user: string, option: string): string => `, or an admin raises it (borg quota bounds ${user} --${option} N)`;

function shownIn({ responseHeader }: HandlerContext): Call["shown"] {
  return (position, ageMs) => {
    responseHeader.set("borg-position", String(position));
    if (ageMs !== undefined) responseHeader.set("borg-age-ms", String(ageMs));
  };
}

function lateAfter(ms: number): { readonly late: Promise<never>; readonly stop: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(new CallError("unknown", `No answer within ${ms} ms`, { hint: "Ask again with the same request id" }));
  // A call that nobody waits for does not keep a closed server alive.
  const timer = setTimeout(late, ms).unref();
  return { late: promise, stop: () => clearTimeout(timer) };
}

export function connectError(error: CallError): ConnectError {
  const { hint, retryAfterMs } = error;
  const metadata = retryAfterMs === undefined ? undefined : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
  const value = { hint: hint ?? "", retryAfterMs: retryAfterMs ?? 0 };
  const details = hint === undefined && retryAfterMs === undefined ? [] : [{ desc: CallProblemSchema, value }];
  const code = codeFromString(CONNECT_CODES[error.code]) ?? Code.Internal;
  return new ConnectError(error.message.slice(0, MESSAGE_LENGTH_MAX).toWellFormed(), code, metadata, details);
}
