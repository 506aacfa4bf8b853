/**
 * A machine whose tasks may be inside executors: what concerns those goes to their executors (borglet/executors.ts), everything else to the machine as it is. What executors
 * said of their tasks is in one small file each, until the borglet forgets the task.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { executorFor, heldOrder, isExecutor } from "../executor.ts";
import { Executors, type Said } from "../executors.ts";
import { isEnded, type Kept, type Memory } from "../kept.ts";
import type { BorgletMachine, Seen, Strain } from "../machine.ts";
import type { FromMachine } from "../message.ts";
import { ExecutorDoor } from "./executor-door.ts";
import type { LinuxMachine } from "./host.ts";
import { instanceOf, keyOf, replaceFile } from "./layout.ts";

export interface ExecutorMachineOptions {
  readonly name: string;
  readonly directory: string;
  readonly memory: Memory;
  readonly log: (line: string) => void;
  readonly deliver: (message: FromMachine) => void;
}

const TICK_MS = 1_000;
/** Of one executor; beyond it messages are refused. */
const MESSAGES_PER_SECOND = 50;
const MESSAGE_BYTES_PER_SECOND = 256 * 1024;
/** As a saved word is called: the instance's key and the run. */
const FILE = /^(.+)\.([0-9]+)$/;

export class ExecutorMachine implements BorgletMachine {
  readonly #options: ExecutorMachineOptions;
  readonly #executors: Executors;
  readonly #tick: NodeJS.Timeout;
  #door!: ExecutorDoor;
  #machine!: LinuxMachine;
  #told: Seen[] = [];
  /** By executor, in the last second. */
  readonly #saidMs = new Map<string, { readonly sinceMs: number; messages: number; bytes: number }>();

  private constructor(options: ExecutorMachineOptions) {
    this.#options = options;
    this.#executors = new Executors({
      machine: options.name,
      memory: options.memory,
      now: () => performance.now(),
      send: (executor, event) => this.#door.send(executor, event),
      isListening: (executor) => this.#door.isListening(executor),
      save: (instance, run, said) => this.#save(instance, run, said),
      saved: (instance, run) => this.#saved(instance, run),
      drop: (instance) => this.#drop(instance),
      tell: (seen) => this.#tell(seen),
      message: (instance, data) => this.#say(instance, data),
      end: (executor, words) => {
        options.log(`${words}: "${executor}" is ended`);
        this.#machine.kill(executor);
      },
      resized: (executor) => this.#resized(executor),
    });
    this.#tick = setInterval(() => this.#executors.tick(), TICK_MS);
  }

  static async open(options: ExecutorMachineOptions): Promise<ExecutorMachine> {
    const machine = new ExecutorMachine(options);
    machine.#door = await ExecutorDoor.open(options.directory, {
      call: (executor, call) => machine.#executors.call(executor, call),
      gone: (executor) => machine.#executors.gone(executor),
      log: options.log,
    });
    return machine;
  }

  /** The machine under it. */
  over(machine: LinuxMachine): void {
    this.#machine = machine;
  }

  readonly variables: ExecutorDoor["variables"] = (...asked) => this.#door.variables(...asked);

  close(): void {
    clearInterval(this.#tick);
    this.#door.close();
  }

  /** What the machine under it tells, before anybody else hears it: what an executor had is over first. */
  heard(message: FromMachine): void {
    for (const seen of message.type === "seen" ? message.seen : []) {
      const kept = this.#options.memory.instances.get(seen.instance);
      if (kept === undefined || !isExecutor(kept.order) || (seen.what !== "ended" && seen.what !== "vanished")) continue;
      this.#door.remove(seen.instance);
      this.#saidMs.delete(seen.instance);
      this.#executors.ended(seen.instance);
    }
    this.#tellNow();
    this.#options.deliver(message);
  }

  get packages(): BorgletMachine["packages"] {
    return this.#machine.packages;
  }

  readonly save: BorgletMachine["save"] = (records) => this.#machine.save(records);
  readonly allocs: BorgletMachine["allocs"] = () => this.#machine.allocs();
  readonly dropAlloc: BorgletMachine["dropAlloc"] = (alloc) => this.#machine.dropAlloc(alloc);
  readonly check: BorgletMachine["check"] = (...asked) => this.#machine.check(...asked);
  readonly strain = (): Strain => this.#machine.strain();

  adopt(kept: readonly Kept[]): readonly Seen[] {
    const own = kept.filter(({ order }) => executorFor(order) === "");
    const seen = this.#machine.adopt(own);
    const living = new Set(own.filter(({ phase }) => phase === "starting").map(({ order }) => order.instance));
    const vanished = new Set<string>();
    for (const { what, instance } of seen) {
      if (what === "alive" || what === "launching") living.add(instance);
      if (what === "vanished") vanished.add(instance);
    }
    for (const { order, run } of own) if (isExecutor(order) && living.has(order.instance)) this.#door.admit(order, run);
    this.#sweep(new Set(kept.map(({ order }) => keyOf(order.instance))));
    const inside = this.#executors.adopt(
      kept.filter(({ order }) => executorFor(order) !== ""),
      living,
      vanished,
    );
    for (const { order } of own) if (isExecutor(order)) this.#resized(order.instance);
    return [...seen, ...inside];
  }

  start(order: StartOrder, run: number, secrets?: Parameters<BorgletMachine["start"]>[2]): void {
    if (executorFor(order) === "") this.#machine.start(order, run, secrets);
    else this.#executors.start(order, run);
  }

  adjust(order: StartOrder): void {
    if (executorFor(order) === "") this.#machine.adjust(heldOrder(order, this.#options.memory));
    else this.#resized(executorFor(order));
  }

  /** An executor that listens is asked; whoever does not has SIGTERM. */
  terminate(instance: string): void {
    if (this.#executors.has(instance)) this.#executors.terminate(instance);
    else if (!this.#executors.shutdown(instance)) this.#machine.terminate(instance);
  }

  kill(instance: string): void {
    if (this.#executors.has(instance)) this.#executors.kill(instance);
    else this.#machine.kill(instance);
  }

  forget(instance: string): void {
    if (this.#executors.has(instance)) this.#executors.forget(instance);
    else this.#machine.forget(instance);
  }

  /** What a task inside writes, its executor wrote. */
  readonly readLog: BorgletMachine["readLog"] = (range) => this.#machine.readLog({ ...range, instance: this.#processOf(range.instance) });
  readonly readFile: BorgletMachine["readFile"] = (range) =>
    this.#machine.readFile({ ...range, instance: this.#processOf(range.instance) });

  readonly shell: BorgletMachine["shell"] = (order, to, request) => {
    const executor = order === undefined ? undefined : this.#options.memory.instances.get(executorFor(order));
    this.#machine.shell(executor?.order ?? order, to, request);
  };

  #processOf(instance: string): string {
    const kept = this.#options.memory.instances.get(instance);
    return kept === undefined ? instance : executorFor(kept.order) || instance;
  }

  readonly message: NonNullable<BorgletMachine["message"]> = (executor, data) => this.#executors.deliver(executor, data);

  /** Masters hear them all: each executor has its share. */
  #say(instance: string, data: Uint8Array): boolean {
    const nowMs = performance.now();
    const said = this.#saidMs.get(instance);
    const sent = said === undefined || nowMs - said.sinceMs >= 1000 ? { sinceMs: nowMs, messages: 0, bytes: 0 } : said;
    this.#saidMs.set(instance, sent);
    if (sent.messages >= MESSAGES_PER_SECOND || sent.bytes >= MESSAGE_BYTES_PER_SECOND) return false;
    sent.messages += 1;
    sent.bytes += data.length;
    this.#options.deliver({ type: "executor", instance, data });
    return true;
  }

  #resized(executor: string): void {
    const kept = this.#options.memory.instances.get(executor);
    if (kept !== undefined && !isEnded(kept)) this.#machine.adjust(heldOrder(kept.order, this.#options.memory));
  }

  /** All of one moment together. */
  #tell(seen: Seen): void {
    this.#told.push(seen);
    if (this.#told.length === 1) setImmediate(() => this.#tellNow());
  }

  #tellNow(): void {
    const seen = this.#told;
    this.#told = [];
    if (seen.length > 0) this.#options.deliver({ type: "seen", seen });
  }

  #path(instance: string, run: number): string {
    return join(this.#options.directory, `${keyOf(instance)}.${run}`);
  }

  #save(instance: string, run: number, said: Said): boolean {
    try {
      const plain = said.what === "ended" ? { ...said, data: Buffer.from(said.data).toString("base64") } : said;
      replaceFile(this.#path(instance, run), JSON.stringify(plain));
      return true;
    } catch (error) {
      this.#options.log(`Cannot save what an executor said: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  #saved(instance: string, run: number): Said | undefined {
    try {
      const said = JSON.parse(readFileSync(this.#path(instance, run), "utf8"));
      return said.what === "ended" ? { ...said, data: new Uint8Array(Buffer.from(said.data, "base64")) } : { what: "running" };
    } catch {
      return undefined;
    }
  }

  #drop(instance: string): void {
    const key = keyOf(instance);
    for (const name of readdirSync(this.#options.directory))
      if (FILE.exec(name)?.[1] === key) rmSync(join(this.#options.directory, name), { force: true });
  }

  /** Words on tasks that nobody keeps. */
  #sweep(kept: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#options.directory)) {
      const key = FILE.exec(name)?.[1] ?? "";
      if (instanceOf(key) !== undefined && !kept.has(key)) rmSync(join(this.#options.directory, name), { force: true });
    }
  }
}
