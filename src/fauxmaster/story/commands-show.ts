/** Looking at a cell: what the journal says, what the machines really run, whether all copies agree. */
import { compareIds, isInstance, taskOf } from "../../base/id.ts";
import type { Vector } from "../../base/vector.ts";
import { imageOf } from "../../cell/feed.ts";
import { chargedTo } from "../../cell/ops/quota.ts";
import { isOver } from "../../cell/place.ts";
import type { CellState, Instance, Machine, Task } from "../../cell/state.ts";
import { isDead } from "../../cell/task.ts";
import { explain } from "../../scheduler/explain.ts";
import { Mirror } from "../../scheduler/mirror/mirror.ts";
import { BANDS } from "../../wire/band.ts";
import { taskIn } from "./narrator.ts";
import { type Command, columns, type Line } from "./session.ts";
import { Misspoken, showCpu, showMs, showRam } from "./words.ts";

/** m2 before m10, ann/web/2 before ann/web/10. */
function natural(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => text.replace(/\d+/g, (digits) => digits.padStart(8, "0"))) as [string, string];
  return compareIds(x, y);
}

function tasks({ stage, words }: Line): readonly string[] {
  const jobs = [...stage.look().jobs.values()].filter((job) => words.names.length === 0 || words.names.includes(job.id));
  const rows = jobs.sort((a, b) => natural(a.id, b.id)).flatMap((job) => job.tasks.map(taskRow));
  return rows.length === 0 ? ["no tasks"] : columns(rows);
}

const taskRow = (task: Task): readonly string[] => [task.id, task.state, whereIs(task.instance), task.cause];

function whereIs(instance: Instance | undefined): string {
  if (instance === undefined) return "-";
  const { id, machine } = instance.place;
  return isInstance(id) ? `${machine.id} in ${taskOf(id)}` : machine.id;
}

const amountsOf = ({ cpu, ram }: Vector): string => `cpu ${showCpu(cpu)} ram ${showRam(ram)}`;

/** One task in full. */
function show({ stage, words }: Line): readonly string[] {
  const state = stage.look();
  const name = words.name(0, "a task");
  const task = taskIn(state, name);
  if (task === undefined) throw new Misspoken(`Task "${name}" does not exist`);
  const { instance } = task;
  const { avoid, lastExit } = task.past;
  const lines = [`${task.id}: ${task.state} (${task.cause})`];
  if (instance !== undefined) {
    lines.push(`on ${whereIs(instance)}, run ${instance.run}${instance.ports.length === 0 ? "" : `, ports ${instance.ports.join(" ")}`}`);
    lines.push(`limit ${amountsOf(instance.limit)}, reservation ${amountsOf(instance.reservation)}`);
    if (instance.faring.backOffUntilMs > 0) lines.push(`backs off, ${instance.faring.failures} runs failed in a row`);
    if (instance.overRam) lines.push("above its memory limit");
  }
  if (lastExit !== undefined) lines.push(`last exit ${lastExit.code}, signal ${lastExit.signal}`);
  if (isDead(task.state)) return lines;
  if (task.failures > 0) lines.push(`failed ${task.failures} times in a row`);
  if (task.notBeforeMs > state.timeMs) lines.push(`not before ${showMs(task.notBeforeMs - state.timeMs)} from now`);
  const avoided = avoid.filter((each) => each.untilMs > state.timeMs);
  if (avoided.length > 0) lines.push(`avoids ${avoided.map((each) => each.machine).join(" ")}`);
  return lines;
}

function machines({ stage }: Line): readonly string[] {
  const all = [...stage.look().machines.values()].sort((a, b) => natural(a.id, b.id));
  return columns([["machine", "state", "prod limits", "reserved", "capacity"], ...all.map(machineRow)]);
}

function machineRow({ id, reachable, draining, place }: Machine): readonly string[] {
  const state = [reachable ? "up" : "unreachable", ...(draining ? ["draining"] : []), ...(isOver(place) ? ["over"] : [])].join(" ");
  return [id, state, amountsOf(place.prodLimit), amountsOf(place.reserved), amountsOf(place.capacity)];
}

/** What really runs, whatever anybody believes. */
function processes({ stage }: Line): readonly string[] {
  const rows = [...stage.posts.entries()]
    .sort(([a], [b]) => natural(a, b))
    .map(([name, { machine }]) => [name, machine.live().map(taskOf).sort(natural).join(" ") || "-"]);
  return columns(rows);
}

/** Who leads, by the masters' own word. */
function leader({ stage }: Line): readonly string[] {
  return stage.offices.map((office) => {
    const master = stage.masterOf(office);
    if (master === undefined) return `${office.address}: down`;
    return `${office.address}: ${master.role}${master.role === "leading" ? ` in term ${master.term}` : ""}`;
  });
}

/** Every copy in memory against the journal, replayed. */
function hash({ stage }: Line): readonly string[] {
  const truth = stage.look();
  const expected = stage.hashOf(truth);
  const others = stage.copies().flatMap(({ name, state }) => {
    if (state.position !== truth.position) return [`${name} is at ${state.position}, the journal at ${truth.position}`];
    return stage.hashOf(state) === expected ? [] : [`${name} differs from the journal`];
  });
  return others.length === 0 ? ["all copies agree"] : others;
}

function charged({ stage, words }: Line): readonly string[] {
  const name = words.name(0, "a user");
  const user = stage.look().users.get(name as never);
  if (user === undefined) return [`no user ${name}`];
  const bands = BANDS.filter((band) => user.charged.has(band.name) || user.quotas.has(band.name));
  return bands.map(({ name: band }) => {
    const quota = user.quotas.get(band);
    const { limit } = quota ?? {};
    const whole = limit === undefined ? "" : ` of cpu ${showCpu(limit.cpuMilli)} ram ${showRam(limit.ramBytes / 1024)}`;
    return `${band}: ${amountsOf(chargedTo(user, band))}${whole}${quota?.unlimited === true ? ", unlimited" : ""}`;
  });
}

/** Why a task is not placed, by the code that decides. */
function why({ stage, words }: Line): readonly string[] {
  const state: CellState = stage.look();
  const mirror = new Mirror(words.text("as") ?? "service");
  const problem = mirror.load(imageOf(state));
  const task = mirror.jobs.get(words.name(0, "a task").replace(/\/\d+$/, "") as never)?.tasks[
    Number(/\d+$/.exec(words.names[0] ?? "")?.[0])
  ];
  if (problem !== undefined || task === undefined) throw new Misspoken(`Task "${words.names[0]}" does not exist`);
  const found = explain(mirror, task, state.timeMs);
  const places = found.reasons.map(({ reason, places: count }) => `${count} ${count === 1 ? "place" : "places"}: ${reason}`);
  return [...(found.problem === undefined ? [] : [found.problem]), `feasible: ${found.feasible}`, ...places];
}

export const SHOW_COMMANDS: readonly (readonly [string, Command])[] = [
  ["tasks", { usage: "tasks [JOB...]", run: tasks }],
  ["show", { usage: "show TASK", run: show }],
  ["machines", { usage: "machines", run: machines }],
  ["processes", { usage: "processes (what really runs)", run: processes }],
  ["leader", { usage: "leader", run: leader }],
  ["version", { usage: "version (of the cell)", run: ({ stage }) => [`version ${stage.look().version}`] }],
  ["hash", { usage: "hash (do all copies agree with the journal?)", run: hash }],
  ["charged", { usage: "charged USER", run: charged }],
  ["why", { usage: "why TASK [as=SCHEDULER]", run: why }],
];
