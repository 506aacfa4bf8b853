/** `borg drain` and `undrain`: of one machine, or of all that a condition fits; with --wait until they are empty, and what keeps them from it. */
import type { GetJobResponse, TaskView } from "../../wire/gen/borg/v1/api_pb.ts";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { durationMsOf } from "../input.ts";
import { allTasks } from "../listing.ts";
import { Live } from "../text/live.ts";
import { clockText, durationText, plural } from "../text/units.ts";
import { type MachineSelection, machinesMeant, meansSeveral } from "../where.ts";

export interface DrainOptions extends MachineSelection {
  readonly wait?: boolean;
  readonly timeout?: string;
}

const LOOK_MS = 1000;
/** After so long without a task less, people are told what it waits for. */
const STUCK_MS = 5000;
/** Jobs that are looked into, and named, when nothing moves. */
const BLAMED_MAX = 3;

export async function drain(context: Context, text: string | undefined, options: DrainOptions): Promise<number> {
  const timeoutMs = options.timeout === undefined ? undefined : durationMsOf("--timeout", options.timeout);
  if (timeoutMs !== undefined && options.wait !== true)
    throw new Failure("usage", "Cannot use --timeout alone", "as in --wait --timeout 5m");
  const machines = await machinesMeant(context, text, options);
  const told = await changeAll(context, machines, true);
  const code = options.wait === true ? await emptied(context, machines, timeoutMs) : EXIT.done;
  if (context.json) context.printJson(meansSeveral(text) ? told : told[0]);
  return code;
}

export async function undrain(context: Context, text: string | undefined, options: MachineSelection): Promise<number> {
  const told = await changeAll(context, await machinesMeant(context, text, options), false);
  if (context.json) context.printJson(meansSeveral(text) ? told : told[0]);
  return EXIT.done;
}

async function changeAll(context: Context, machines: readonly string[], draining: boolean) {
  const told: { readonly machine: string; readonly draining: boolean; readonly position: number }[] = [];
  for (const machine of machines) {
    const { position } = await change(context, `${draining ? "drain" : "undrain"} ${machine}`, (client, requestId) =>
      client.drainMachine({ requestId, machine, draining }),
    );
    told.push({ machine, draining, position });
    if (!context.json)
      context.terminal.print(
        draining ? `Draining machine ${machine}: its tasks move elsewhere\n` : `Machine ${machine} takes tasks again\n`,
      );
  }
  return told;
}

/** Ctrl-C ends the waiting, and the drain goes on. */
async function emptied(context: Context, machines: readonly string[], timeoutMs: number | undefined): Promise<number> {
  const { terminal } = context;
  const [begin, signal, live] = [terminal.now(), terminal.interrupted(), new Live(terminal, context.json)];
  let [most, least, movedMs, blamed] = [0, Number.POSITIVE_INFINITY, begin, ""];
  for (;;) {
    const left = (await Promise.all(machines.map((machine) => allTasks(context, { user: "", job: "", machine, states: [] })))).flat();
    const now = terminal.now();
    most = Math.max(most, left.length);
    if (left.length < least) [least, movedMs] = [left.length, now];
    live.draw([progressText(left.length, most, now - begin, now - movedMs < STUCK_MS)]);
    if (left.length === 0) return EXIT.done;
    if (signal.aborted) return EXIT.interrupted;
    if (timeoutMs !== undefined && now - begin >= timeoutMs) throw notEmpty(left, timeoutMs, await blockedBy(context, left));
    if (now - movedMs >= STUCK_MS && !context.json) {
      const words = await blockedBy(context, left);
      if (words !== blamed && words !== "") live.say(`${words}\n`);
      blamed = words;
    }
    await terminal.sleep(LOOK_MS, signal);
  }
}

/** What went so far says how long the rest will take, as long as something goes. */
function progressText(left: number, most: number, passedMs: number, isMoving: boolean): string {
  if (left === 0) return `Empty: ${plural(most, "task")} went in ${durationText(passedMs)}`;
  const gone = most - left;
  const rest = gone === 0 || !isMoving ? "" : `, about ${durationText(Math.ceil(((passedMs / gone) * left) / 1000) * 1000)} more`;
  return `${left} of ${plural(most, "task")} left${rest}`;
}

const notEmpty = (left: readonly TaskView[], timeoutMs: number, words: string): Failure =>
  new Failure(
    "waited",
    `${plural(left.length, "task")} ${left.length === 1 ? "is" : "are"} still there after ${durationText(timeoutMs)}${words === "" ? "" : `: ${words}`}`,
    "the drain goes on; borg ls tasks --machine NAME shows them",
  );

/** Machines that nobody can ask to stop anything, jobs that allow no more of their tasks to be down, and tasks that take their time to stop. */
async function blockedBy(context: Context, left: readonly TaskView[]): Promise<string> {
  const silent = [...new Set(left.filter(({ unreachable }) => unreachable).map(({ machine }) => machine))];
  const jobs = await jobsInTheWay(
    context,
    left.filter(({ unreachable, state }) => !unreachable && !STOPPING.has(state)),
  );
  const stopping = left.filter(({ state }) => STOPPING.has(state)).length;
  const said = [
    ...silent.slice(0, BLAMED_MAX).map((machine) => `Machine ${machine} does not answer (borg show ${machine})`),
    jobs,
    stopping === 0 ? "" : `${plural(stopping, "task")} still ${stopping === 1 ? "uses its" : "use their"} time to stop`,
  ];
  return said.filter((words) => words !== "").join("; ");
}

const STOPPING: ReadonlySet<string> = new Set(["stopping", "ending"]);

async function jobsInTheWay(context: Context, left: readonly TaskView[]): Promise<string> {
  const names = [...new Set(left.map(({ name }) => name.slice(0, name.lastIndexOf("/"))))];
  const found = await Promise.all(
    names.slice(0, BLAMED_MAX).map(async (job) => blameOf(await context.ask((client) => client.getJob({ job })))),
  );
  const said = found.filter((words) => words !== "");
  const more = names.length > BLAMED_MAX && said.length > 0 ? `; ${plural(names.length - BLAMED_MAX, "more job")} not looked into` : "";
  return `${said.join("; ")}${more}`;
}

/** By the cell's own count: a task that runs and fails its check is down too, and a job that is updated goes by both its specs. */
function blameOf({ job, down: found }: GetJobResponse): string {
  if (job === undefined || found === undefined) return "";
  const { down, downMax, drainEveryMs, nextDrainMs } = found;
  if (downMax === 0)
    return `Job ${job.name} allows none of its tasks to be taken down (down_max = 0): raise that with borg update, or kill it`;
  if (downMax !== undefined && down >= downMax)
    return `Job ${job.name} allows ${downMax} down at a time, and ${down} ${down === 1 ? "is" : "are"} down or not ready (borg why ${job.name})`;
  if (drainEveryMs === 0) return "";
  const next = nextDrainMs === 0 ? "" : `, the next from ${clockText(nextDrainMs)} on`;
  return `Job ${job.name} lets drains take one task every ${durationText(drainEveryMs)}${next}`;
}
