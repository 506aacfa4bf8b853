/** What happens to a cell: machines come and go, processes end, time passes. */
import { VERSION_MAX } from "../../cell/version.ts";
import { make } from "../../wire/codec.ts";
import { type MachineFacts, MachineFactsSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import { tellLines } from "./narrator.ts";
import type { Command, Line } from "./session.ts";
import { type Post, Stage } from "./stage.ts";
import { Misspoken, milliseconds, type Words } from "./words.ts";

/** After so long a new master takes silence for silence: stories begin in a settled cell. */
const SETTLED_MS = 31_000;
const JOIN_MS = 10_000;

function facts(name: string, words: Words): MachineFacts {
  return make(MachineFactsSchema, {
    capacity: { diskBytes: 100 * 1024 ** 3, ...withoutZeros(words) },
    portFirst: 20_000,
    portLast: 20_000 + (words.number("ports") ?? 20) - 1,
    rack: words.text("rack") ?? "",
    powerDomain: words.text("power") ?? "",
    host: `${name}.story`,
  });
}

function withoutZeros(words: Words): { readonly cpuMilli: number; readonly ramBytes: number; readonly diskBytes?: number } {
  const { cpuMilli, ramBytes, diskBytes } = words.amounts();
  return { cpuMilli, ramBytes, ...(diskBytes === 0 ? {} : { diskBytes }) };
}

/** A settled cell; everything said before is another story. */
function cell({ session, words }: Line): readonly string[] {
  const kind = words.name(0, "embedded or replicated");
  if (kind !== "embedded" && kind !== "replicated") throw new Misspoken(`Expected embedded or replicated, found "${kind}"`);
  const schedulers = (words.text("schedulers") ?? "on") === "on";
  const masters = kind === "embedded" ? 1 : (words.number("masters") ?? 3);
  const stage = new Stage({ kind, masters, schedulers, versionMax: words.number("version") ?? VERSION_MAX });
  session.begin(stage);
  stage.open();
  const count = words.number("machines") ?? 0;
  for (let i = 1; i <= count; i++) stage.addMachine(`m${i}`, facts(`m${i}`, words));
  words.done();
  const joined = stage.runUntil(() => stage.look().machines.size === count, JOIN_MS);
  stage.run(SETTLED_MS);
  stage.look();
  stage.narrator.take();
  return joined ? [] : ["some machines did not join"];
}

function machine({ stage, words }: Line): readonly string[] {
  const name = words.name(0, "a name");
  stage.addMachine(name, facts(name, words));
  words.done();
  return stage.runUntil(() => stage.look().machines.has(name as never), JOIN_MS) ? [] : [`${name} did not join`];
}

/** Time passes, and what happened since the last time is told. */
function wait({ stage, words }: Line): readonly string[] {
  const sinceMs = stage.nowMs;
  stage.run(milliseconds(words.name(0, "a time such as 10s")));
  stage.look();
  const lines = tellLines(stage.narrator.take(), sinceMs);
  return lines.length === 0 ? ["nothing happens"] : lines;
}

export function postNamed(stage: Stage, name: string): Post {
  const post = stage.posts.get(name);
  if (post === undefined) throw new Misspoken(`Machine "${name}" is unknown`);
  return post;
}

/** Its network is cut; everything on it goes on. */
function silence({ stage, words }: Line): readonly string[] {
  for (const name of words.names) {
    const post = postNamed(stage, name);
    post.cut ??= stage.isolate(`borglet/${name}`);
  }
  return [];
}

function back({ stage, words }: Line): readonly string[] {
  for (const name of words.names) {
    const post = postNamed(stage, name);
    if (post.cut !== undefined) stage.network.lift(post.cut);
    post.cut = undefined;
  }
  return [];
}

/** Power goes and comes back: no process of it is left, its disk is. */
function reboot({ stage, words }: Line): readonly string[] {
  const { machine: hit, borglet } = postNamed(stage, words.name(0, "a machine"));
  hit.reboot();
  borglet.crash(true);
  borglet.start();
  return [];
}

/** "crash master/0", "crash borglet m1", "crash lock". */
function processNamed({ stage, words }: Line): { crash(): void; start(): void; pause(ms: number): void; wake(): void } {
  const name = words.name(0, "a process");
  if (name === "borglet") return postNamed(stage, words.name(1, "a machine")).borglet;
  if (name === "lock" && stage.lock !== undefined) return stage.lock;
  const office = stage.office(name === "master" ? (stage.leader()?.office.address ?? "master/0") : name);
  if (office === undefined) throw new Misspoken(`Process "${name}" is unknown`);
  return office.process;
}

function crash(line: Line): readonly string[] {
  processNamed(line).crash();
  return [];
}

function start(line: Line): readonly string[] {
  processNamed(line).start();
  return [];
}

/** A master starts again with the newest code. */
function upgrade({ stage, words }: Line): readonly string[] {
  const office = stage.office(words.name(0, "a master"));
  if (office === undefined) throw new Misspoken(`Process "${words.names[0]}" is unknown`);
  office.versionMax = VERSION_MAX;
  office.process.crash();
  office.process.start();
  return [];
}

/** The wall clock of a master's machine is set: "clock master +3h". */
function clock({ stage, words }: Line): readonly string[] {
  const name = words.name(0, "a master");
  const office = stage.office(name === "master" ? (stage.leader()?.office.address ?? "master/0") : name);
  const by = words.name(1, "a step such as +3h or -10m");
  if (office === undefined || !/^[+-]/.test(by)) throw new Misspoken(`Expected a master and a step such as -10m, found "${name} ${by}"`);
  office.process.clock.jumpWall((by.startsWith("-") ? -1 : 1) * milliseconds(by.slice(1)));
  return [];
}

function pause(line: Line): readonly string[] {
  const ms = line.words.ms("for");
  if (ms === undefined) throw new Misspoken('"pause" needs a time such as for=5s');
  processNamed(line).pause(ms);
  return [];
}

/** A master that reaches nobody any more: no machine, no lock, no journal. */
function cutOff({ stage, words }: Line): readonly string[] {
  const office = stage.office(words.name(0, "a master"));
  if (office === undefined) throw new Misspoken(`Process "${words.names[0]}" is unknown`);
  office.cut ??= stage.isolate(office.address);
  stage.shared?.cutOff(office.address);
  return [];
}

function reconnect({ stage, words }: Line): readonly string[] {
  const office = stage.office(words.name(0, "a master"));
  if (office?.cut !== undefined) stage.network.lift(office.cut);
  if (office !== undefined) {
    office.cut = undefined;
    stage.shared?.reconnect(office.address);
  }
  return [];
}

/** The machine on which a task's process lives. */
function home(stage: Stage, task: string): { readonly post: Post; readonly instance: string } {
  for (const post of stage.posts.values()) {
    const instance = post.machine.instanceOf(task);
    if (instance !== undefined) return { post, instance };
  }
  throw new Misspoken(`Task "${task}" has no process`);
}

/** What a task uses from now on, wherever it runs. */
function usage({ stage, words }: Line): readonly string[] {
  const task = words.name(0, "a task");
  const amounts = words.amounts();
  for (const { machine: each } of stage.posts.values()) each.tell(task, amounts);
  return [];
}

function fail({ stage, words }: Line): readonly string[] {
  const { post, instance } = home(stage, words.name(0, "a task"));
  post.machine.end(post.machine.task(instance)!, { code: words.number("exit") ?? 1, signal: words.number("signal") ?? 0 });
  return [];
}

function finish({ stage, words }: Line): readonly string[] {
  const { post, instance } = home(stage, words.name(0, "a task"));
  post.machine.end(post.machine.task(instance)!, { code: 0, signal: 0 });
  return [];
}

const FAULTS = {
  unavailable: "unavailable",
  slow: "slow",
  "done-unknown": "unknown-done",
  "lost-unknown": "unknown-lost",
  "late-unknown": "unknown-late",
} as const;

/** What the next append of the shared store meets; of an embedded journal, how the disk is from now on. */
function journal({ stage, words }: Line): readonly string[] {
  const what = words.name(0, "next, slow, full or fair");
  if (what === "next") {
    const fault = FAULTS[words.name(1, "a fault") as keyof typeof FAULTS];
    if (fault === undefined || stage.shared === undefined) throw new Misspoken(`"journal next" knows ${Object.keys(FAULTS).join(", ")}`);
    stage.appendFaults.push(fault);
    return [];
  }
  if (stage.embedded === undefined) throw new Misspoken('A shared store knows "journal next"');
  stage.embedded.heal();
  if (what === "slow") stage.embedded.slowMs = milliseconds(words.name(1, "a time"));
  if (what === "full") stage.embedded.full = true;
  return [];
}

export const WORLD_COMMANDS: readonly (readonly [string, Command])[] = [
  ["machine", { usage: "machine NAME cpu=N ram=N [rack=R] [power=P] [ports=N]", run: machine }],
  ["wait", { usage: "wait TIME", run: wait }],
  ["silence", { usage: "silence MACHINE... (cut off; everything on it goes on)", run: silence }],
  ["return", { usage: "return MACHINE...", run: back }],
  ["reboot", { usage: "reboot MACHINE", run: reboot }],
  ["crash", { usage: "crash master | master/N | borglet MACHINE | lock", run: crash }],
  ["start", { usage: "start master | master/N | borglet MACHINE | lock", run: start }],
  ["pause", { usage: "pause master | master/N | borglet MACHINE for=TIME", run: pause }],
  ["upgrade", { usage: "upgrade master/N (starts it again with the newest code)", run: upgrade }],
  ["clock", { usage: "clock master | master/N +TIME | -TIME (steps its wall clock)", run: clock }],
  ["cut-off", { usage: "cut-off master/N (from everybody)", run: cutOff }],
  ["reconnect", { usage: "reconnect master/N", run: reconnect }],
  ["usage", { usage: "usage TASK cpu=N ram=N [disk=N]", run: usage }],
  ["fail", { usage: "fail TASK [exit=N] [signal=N]", run: fail }],
  ["finish", { usage: "finish TASK", run: finish }],
  ["journal", { usage: `journal next ${Object.keys(FAULTS).join("|")} | slow TIME | full | fair`, run: journal }],
];

export const CELL_COMMAND: Command = {
  usage: "cell embedded|replicated [machines=N cpu=N ram=N [rack=R] [ports=N]] [masters=N] [version=N] [schedulers=on|off]",
  run: cell,
};
