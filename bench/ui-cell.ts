/** A cell of full size behind a real port: the API's actor, its sessions and its pages as in a master, over a made-up state that changes at a given rate. */
import type { ApiAnswer, ToApi } from "../src/borgmaster/api/message.ts";
import { METHODS, mayBePaged } from "../src/borgmaster/api/methods.ts";
import { Api } from "../src/borgmaster/api.ts";
import { encodeCheckpoint } from "../src/cell/checkpoint/checkpoint.ts";
import { encodeEntry, makeEntry } from "../src/cell/op.ts";
import type { CellState } from "../src/cell/state.ts";
import { ToyVault } from "../src/fauxmaster/world/toy-vault.ts";
import { CallError } from "../src/rpc/call-error.ts";
import type { Call, CellHandlers } from "../src/rpc/service.ts";
import { Sessions } from "../src/rpc/sessions.ts";
import { testCell } from "../src/rpc/test-cell.ts";
import { ActorHost } from "../src/shell/actor-host.ts";
import { Pages } from "../src/sigma/pages.ts";
import { CellService } from "../src/wire/gen/borg/v1/api_pb.ts";
import { Happenings, uiState } from "./ui-state.ts";

const TICK_MS = 100;
/** All machines tell what they use in so many ticks. */
const USAGE_TICKS = 50;

export interface UiCell {
  readonly url: string;
  readonly machines: number;
  readonly tasks: number;
  readonly running: number;
  /** One that has tasks; one of those, and its job. */
  readonly machine: string;
  readonly task: string;
  readonly job: string;
  newLink(): string;
  /** So many changes a second from now on. */
  change(perSecond: number): void;
  close(): Promise<void>;
}

export async function uiCell(machines: number, tasks: number, seed: number): Promise<UiCell> {
  const state = uiState(machines, tasks, seed);
  const running = new Running(state);
  const sessions = new Sessions(() => performance.now());
  const pages = new Pages((line) => process.stderr.write(`${line}\n`));
  const methods = Object.keys(METHODS) as (keyof CellHandlers)[];
  const handlers = Object.fromEntries(
    methods.map((method) => [method, (request: object, call: Call) => running.call(method, request, call)]),
  );
  const identify = (key: string) => {
    const user = sessions.user(key);
    return user === undefined ? undefined : { user, isAdmin: true };
  };
  const paged = methods.filter(mayBePaged).map((method) => `/${CellService.typeName}/${CellService.method[method].name}`);
  const served = await testCell(
    handlers as Partial<CellHandlers>,
    {},
    {
      pages: (path) => pages.at(path),
      sessions: { enter: (link) => sessions.enter(link), identify, methods: new Set(paged) },
    },
  );
  const url = `http://127.0.0.1:${served.port}`;
  const occupied = [...state.machines.values()].filter(({ place }) => place.occupants.size > 0);
  const shown = occupied[Math.min(42, occupied.length - 1)];
  const [instance] = shown?.place.occupants.values() ?? [];
  const task = instance?.task.id ?? "";
  return {
    url,
    machines: state.machines.size,
    tasks: [...state.jobs.values()].reduce((sum, job) => sum + job.tasks.length, 0),
    running: occupied.reduce((sum, { place }) => sum + place.occupants.size, 0),
    machine: shown?.id ?? "",
    task,
    job: task.slice(0, task.lastIndexOf("/")),
    newLink: () => `${url}/#link=${sessions.open("admin").link}`,
    change: (perSecond) => running.change(perSecond),
    close: async () => {
      running.stop();
      await served.server.close();
    },
  };
}

/** The actor and what a master would tell it. */
class Running {
  readonly #host: ActorHost;
  readonly #waiting = new Map<string, { resolve: (response: object) => void; reject: (error: CallError) => void }>();
  readonly #happenings: Happenings;
  readonly #timer: NodeJS.Timeout;
  #position: number;
  #calls = 0;
  #perTick = 0;
  #ticks = 0;

  constructor(state: CellState) {
    this.#position = state.position;
    this.#happenings = new Happenings(state);
    this.#host = new ActorHost({
      route: (_, to, message) => this.#route(to, message as { readonly type: string; readonly id: string }),
      log: () => {},
      crash: (error) => {
        throw error;
      },
    });
    const addresses = { master: "master", follower: "follower", link: "link", packages: "packages", counters: "counters" };
    this.#host.add("api", (env) => new Api(env as never, { ...addresses, vault: new ToyVault(() => 0.5), threads: [] }) as never);
    this.#host.start();
    this.#deliver({ type: "restore", position: state.position, checkpoint: encodeCheckpoint(state).bytes });
    for (let i = 0; i < USAGE_TICKS; i++) this.#measure(i);
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  change(perSecond: number): void {
    this.#perTick = Math.round((perSecond * TICK_MS) / 1000);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#host.stop();
  }

  call(method: keyof CellHandlers, request: object, { user, deadlineMs, stale, signal }: Call): Promise<object> {
    const { promise, resolve, reject } = Promise.withResolvers<object>();
    this.#calls += 1;
    const id = String(this.#calls);
    this.#waiting.set(id, { resolve, reject });
    signal.addEventListener("abort", () => this.#deliver({ type: "cancel", id }));
    this.#deliver({ type: "call", id, method, user, request, requestId: "", deadlineMs, stale });
    return promise;
  }

  #deliver(message: ToApi): void {
    this.#host.deliver("server", "api", message);
  }

  #route(to: string, message: { readonly type: string; readonly id: string }): void {
    if (to === "server") return this.#answer(message as ApiAnswer);
    if (message.type === "confirm") this.#deliver({ type: "confirmed", id: message.id, position: this.#position } as ToApi);
  }

  #answer(answer: ApiAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.type === "answered") waiting?.resolve(answer.response);
    else waiting?.reject(new CallError(answer.code, answer.reason));
  }

  #tick(): void {
    this.#ticks += 1;
    this.#measure(this.#ticks % USAGE_TICKS);
    if (this.#perTick === 0) return;
    this.#position += 1;
    const payload = encodeEntry(makeEntry(Date.now(), this.#happenings.runs(this.#perTick)));
    this.#deliver({ type: "entry", position: this.#position, payload });
  }

  #measure(part: number): void {
    this.#deliver({ type: "usage", machines: this.#happenings.usage(part, USAGE_TICKS) });
  }
}
