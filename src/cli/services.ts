/** Several jobs of one service as one (Borg §8.1): those of a user that have the same label `service`, whatever they are called. */
import type { JobView } from "../wire/gen/borg/v1/api_pb.ts";
import { SERVICE_LABEL } from "../wire/selector.ts";
import type { Column } from "./text/table.ts";

export interface Service {
  readonly user: string;
  readonly service: string;
  /** Alloc sets too. */
  readonly jobs: readonly JobView[];
}

/** In the order of users and services. */
export function servicesOf(jobs: readonly JobView[]): readonly Service[] {
  const found = new Map<string, Service>();
  for (const job of jobs) {
    const service = job.labels.find(({ key }) => key === SERVICE_LABEL)?.value ?? "";
    const user = job.name.slice(0, job.name.indexOf("/"));
    const key = `${user}/${service}`;
    found.set(key, { user, service, jobs: [...(found.get(key)?.jobs ?? []), job] });
  }
  return [...found.keys()].sort().map((key) => found.get(key)!);
}

const sum = ({ jobs }: Service, of: (job: JobView) => number): number =>
  jobs.filter(({ allocSet }) => !allocSet).reduce((total, job) => total + of(job), 0);

export const SERVICE_COLUMNS: readonly Column<Service>[] = [
  { title: "SERVICE", value: ({ user, service }) => `${user}/${service}`, whole: true },
  { title: "TASKS", value: (one) => `${sum(one, ({ running }) => running)}/${sum(one, ({ count }) => count)}`, side: "right" },
  { title: "PENDING", value: (one) => String(sum(one, ({ pending }) => pending) || ""), side: "right", drops: 2 },
  { title: "FAILURES", value: (one) => String(sum(one, ({ failures }) => failures) || ""), side: "right", drops: 1 },
  { title: "JOBS", value: ({ jobs }) => jobs.map(({ name }) => name.slice(name.indexOf("/") + 1)).join(" "), shrinks: 20 },
];

export const servicePlain = (one: Service): Readonly<Record<string, unknown>> => ({
  user: one.user,
  service: one.service,
  members: one.jobs.map(({ name }) => name),
  count: sum(one, ({ count }) => count),
  running: sum(one, ({ running }) => running),
  pending: sum(one, ({ pending }) => pending),
  failures: sum(one, ({ failures }) => failures),
});
