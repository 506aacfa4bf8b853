/**
 * The API thread of a master: the port that users speak to, and the API's actor with its copy of the cell. It turns an HTTP call into a message and
 * the actor's answer into a response; everything else is the actor's. The master's own thread never parses a request.
 */
import { createHash } from "node:crypto";
import { workerData } from "node:worker_threads";
import { userId } from "../../base/id.ts";
import { accessProblem } from "../../borgmaster/api/access.ts";
import { type Door, notForControllers } from "../../borgmaster/api/controllers.ts";
import { type MayJoin, mayJoin, userOfToken } from "../../borgmaster/api/identify.ts";
import type { ApiAnswer, PackageAnswer, PackageAsk, ToApi } from "../../borgmaster/api/message.ts";
import { METHODS, mayBePaged } from "../../borgmaster/api/methods.ts";
import { digestsOf } from "../../borgmaster/api/packages.ts";
import { historyOf } from "../../borgmaster/api/veil.ts";
import { Api } from "../../borgmaster/api.ts";
import { Packer, unpack } from "../../borgmaster/packing.ts";
import { CallError } from "../../rpc/call-error.ts";
import { FrontDoor } from "../../rpc/front-door.ts";
import { type ApiListener, ApiServer, type PageSessions } from "../../rpc/server.ts";
import type { Call, CellHandlers, Identity } from "../../rpc/service.ts";
import { Sessions } from "../../rpc/sessions.ts";
import { ActorHost } from "../../shell/actor-host.ts";
import { newNativeSha256 } from "../../shell/native-sha256.ts";
import { openThread, type ThreadSide } from "../../shell/thread-side.ts";
import { Pages } from "../../sigma/pages.ts";
import { make } from "../../wire/codec.ts";
import { CellService, GetCellRequestSchema, type RunQueryRequest } from "../../wire/gen/borg/v1/api_pb.ts";
import { Role } from "../../wire/gen/borg/v1/op_pb.ts";
import { PackageRefusal, PackageStore } from "../package-store.ts";
import { PeerEye } from "../peer-keys.ts";
import type { LeaderLetter } from "../replica-seat.ts";
import { FileVault } from "../vault.ts";
import { API, FOLLOWER, LINK, MASTER, PACKAGES, PROCESS } from "./addresses.ts";
import { ChangeLog } from "./change-log.ts";
import { LeaderLine } from "./leader-line.ts";
import { type DnsData, serveDns } from "./names.ts";
import { patienceMs } from "./patience.ts";
import { type Page, Questions } from "./questions.ts";
import { SharedWork } from "./shared-work.ts";

export interface ApiThreadData {
  readonly listeners: readonly ApiListener[];
  readonly hosts: readonly string[];
  /** Where it alone is asked: a session of a browser is in the memory of one master. */
  readonly pagePort: number;
  /** The user who is behind the cell's Unix sockets. */
  readonly owner: string;
  /** Where programs of the owner reach the API. */
  readonly socket: string;
  readonly schedulers: readonly string[];
  /** Where packages are kept. */
  readonly packages: string;
  /** Where the keys of secrets are. */
  readonly secrets: string;
  /** The directory in which the process that keeps the history listens. */
  readonly questions: string;
  /** Where tasks of controllers reach the API. */
  readonly door: Door;
  /** Where names are told by DNS; undefined: nowhere. */
  readonly dns: DnsData | undefined;
  /** It is one of several. */
  readonly isReplica: boolean;
  /** How many masters the cell has on several machines; undefined: all are on this one, and have one file of keys. */
  readonly mastersOnMachines: number | undefined;
}

/** A copy that is not current after so long: its master does not lead, or cannot tell. */
const CURRENT_MS = 10_000;
const SWEEP_MS = 600_000;
/** So often it takes keys of secrets that other machines' masters have, and sees who has a new one. */
const KEYS_MS = 1000;
/** Who asks while nobody leads is answered in words after so long. */
const PARK_MS = 1000;

/** The address under which the server calls the actor. */
const SERVER = "server";

const data = workerData as ApiThreadData;

/** Pages are for people. */
function personOf(method: "openUi" | "endUi" | "runQuery", { user, controller }: Call): string {
  if (controller !== undefined) throw new CallError("not-permitted", notForControllers(controller, method));
  return user;
}

const peerEye = (): PeerEye | undefined =>
  data.mastersOnMachines === undefined ? undefined : new PeerEye(data.secrets, data.mastersOnMachines, () => performance.now());

interface Waiting {
  readonly method: string;
  readonly request: object;
  readonly call: Call;
  readonly resolve: (response: object) => void;
  readonly reject: (error: CallError) => void;
}

class ApiThread {
  readonly #host: ActorHost;
  readonly #packer = new Packer();
  /** By the id of the call. The actor answers every one by its deadline, so this is as bounded as its own calls are. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #side: ThreadSide;
  readonly #packages = new PackageStore(data.packages);
  readonly #questions = new Questions(data.questions);
  readonly #sessions = new Sessions(() => performance.now());
  readonly #vault = new FileVault(data.secrets, { ifMissing: data.isReplica ? "wait" : "make", peers: peerEye() });
  readonly #changes = new ChangeLog((line, more) => this.#side.log(line, more));
  readonly #frontDoor = data.isReplica ? new FrontDoor({ parkMs: PARK_MS, late: "answer" }) : undefined;
  readonly #line = new LeaderLine(data.owner);
  /** Why nothing is changed here; undefined while this replica leads, or is alone. */
  #standsBy: string | undefined = data.isReplica ? "This replica starts" : undefined;
  readonly #pages: Pages;
  #keysProblem = "";
  #api!: Api;
  #last = 0;

  /** Strangers may come in crowds, with tokens that nobody has. */
  readonly #isCurrent = new SharedWork(() => this.#current());

  constructor(side: ThreadSide) {
    this.#side = side;
    this.#pages = new Pages((line) => side.log(line));
    this.#host = new ActorHost({
      route: (from, to, message) => this.#route(side, from, to, message as object),
      log: (line) => side.log(line),
      crash: (error) => side.fail(`The API failed: ${error instanceof Error ? error.stack : String(error)}`),
    });
    this.#host.add(API, (env) => {
      this.#api = new Api(env as never, {
        master: MASTER,
        follower: FOLLOWER,
        link: LINK,
        packages: PACKAGES,
        vault: this.#vault,
        door: data.door,
        counters: PROCESS,
        threads: data.schedulers,
        newHash: newNativeSha256,
      });
      return this.#api;
    });
    this.#host.start();
  }

  async listen(log: (line: string) => void): Promise<ApiServer> {
    const methods = Object.keys(METHODS) as (keyof CellHandlers)[];
    const handlers = Object.fromEntries(
      methods.map((method) => [method, (request: object, call: Call) => this.#call(method, request, call)]),
    ) as unknown as CellHandlers;
    const own: Partial<CellHandlers> = {
      openUi: (_, call) => this.#openUi(personOf("openUi", call)),
      runQuery: (request, call) => this.#runQuery(request, personOf("runQuery", call)),
      endUi: (_, call) => ({ sessions: this.#sessions.end(personOf("endUi", call)) }),
    };
    const paged = methods.filter(mayBePaged).map((method) => `/${CellService.typeName}/${CellService.method[method].name}`);
    const sessions: PageSessions = {
      enter: (link) => {
        const entered = this.#sessions.enter(link);
        if (entered === undefined || entered === "full") return entered;
        return { ...entered, way: entered.user === data.owner ? { socket: data.socket } : { url: data.door.url } };
      },
      identify: (key) => this.#identityOf(this.#sessions.user(key)),
      methods: new Set(paged),
    };
    return ApiServer.listen({
      ...data,
      handlers: { ...handlers, ...own },
      identify: (token) => this.#identify(token),
      boundsOf: (user) => this.#api.state.users.get(userId(user))?.bounds,
      pages: (path) => this.#pages.at(path),
      sessions,
      frameworks: this.#api.frameworks,
      door: this.#frontDoor,
      log,
    });
  }

  /** For browsers of this machine: the port is bound to loopback. A standby that has just begun knows nobody yet, so its copy is confirmed first. */
  async #openUi(user: string): Promise<{ url: string; ttlMs: number }> {
    await this.#isCurrent.done();
    const problem = accessProblem(this.#api.state, "openUi", user, "");
    if (problem !== undefined) throw new CallError("not-permitted", problem);
    // The browser comes in a moment.
    this.#pages.prepare();
    const { link, ttlMs } = this.#sessions.open(user);
    return { url: `http://${data.hosts[0]}:${data.pagePort}/#link=${link}`, ttlMs };
  }

  /** What it may see is decided when it asks, by a copy that is known to be current; the rest of an answer is only for who began it. */
  async #runQuery(request: RunQueryRequest, user: string): Promise<Page> {
    await this.#isCurrent.done();
    const { state } = this.#api;
    const problem = accessProblem(state, "runQuery", user, "");
    if (problem !== undefined) throw new CallError("not-permitted", problem);
    if (request.more !== "") return this.#questions.more(user, request.more);
    const scope = historyOf(state, user);
    return this.#questions.ask(user, { sql: request.sql, parquet: request.parquet, scope, trusted: scope.audit });
  }

  hear(from: string, body: Readonly<Record<string, unknown>>): void {
    if (body["type"] === "may-join") this.#side.send(API, from, mayJoin(this.#api.state, body as unknown as MayJoin, this.#api.nowMs));
    else if (body["type"] === "leader") this.#onLeader(body as unknown as LeaderLetter);
    else this.#host.deliver(from, API, unpack(body));
  }

  /** Whoever led before may have changed the keys of secrets. */
  #onLeader({ leader, words }: LeaderLetter): void {
    if (leader === "self") this.reloadKeys();
    this.#standsBy = leader === "self" ? undefined : words;
    this.#frontDoor?.leads(leader);
    this.#line.leads(leader);
  }

  /** A file that cannot be read is said once, and what is in memory goes on. */
  reloadKeys(): void {
    let problem = "";
    try {
      this.#vault.reload();
    } catch (error) {
      problem = `Cannot take over keys of secrets: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (problem !== "" && problem !== this.#keysProblem) this.#side.log(problem);
    this.#keysProblem = problem;
  }

  stop(): void {
    this.#frontDoor?.close();
    this.#line.close();
    this.#host.stop();
  }

  #call(method: keyof CellHandlers, request: object, call: Call): Promise<object> {
    if (this.#line.takes(method, call)) return this.#line.ask(method, request, call);
    const { promise, resolve, reject } = Promise.withResolvers<object>();
    this.#last += 1;
    const id = String(this.#last);
    this.#waiting.set(id, { method, request, call, resolve, reject });
    const { user, controller, deadlineMs, stale, requestId = "" } = call;
    const who = { user, ...(controller === undefined ? {} : { controller }) };
    this.#deliver({ type: "call", id, method, ...who, request, requestId, deadlineMs, stale });
    call.signal.addEventListener("abort", () => {
      if (this.#waiting.delete(id)) this.#deliver({ type: "cancel", id });
    });
    return promise;
  }

  /** The names of its copy, by DNS. */
  serveDns(): { close(): Promise<void> } | undefined {
    return data.dns === undefined
      ? undefined
      : serveDns(
          data.dns,
          () => this.#api.state,
          () => this.#standsBy === undefined,
          (line) => this.#side.log(line),
        );
  }

  #deliver(message: ToApi): void {
    this.#host.deliver(SERVER, API, message);
  }

  #route(side: ThreadSide, from: string, to: string, message: object): void {
    if (to === SERVER) return this.#answer(message as ApiAnswer);
    if (to === PACKAGES) return void this.#askPackages(message as PackageAsk);
    const { body, bytes } = this.#packer.pack(message);
    side.send(from, to, body, bytes, patienceMs(to, message));
  }

  #answer(answer: ApiAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    this.#waiting.delete(answer.id);
    this.#changes.ended(waiting, answer);
    waiting.call.charge(answer.price);
    if (answer.type === "answered") {
      waiting.call.shown(answer.position, answer.ageMs);
      waiting.resolve(answer.response);
    } else {
      const { code, retryAfterMs } = answer;
      const reason = code === "unavailable" ? (this.#standsBy ?? answer.reason) : answer.reason;
      waiting.reject(new CallError(code, reason, retryAfterMs === undefined ? {} : { retryAfterMs }));
    }
  }

  async #askPackages(ask: PackageAsk): Promise<void> {
    const answer = (told: PackageAnswer): void => this.#deliver(told);
    const { id } = ask;
    try {
      const found = ask.type === "package-put" ? await this.#packages.put(ask) : { received: 0, kept: await this.#packages.isKept(ask) };
      answer({ type: "package-received", id, ...found });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!(error instanceof PackageRefusal)) this.#side.log(`Cannot keep a package: ${reason}`);
      answer({ type: "package-refused", id, code: error instanceof PackageRefusal ? "refused" : "unavailable", reason });
    }
  }

  /** Only a copy that is current knows what is named by nobody. */
  async sweepPackages(): Promise<void> {
    if (this.#standsBy !== undefined) return;
    try {
      await this.#isCurrent.done();
      const named = digestsOf(this.#api.state);
      await this.#packages.sweep((digest) => named.has(digest), Date.now());
      this.#api.sweepKeys();
    } catch (error) {
      this.#side.log(`Packages and keys are not swept now: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** That a token is nobody's is said only by a copy that is known to be current: after a start it may be older than the token. */
  async #identify(token: string): Promise<Identity | undefined> {
    const hash = createHash("sha256").update(token).digest("hex");
    const find = (): Identity | undefined => this.#identityOf(this.#userOf(hash)) ?? this.#api.controllerOf(token);
    const known = find();
    if (known !== undefined) return known;
    await this.#isCurrent.done();
    return find();
  }

  #userOf(hash: string): string | undefined {
    return userOfToken(this.#api.state, hash, this.#api.nowMs);
  }

  #identityOf(user: string | undefined): Identity | undefined {
    return user === undefined ? undefined : { user, isAdmin: this.#api.state.users.get(userId(user))?.roles.has(Role.CELL_ADMIN) ?? false };
  }

  /** Until the copy shows everything acknowledged before: a read of nobody's is refused then, and not sooner. */
  async #current(): Promise<void> {
    const signal = AbortSignal.timeout(CURRENT_MS);
    const nobody: Call = { user: "", deadlineMs: CURRENT_MS, stale: false, shown: () => {}, charge: () => {}, signal };
    await this.#call("getCell", make(GetCellRequestSchema, {}), nobody).catch((error: unknown) => {
      if (!(error instanceof CallError) || error.code !== "not-permitted") throw error;
    });
  }
}

openThread((side) => {
  const thread = new ApiThread(side);
  const keys = data.mastersOnMachines === undefined ? undefined : setInterval(() => thread.reloadKeys(), KEYS_MS);
  let server: ApiServer | undefined;
  const dns = thread.serveDns();
  const sweep = setInterval(() => void thread.sweepPackages(), SWEEP_MS);
  thread
    .listen((line) => side.log(line))
    .then(
      (listening) => {
        server = listening;
        side.ready();
      },
      (error: unknown) => side.fail(error instanceof Error ? error.message : String(error), 1),
    );
  return {
    onLetter: ({ from, body }) => thread.hear(from, body as Readonly<Record<string, unknown>>),
    onStop: async () => {
      clearInterval(sweep);
      clearInterval(keys);
      await dns?.close();
      await server?.close();
      thread.stop();
    },
  };
});
