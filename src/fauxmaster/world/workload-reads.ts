/** Reads that clients make, of every kind that the judge can compare with the journal. */
import type { Random } from "../../base/random.ts";
import type { CellMethod } from "../../borgmaster/api/access.ts";
import { make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";

export interface ReadAbout {
  readonly job: string;
  readonly user: string;
  readonly machine: string;
}

/** Of labels that the workload gives, and of none. */
const SELECTORS = ["track=canary", "!track", "track in (canary, stable)"];

const jobsOf = (user: string) => ({ kind: api.ViewKind.JOBS, query: `user:${user} state:any`, limit: 500 });

type Drawn = { readonly method: CellMethod; readonly request: object };

export function drawRead(random: Random, { job, user, machine }: ReadAbout): Drawn {
  if (random.chance(0.5)) return { method: "getJob", request: make(api.GetJobRequestSchema, { job }) };
  const reads: readonly (() => Drawn)[] = [
    () => ({ method: "getTask", request: make(api.GetTaskRequestSchema, { task: `${job}/${random.int(0, 3)}` }) }),
    () => ({ method: "listTasks", request: make(api.ListTasksRequestSchema, { job }) }),
    () => ({ method: "listTasks", request: make(api.ListTasksRequestSchema, { machine }) }),
    () => ({ method: "listTasks", request: make(api.ListTasksRequestSchema, { user, selector: random.pick(SELECTORS) }) }),
    () => ({ method: "resolve", request: make(api.ResolveRequestSchema, { name: job, all: random.chance(0.3) }) }),
    () => ({ method: "listJobs", request: make(api.ListJobsRequestSchema, { user, dead: random.chance(0.5) }) }),
    () => ({ method: "watchViews", request: make(api.WatchViewsRequestSchema, { watch: "page", views: [jobsOf(user)] }) }),
    () => ({ method: "getMachine", request: make(api.GetMachineRequestSchema, { machine }) }),
    () => ({ method: "listMachines", request: make(api.ListMachinesRequestSchema, {}) }),
    () => ({ method: "listQuota", request: make(api.ListQuotaRequestSchema, {}) }),
    () => ({ method: "listUsers", request: make(api.ListUsersRequestSchema, {}) }),
    () => ({ method: "listSchedulers", request: make(api.ListSchedulersRequestSchema, {}) }),
    () => ({ method: "reportEvictions", request: make(api.ReportEvictionsRequestSchema, {}) }),
    () => ({ method: "reportReclaim", request: make(api.ReportReclaimRequestSchema, { by: api.ReportBy.CELL }) }),
    () => ({ method: "reportQuota", request: make(api.ReportQuotaRequestSchema, {}) }),
    () => ({ method: "getCell", request: make(api.GetCellRequestSchema, {}) }),
  ];
  return random.pick(reads)();
}
