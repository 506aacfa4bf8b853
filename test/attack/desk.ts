/** The API's actor over a cell in memory, for attacks of known users: every call is answered, by the actor itself or by stand-ins that ask the same code. */
import { userOfToken } from "../../src/borgmaster/api/identify.ts";
import type { ApiAnswer, ApiCall, BorgletAsk, FromApi, JoinWaiting } from "../../src/borgmaster/api/message.ts";
import { checkJob, whyOf } from "../../src/borgmaster/api/why.ts";
import { Api } from "../../src/borgmaster/api.ts";
import { applyEntry, newState, type Outcome } from "../../src/cell/cell.ts";
import { encodeEntry, makeEntry, masterOp, type Op, schedulerOp, unseal, userOp } from "../../src/cell/op.ts";
import type { CellState } from "../../src/cell/state.ts";
import { ToyVault } from "../../src/fauxmaster/world/toy-vault.ts";
import { decode, encode, type Init, make } from "../../src/wire/codec.ts";
import {
  CheckJobResponseSchema,
  ExplanationSchema,
  OpenShellRequestSchema,
  ReadFeedRequestSchema,
} from "../../src/wire/gen/borg/v1/api_pb.ts";
import { FileChunkSchema, LogChunkSchema, ShellChunkSchema } from "../../src/wire/gen/borg/v1/link_pb.ts";
import { UsageSchema } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Capability, Role, type UserGrantSchema } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { Band, ResourcesSchema } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { JobSpecSchema } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { TestEnv } from "../borgmaster/test-env.ts";
import { furnish, hashOf, LOG, SECRETS, SHELL } from "./furniture.ts";

const GIB = 2 ** 30;
/** Of a grant: what is not named goes. */
export const TAKING_AWAY = { only: true };

/** Of a secret of ann's: nobody sees it in any answer. */
export const SECRET_VALUE = "hushed for everybody";

const LABELS = [{ key: "team", value: "shop" }];

const WAITING: JoinWaiting = {
  machine: "stranger",
  key: "ef".repeat(32),
  capacity: make(ResourcesSchema, { cpuMilli: 1, ramBytes: 2, diskBytes: 3, diskBandwidth: 4, extras: [{ name: "gpu", amount: 1 }] }),
  address: "127.0.0.1",
  sinceMs: 1,
};

/** Who tries. A caller without a role, ended and revoked tokens stand for themselves. */
const GRANTS: readonly Init<typeof UserGrantSchema>[] = [
  { user: "viewer", roles: [Role.VIEWER] },
  { user: "ann", roles: [Role.USER], labels: { labels: LABELS } },
  { user: "ann1", roles: [Role.USER] },
  { user: "reader", roles: [Role.VIEWER], capabilities: [Capability.READ_ANY_JOB] },
  { user: "modifier", roles: [Role.VIEWER], capabilities: [Capability.MODIFY_ANY_JOB] },
  { user: "sched", roles: [Role.VIEWER], capabilities: [Capability.SCHEDULE] },
  { user: "other-sched", roles: [Role.VIEWER], capabilities: [Capability.SCHEDULE] },
  { user: "quota", roles: [Role.QUOTA_ADMIN] },
];

export const CALLERS: readonly string[] = ["nobody", ...GRANTS.map(({ user }) => user as string), "admin"];

export class AttackedCell {
  readonly env = new TestEnv<FromApi>();
  readonly vault = new ToyVault(() => 0.5);
  readonly api = new Api(this.env, {
    master: "master",
    follower: "follower",
    link: "link",
    packages: "packages",
    vault: this.vault,
    counters: "counters",
    threads: ["service"],
  });
  readonly state: CellState = newState();
  /** Every claim as the cell was asked for it. */
  readonly claims: Op[] = [];
  /** Where the feed of its items begins. */
  readonly fedFrom: number;
  #calls = 0;

  constructor() {
    this.api.onMessage("master", { type: "restore", position: 0, checkpoint: undefined });
    const admin = (body: Parameters<typeof userOp>[2]): Outcome => this.#must(userOp("admin", "", body));
    this.#must(masterOp({ case: "cellInit", value: { cell: "cc", owner: "admin" } }));
    for (const version of [2, 3, 4, 5, 6, 7, 8]) this.#must(masterOp({ case: "cellVersion", value: { version } }));
    for (const value of GRANTS) admin({ case: "userGrant", value });
    // From here on items are kept.
    this.call("readFeed", "admin", make(ReadFeedRequestSchema, {}));
    this.fedFrom = this.state.position + 1;
    for (const [name, user] of [
      ["service", ""],
      ["mine", "sched"],
    ] as const)
      admin({ case: "schedulerSet", value: { name, limits: { priorityMax: 450, user } } });
    for (const user of ["ann", "admin"]) admin({ case: "tokenSet", value: { user, hash: hashOf(`token of ${user}`), label: "home" } });
    admin({ case: "tokenSet", value: { user: "ann", hash: hashOf("ended"), untilMs: this.env.wallMs + 1 } });
    admin({ case: "tokenSet", value: { user: "ann", hash: hashOf("revoked") } });
    admin({ case: "tokenRevoke", value: { user: "ann", id: hashOf("revoked").slice(0, 12) } });
    const facts = { capacity: { cpuMilli: 4000, ramBytes: 8 * GIB }, portFirst: 20_000, portLast: 20_099, host: "127.0.0.1", rack: "r1" };
    const large = { cpuMilli: 64_000, ramBytes: 64 * GIB, diskBytes: 64 * GIB, diskBandwidth: 1e6, extras: [{ name: "gpu", amount: 20 }] };
    const more = {
      ...{ capacity: large, attributes: [{ key: "arch", value: "x64" }], powerDomain: "p1", coreSpeedPermille: 1100 },
      ...{ volumes: [{ user: "ann", name: "data" }], devices: [{ name: "gpu", unit: 1 }], packages: [`ann/own@${hashOf("own")}`] },
    };
    this.#must(masterOp({ case: "machineJoin", value: { machine: "m1", facts: { ...facts, ...more } } }));
    const approval = {
      capacity: { cpuMilli: 1000, ramBytes: GIB, diskBytes: GIB, diskBandwidth: 1, extras: [{ name: "gpu", amount: 1 }] },
      key: "cd".repeat(32),
    };
    for (const machine of ["far", "later"]) admin({ case: "machineApprove", value: { machine, approval, untilMs: this.env.wallMs + 1e6 } });
    this.#must(masterOp({ case: "machineJoin", value: { machine: "far", facts, key: approval.key } }));
    const limit = {
      cpuMilli: 30_000,
      ramBytes: 30 * GIB,
      diskBytes: 30 * GIB,
      diskBandwidth: 500_000,
      extras: [{ name: "gpu", amount: 8 }],
    };
    const little = { cpuMilli: 1000, ramBytes: 3 * GIB };
    for (const [user, most] of [
      ["ann", limit],
      ["ann1", little],
    ] as const)
      admin({ case: "quotaSet", value: { user, band: Band.PRODUCTION, quota: { limit: most } } });
    for (const [name, shared] of [
      ["own", false],
      ["lent", true],
    ] as const)
      this.#must(
        userOp("ann", "", {
          case: "packageAdd",
          value: { user: "ann", name, digest: hashOf(name), bytes: 5, shared, labels: { labels: LABELS } },
        }),
      );
    const place = { cell: "cc", owner: "ann", name: SECRETS[5], version: 1 };
    const sealed = { ...this.vault.seal(new TextEncoder().encode(SECRET_VALUE), place) };
    this.#must(
      userOp("ann", "", { case: "secretSet", value: { user: "ann", name: SECRETS[5], version: 1, sealed, labels: { labels: LABELS } } }),
    );
    furnish({ state: this.state, must: (op) => this.#must(op) });
    const used = { cpuMilli: 50, ramBytes: GIB / 2 };
    const usage = [make(UsageSchema, { instance: this.state.jobs.get("ann/web" as never)!.tasks[0]!.instance!.id, last: used })];
    this.api.onMessage("link", { type: "usage", machines: [{ machine: "m1", usage, waiting: [] }] });
    const { id } = this.state.jobs.get("ann/web" as never)!.tasks[0]!.instance!;
    this.call("openShell", "ann", make(OpenShellRequestSchema, { requestId: SHELL, instance: id }));
  }

  entry(op: Op): Outcome {
    const entry = makeEntry(this.env.wallMs, [op]);
    const position = this.state.position + 1;
    const [outcome] = applyEntry(this.state, position, entry);
    this.api.onMessage("master", { type: "entry", position, payload: encodeEntry(entry) });
    return outcome!;
  }

  #must(op: Op): Outcome {
    const outcome = this.entry(op);
    if (!outcome.ok) throw new Error(outcome.reason);
    return outcome;
  }

  identify(token: string): string | undefined {
    return userOfToken(this.api.state, hashOf(token), this.env.wallMs + 2);
  }

  /** The instance of a controller of ann's for these jobs, which runs. */
  controller(...jobs: readonly string[]): string {
    const spec = { user: "ann", name: "boss", count: 1, priority: 119, task: { command: ["x"], controller: { jobs: [...jobs] } } };
    this.#must(userOp("ann", "", { case: "jobSubmit", value: { spec } }));
    const { incarnation } = this.state.jobs.get("ann/boss" as never)!.tasks[0]!;
    const claims = [{ task: "ann/boss/0", incarnation, place: "m1" }];
    this.#must(schedulerOp("service", { case: "taskClaims", value: { claims } }));
    return this.state.jobs.get("ann/boss" as never)!.tasks[0]!.instance!.id;
  }

  /** `controller`: whose token is shown. */
  call(method: ApiCall["method"], user: string, request: object, stale = false, controller?: string): ApiAnswer {
    this.#calls += 1;
    const who = { user, ...(controller === undefined ? {} : { controller }) };
    const call = { type: "call", id: `c${this.#calls}`, method, ...who, request, requestId: "", deadlineMs: 5000, stale } as const;
    this.api.onMessage("caller", call);
    for (;;) {
      for (const { to, message } of this.env.take()) {
        if (to === "caller") return message as ApiAnswer;
        this.#answer(message);
      }
    }
  }

  #answer(asked: FromApi): void {
    const hear = (message: object): void => this.api.onMessage("others", message as never);
    const { position } = this.state;
    if (asked.type === "confirm") hear({ type: "confirmed", id: asked.id, position });
    else if (asked.type === "request") {
      const outcome = this.entry(opened(asked.op));
      const told = { type: "answer", id: asked.id, position: this.state.position };
      hear(outcome.ok ? { ...told, result: "done", answer: outcome.answer } : { ...told, result: "refused", reason: outcome.reason });
    } else if (asked.type === "claim") {
      this.claims.push(opened(asked.op));
      const outcome = this.entry(this.claims.at(-1)!);
      if (!outcome.ok) hear({ type: "not-claimed", id: asked.id, reason: outcome.reason });
      else hear({ type: "claimed", id: asked.id, position, answers: outcome.answer.type === "claims" ? outcome.answer.claims : [] });
    } else if (asked.type === "explain") {
      const found = whyOf(this.state, asked.name);
      if (found.ok) hear({ type: "explained", id: asked.id, payload: encode(ExplanationSchema, found.value) });
      else hear({ type: "not-explained", id: asked.id, reason: found.reason });
    } else if (asked.type === "check-job") {
      const spec = decode(JobSpecSchema, asked.spec, 2 ** 24);
      if (!spec.ok) throw new Error(spec.reason);
      hear({ type: "explained", id: asked.id, payload: encode(CheckJobResponseSchema, checkJob(this.state, asked.user, spec.value)) });
    } else if (asked.type === "ask-borglet") {
      hear({ type: "borglet-said", id: asked.id, chunk: chunkOf(asked.about) });
    } else if (asked.type === "count-process") hear({ type: "process", id: asked.id, view: { role: "leading", term: 1 } });
    else if (asked.type === "count-links") hear({ type: "links", id: asked.id, links: 1, polls: 2 });
    else if (asked.type === "list-joins") hear({ type: "joins", id: asked.id, waiting: [WAITING] });
    else if (asked.type === "deny-join") hear({ type: "denied", id: asked.id, denied: 1 });
    else if (asked.type === "package-put") hear({ type: "package-received", id: asked.id, received: 3, kept: false });
    else if (asked.type === "package-kept") hear({ type: "package-received", id: asked.id, received: 0, kept: true });
    else if (asked.type === "count-steps") hear({ type: "steps", id: asked.id, busyMs: 1, upMs: 2 });
  }
}

function opened(bytes: Uint8Array): Op {
  const found = unseal(bytes);
  if (!found.ok) throw new Error(found.reason);
  return found.value.op;
}

/** What a borglet would say, with a secret in it. */
function chunkOf(about: BorgletAsk["about"]): Uint8Array {
  const data = new TextEncoder().encode(LOG);
  if (about === "log")
    return encode(
      LogChunkSchema,
      make(LogChunkSchema, { offset: 5, data, ended: true, marks: [{ offset: 7, fromMs: 1, toMs: 2 }], timed: true }),
    );
  if (about === "file")
    return encode(
      FileChunkSchema,
      make(FileChunkSchema, { kind: 1, bytes: 10, data, entries: [{ name: LOG, kind: 1, bytes: 1, modifiedMs: 1 }], more: true }),
    );
  const said = { output: data, outputAt: 1, errors: data, errorsAt: 1, inputTaken: 1, ended: true, code: 1, signal: "SIGKILL" };
  return encode(ShellChunkSchema, make(ShellChunkSchema, { said }));
}
