/** Which rows a view has, in which order, and what each says: names first, from what the index knows, and only the rows of the window in full. */
import type { JobId, MachineId } from "../../base/id.ts";
import { BANDS } from "../../wire/band.ts";
import type { Init } from "../../wire/codec.ts";
import { type ViewChangeSchema, type ViewJobSchema, ViewKind, type View as WireView } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Meter } from "./price.ts";
import { maySee } from "./veil.ts";
import type { ViewIndex } from "./view-index.ts";
import type { JobLine } from "./view-jobs.ts";
import type { MachineLine } from "./view-machines.ts";
import { taskNamed } from "./view-tasks.ts";
import type { Sight } from "./view-watch.ts";
import { has, queryOf, type Window, windowOf } from "./view-window.ts";
import { machineView, taskView } from "./views.ts";

/** To ask a line whether it is meant costs a part of what it costs to look at a record: measured on 12,477 machines. */
const FILTERED = 4;

export function jobWindow(index: ViewIndex, view: WireView, user: string, meter: Meter): Window {
  const { keys, words } = queryOf(view.query);
  const owner = keys.get("user") === "me" ? user : keys.get("user");
  const names = index.jobNames(view.sort, meter);
  const lines = index.jobs(meter).all;
  meter.lookedAt(names.length / FILTERED);
  const meant = names.filter((name) => {
    const line = lines.get(name as JobId);
    return line !== undefined && (owner === undefined || line.owner === owner) && isMeantJob(line, keys, words);
  });
  return windowOf(meant, view);
}

function isMeantJob({ view, wrong }: JobLine, keys: ReadonlyMap<string, string>, words: readonly string[]): boolean {
  const state = keys.get("state");
  if (state === undefined ? view.state === "dead" : !isInState(view.state, wrong, state)) return false;
  const band = keys.get("band");
  if (band !== undefined && BANDS.find(({ name }) => name === band)?.wire !== view.band) return false;
  const kind = keys.get("kind");
  if (kind !== undefined && (kind === "alloc") !== view.allocSet) return false;
  const job = keys.get("job");
  return (job === undefined || job === view.name) && has(view.name, words);
}

const isInState = (state: string, wrong: number, asked: string): boolean =>
  asked === "any" || (asked === "wrong" ? wrong > 0 && state !== "dead" : state === asked);

export function machineWindow(index: ViewIndex, view: WireView, meter: Meter): Window {
  const { keys, words } = queryOf(view.query);
  const one = keys.get("machine");
  if (one !== undefined && words.length === 0 && keys.size === 1)
    return windowOf(index.machines(meter).all.has(one as MachineId) ? [one] : [], view);
  const names = index.machineNames(view.sort, meter);
  if (keys.size + words.length === 0) return windowOf(names, view);
  const lines = index.machines(meter).all;
  meter.lookedAt(names.length / FILTERED);
  const isMeant = ({ name, state, rack }: MachineLine): boolean =>
    (keys.get("state") ?? state) === state && (keys.get("rack") ?? rack) === rack && (one ?? name) === name && has(name, words);
  return windowOf(
    names.filter((name) => isMeant(lines.get(name as MachineId) as MachineLine)),
    view,
  );
}

/** The rows of these names, in full. */
export function rowsOf(kind: ViewKind, names: Iterable<string>, { copy, index, user, nowMs, meter }: Sight): Rows {
  const { state, usage } = copy;
  const found = [...names];
  meter.answered(found.length);
  switch (kind) {
    case ViewKind.JOBS: {
      const lines = index.jobs(meter).all;
      const row = (line: JobLine | undefined): Init<typeof ViewJobSchema>[] => {
        const job = line === undefined ? undefined : state.jobs.get(line.view.name as JobId);
        if (line === undefined || job === undefined) return [];
        const { view, counts } = line;
        return [
          {
            job: view,
            update: job.update?.phase ?? "",
            restarts: counts.restarts,
            restartsHour: counts.restartsLately(index.timeMs),
            ...index.sums.of(job, nowMs, meter),
          },
        ];
      };
      return { jobs: found.flatMap((name) => row(lines.get(name as JobId))) };
    }
    case ViewKind.TASKS:
      return { tasks: found.flatMap((name) => taskNamed(state, name).map((task) => taskView(task, usage))) };
    case ViewKind.MACHINES: {
      const machines = found.flatMap((name) => state.machines.get(name as MachineId) ?? []);
      meter.lookedAt(machines.reduce((sum, { place }) => sum + 2 * place.occupants.size, 0));
      return { machines: machines.map((machine) => machineView(machine, usage, (owner) => maySee(state, user, owner))) };
    }
    default:
      return {};
  }
}

export type Rows = Pick<Init<typeof ViewChangeSchema>, "jobs" | "tasks" | "machines">;
