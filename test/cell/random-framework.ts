/** Ops of frameworks as a draw of numbers makes them, for random-op.ts: mostly of the scheduler that leads, with names and ports that meet. */
import { frameworkId, uuidOf } from "../../src/cell/framework.ts";
import { masterOp, type Op, userOp } from "../../src/cell/op.ts";
import type { CellState, Job, Task } from "../../src/cell/state.ts";
import { jobsOf, NAMES, PRIORITIES, pick, USERS } from "./random-job.ts";
import type { Draw } from "./random-op.ts";
import { GI } from "./world.ts";

const TASK_IDS = ["a", "b", "c", "d", "e", "ü"];
const ROLES = ["*", "eng/web"];

export const frameworksOf = (state: CellState): Job[] => jobsOf(state).filter(({ led }) => led !== undefined);

export function aboutFrameworks(state: CellState, draw: Draw, requestId: string): Op | undefined {
  const { kind, n } = draw;
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = n;
  const all = frameworksOf(state);
  const job = pick(e % 6 === 0 ? all : all.filter(({ killed }) => !killed), b);
  if (kind === "subscribe") return subscribe(state, job, n, requestId);
  if (kind === "role") {
    const guarantee = b % 3 === 0 ? {} : { guarantee: { cpuMilli: c % 5 === 0 ? 500 : 0, diskBytes: (d % 6) * GI } };
    const users = e % 3 === 0 ? ["ann"] : e % 3 === 1 ? ["ubar"] : [];
    return userOp("admin", requestId, {
      case: "roleSet",
      value: { role: { name: pick(ROLES, a) as string, weight: 1 + (c % 5), users, ...guarantee } },
    });
  }
  if (kind === "revoke") {
    const others = [...state.machines.values()]
      .flatMap(({ place }) => [...place.occupants.values()])
      .sort((x, y) => (x.id < y.id ? -1 : 1));
    const instances = [pick(others, b)?.id, ...(c % 3 === 0 ? [pick(others, d)?.id] : [])].filter((id) => id !== undefined);
    return instances.length === 0
      ? undefined
      : masterOp({ case: "frameworkRevoke", value: { role: pick(ROLES, a) as string, instances, graceMs: 1000 * (e % 20) } });
  }
  if (job?.led === undefined) return undefined;
  const framework = job.id;
  const by = d % 23 === 0 ? (pick(USERS, d) as string) : job.owner;
  const session = e % 19 === 0 ? 99 : Math.max(1, job.led.session);
  switch (kind) {
    case "launch":
      return userOp(by, requestId, { case: "frameworkLaunch", value: { framework, session, launches: launchesOf(state, n) } });
    case "killLaunched": {
      const taskIds = [pick(TASK_IDS, a) as string, ...(c % 3 === 0 ? [pick(TASK_IDS, d) as string] : [])];
      return userOp(by, requestId, {
        case: "frameworkKill",
        value: { framework, session, taskIds, ...(c % 4 === 0 ? { noticeMs: c } : {}) },
      });
    }
    case "acknowledge": {
      const acknowledgements = job.tasks.filter((_, i) => (a + i) % 3 > 0).map((task) => acknowledgementOf(task, c));
      if (acknowledgements.length === 0) acknowledgements.push({ taskId: "a", uuid: new Uint8Array(16).fill(1) });
      return userOp(by, requestId, { case: "frameworkAcknowledge", value: { framework, session, acknowledgements } });
    }
    case "disconnect":
      return masterOp({ case: "frameworkDisconnect", value: { framework, session } });
    case "teardown":
      if (c % 2 === 0) return masterOp({ case: "frameworkTeardown", value: { framework } });
      return d % 3 === 0 ? userOp(by, requestId, { case: "frameworkTeardown", value: { framework, session } }) : undefined;
    default:
      return undefined;
  }
}

function subscribe(state: CellState, job: Job | undefined, n: readonly number[], requestId: string): Op {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = n;
  const user = pick(USERS, a) as string;
  const fresh = { user, name: pick(["fw", "gw", ...NAMES.slice(0, 2)], b) as string, role: pick(ROLES, c) as string };
  const known = job?.spec.kind === "framework" && d % 3 > 0 ? job.spec.framework : undefined;
  const changed = { failoverMs: (e % 3) * 1000, title: `t${f % 3}`, partitionAware: g % 2 === 0 };
  const spec = { priority: pick(PRIORITIES, c + d) as number, ...(known ?? fresh), ...changed };
  const id = known === undefined || job === undefined || h % 9 === 0 ? "" : frameworkId(job);
  const by = h % 11 === 0 ? (pick(USERS, h) as string) : spec.user;
  const session = 1 + ((state.position + g) % 90);
  return userOp(by, requestId, { case: "frameworkSubscribe", value: { spec, id: h % 29 === 0 ? `${id}0` : id, session } });
}

function launchesOf(state: CellState, n: readonly number[]) {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = n;
  const machines = [...state.machines.keys()].sort();
  return Array.from({ length: 1 + (a % 3) }, (_, i) => {
    const ports = (b + i) % 3 === 0 ? ["http", "admin"].slice(0, 1 + (c % 2)) : [];
    const first = state.machines.get(pick(machines, d + i) as never)?.facts.portFirst ?? 1000;
    const numbers = ports.map((_, at) => first + ((e + at) % 6));
    const limit = { cpuMilli: 100 * (1 + (f % 9)), ramBytes: ((1 + ((g + i) % 6)) * GI) / 4 };
    return {
      taskId: pick(TASK_IDS, h + i) as string,
      machine: (pick(machines, d + i) as string) ?? "m9",
      task: { command: h % 31 === 0 ? [] : ["work", `${(f + i) % 3}`], environment: [{ key: "A", value: "1" }], limit, ports },
      ports: e % 2 === 0 ? numbers : [],
      durationMs: g % 5 === 0 ? 1 + g : 0,
      group: c % 3 === 0 ? 1 : 0,
      title: `t${f % 2}`,
    };
  });
}

/** Mostly of the update in flight; sometimes of the one after it, or of none. */
function acknowledgementOf(task: Task, c: number) {
  const taskId = task.launched?.taskId ?? "a";
  const updates = task.launched?.updates ?? [];
  const number = updates[c % 7 === 0 ? 1 : 0]?.number ?? 1;
  return { taskId, uuid: c % 11 === 0 ? new Uint8Array(16).fill(c) : uuidOf(task, number) };
}
