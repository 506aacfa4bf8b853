/** What was read of a job, as the JobSpec of wire, with the checks that need more than one field. */
import { checker } from "../../wire/check.ts";
import { make } from "../../wire/codec.ts";
import { formProblem } from "../../wire/form.ts";
import { Form } from "../../wire/gen/borg/v1/bound_pb.ts";
import { CheckKind, type JobSpec, JobSpecSchema, Operator } from "../../wire/gen/borg/v1/spec_pb.ts";
import { HEALTH_DEFAULTS, IMAGES_ABLE } from "../../wire/spec-defaults.ts";
import type { Tuple } from "../evaluator/tuple.ts";
import type { Span } from "../source.ts";
import { type Bounds, resources, toResources } from "./common.ts";
import { type Read, readFields } from "./field.ts";
import { JOB, type ReadOverride } from "./job.ts";
import type { Reader } from "./reader.ts";
import type { Reference } from "./reference.ts";
import { updatePolicy } from "./update-policy.ts";
import { utf8 } from "./utf8.ts";

type ReadJob = Read<typeof JOB>;
type Init = Exclude<Parameters<typeof make<typeof JobSpecSchema>>[1], JobSpec>;

const check = checker(JobSpecSchema);

/** The spec, or undefined when something is wrong, which is reported. */
export function toJob(reader: Reader, tuple: Tuple, what: string, span: Span): JobSpec | undefined {
  const before = reader.problemCount;
  const read = readFields(reader, tuple, JOB, what, span);
  checkTogether(reader, tuple, read, what, span);
  if (reader.problemCount > before) return undefined;
  const spec = make(JobSpecSchema, init(read));
  const problem = check(spec);
  if (problem === undefined) return spec;
  reader.report(span, `${what} cannot be sent to a cell: ${problem.replace(/^\./, "")}`);
  return undefined;
}

function init(read: ReadJob): Init {
  return {
    user: read.user ?? "",
    name: read.name ?? "",
    priority: read.priority ?? 0,
    count: read.count ?? 0,
    perMachine: read.per_machine ?? false,
    task: taskInit(read),
    overrides: joinRanges((read.overrides ?? []).map((o) => overrideInit(read, o))),
    constraints: constraintsOf(read),
    appClass: read.app_class ?? 0,
    startAfter: referenceText(read.start_after, read),
    afterFailure: read.after_failure ?? 0,
    allocSet: referenceText(read.alloc_set, read),
    keptDirectory: read.kept_directory ?? "",
    beside: (read.beside ?? []).map(({ job, max }) => ({ job: referenceText(job, read), max: max ?? 0 })),
    labels: (read.labels ?? []).map(({ key, value }) => ({ key, value })),
    spread: read.spread ?? 0,
    update: updatePolicy(read.update),
    restart: {
      when: read.restart?.when ?? 0,
      backoffMinMs: read.restart?.backoff_min ?? 0,
      backoffMaxMs: read.restart?.backoff_max ?? 0,
      ...optional("inPlaceMax", read.restart?.in_place_max),
      ...optional("failuresMax", read.restart?.failures_max),
      fatalExits: [...(read.restart?.fatal_exits ?? [])],
      okExits: [...(read.restart?.ok_exits ?? [])],
    },
    deadlineMs: read.deadline ?? 0,
    mode: read.mode ?? 0,
    scheduler: read.scheduler ?? "",
    disableReclamation: read.reclaim === false,
    ...optional("downMax", read.down_max),
    drainEveryMs: read.drain_every ?? 0,
    ...optional("victimNoticeMs", read.victim_notice),
  };
}

function taskInit(read: ReadJob): NonNullable<Init["task"]> {
  const { health, ready } = read;
  return {
    command: [...(read.command ?? [])],
    environment: variables(read.env),
    limit: toResources(read),
    ports: [...(read.ports ?? [])],
    packages: [
      ...(read.image === undefined ? [] : [{ ...packageInit(read.image), root: true }]),
      ...(read.packages ?? []).map((each) => packageInit(each)),
    ],
    directory: read.directory ?? "",
    ...(health === undefined ? {} : { health: { ...checkInit(health), ...optional("graceMs", health.grace) } }),
    ...(ready === undefined ? {} : { ready: checkInit(ready) }),
    files: (read.files ?? []).map(({ key, value }) => ({ path: key, content: utf8(value.content ?? ""), mode: value.mode ?? 0 })),
    secrets: (read.secrets ?? []).map(({ key, value }) => ({ name: value, path: key })),
    ...(read.controller === undefined
      ? {}
      : { controller: { jobs: [...(read.controller.jobs ?? [])], ...optional("priorityMax", read.controller.priority_max) } }),
    volumes: (read.volumes ?? []).map(({ name, read_only }) => ({ name: name ?? "", readOnly: read_only ?? false })),
    ...optional("noticeMs", read.notice),
    lameDuckMs: read.lame_duck ?? 0,
    wholeCores: read.whole_cores ?? false,
    holdCpu: read.slack_cpu === false,
    slackRam: read.slack_ram ?? false,
  };
}

type ReadPackage = NonNullable<ReadJob["packages"]>[number];

const packageInit = ({
  name,
  version,
  user,
  path,
}: Pick<ReadPackage, "name" | "version" | "user"> & Partial<Pick<ReadPackage, "path">>) => ({
  name: name ?? "",
  version: version ?? "",
  user: user ?? "",
  path: path ?? "",
});

/** Not every machine can give a task another root: who asks for one asks for a machine that can. */
function constraintsOf({ image, constraints = [] }: ReadJob) {
  const { attribute, value } = IMAGES_ABLE;
  const isAsked = constraints.some((each) => each.attribute === attribute && each.operator === Operator.EQUAL && !each.soft);
  if (image === undefined || isAsked) return [...constraints];
  return [...constraints, { attribute, operator: Operator.EQUAL, values: [value] }];
}

type ReadCheck = NonNullable<ReadJob["ready"]>;

/** Of the three kinds the one that was given; `checkTogether` has seen that it is one. */
function checkInit(check: ReadCheck) {
  const rest = {
    intervalMs: check.interval ?? HEALTH_DEFAULTS.intervalMs,
    timeoutMs: check.timeout ?? HEALTH_DEFAULTS.timeoutMs,
    failures: check.failures ?? HEALTH_DEFAULTS.failures,
  };
  if (check.command !== undefined) return { kind: CheckKind.COMMAND, command: [...check.command], ...rest };
  if (check.tcp !== undefined) return { kind: CheckKind.TCP, port: check.tcp, ...rest };
  return { port: check.port ?? "", path: check.path ?? HEALTH_DEFAULTS.path, ...rest };
}

const variables = (env: ReadJob["env"]) => (env ?? []).map(({ key, value }) => ({ key, value }));

/** The cell replaces a limit whole; here what is not given comes from the job. */
function overrideInit(read: ReadJob, override: ReadOverride) {
  const bounds = Object.keys(resources) as readonly (keyof Bounds)[];
  const changed = bounds.some((name) => override[name] !== undefined);
  const limit = Object.fromEntries(bounds.map((name) => [name, override[name] ?? read[name]])) as unknown as Bounds;
  return {
    first: override.tasks?.first ?? 0,
    last: override.tasks?.last ?? 0,
    arguments: [...(override.args ?? [])],
    environment: variables(override.env),
    labels: variables(override.labels),
    ...(changed ? { limit: toResources(limit) } : {}),
  };
}

type Override = ReturnType<typeof overrideInit>;

/** Neighbours that ask for the same become one range, so that a job of many tasks stays small. */
function joinRanges(overrides: readonly Override[]): Override[] {
  const joined: Override[] = [];
  for (const override of overrides) {
    const last = joined.at(-1);
    const same = last !== undefined && last.last + 1 === override.first && rest(last) === rest(override);
    if (same) joined[joined.length - 1] = { ...last, last: override.last };
    else joined.push(override);
  }
  return joined;
}

const rest = (override: Override): string => JSON.stringify({ ...override, first: 0, last: 0 });

function referenceText(found: Reference | undefined, read: ReadJob): string {
  return found === undefined ? "" : `${found.user ?? read.user ?? ""}/${found.name}`;
}

const optional = <K extends string>(name: K, value: number | undefined): { [P in K]?: number } =>
  value === undefined ? {} : ({ [name]: value } as { [P in K]: number });

function checkTogether(reader: Reader, tuple: Tuple, read: ReadJob, what: string, span: Span): void {
  const at = (name: string): Span => tuple.cell(name)?.span ?? span;
  if (read.per_machine === true) {
    for (const name of ["count", "alloc_set", "overrides"] as const) {
      const isSet = name === "overrides" ? (read.overrides?.length ?? 0) > 0 : read[name] !== undefined;
      if (isSet) reader.report(at(name), `A job with one task per machine cannot have "${name}"`, "leave it out");
    }
  } else if (read.count === undefined && tuple.has("count") && reader.isNull(tuple.cell("count")!)) {
    reader.report(at("count"), "A job needs a count, or per_machine = true");
  }
  const program = tuple.cell("command");
  if (read.image === undefined && (program === undefined || reader.isNull(program)))
    reader.report(span, `${what} needs the field "command"`, `as in ${JOB.command.example}`);
  if (read.image !== undefined && formProblem(Form.NAME, read.image.name ?? "") !== undefined)
    reader.report(
      at("image"),
      `Expected the name and hash of a package for "image", found ${JSON.stringify((read.image.name ?? "").slice(0, 80))}`,
      "borg package push NAME --oci FILE brings an image into the cell, and says its hash",
    );
  if (read.command?.length === 0)
    reader.report(at("command"), 'Expected a program for "command", found an empty list', 'as in command = ["node", "server.js"]');
  const twice = read.ports?.find((port, i) => read.ports!.indexOf(port) < i);
  if (twice !== undefined) reader.report(at("ports"), `Port "${twice}" is named twice`);
  for (const name of ["health", "ready"] as const) checkOne(reader, at(name), name, read);
  if (read.start_after?.name === read.name && (read.start_after?.user ?? read.user) === read.user && read.start_after !== undefined) {
    reader.report(at("start_after"), "A job cannot wait for its own end");
  }
  for (const { tasks, args } of read.overrides ?? []) {
    if (args?.length === 0)
      reader.report(
        at("overrides"),
        'Expected at least one argument for "args", found none',
        "without args, the task has those of the job",
      );
    if (tasks === undefined || read.count === undefined || tasks.last < read.count) continue;
    reader.report(at("overrides"), `Override for task ${tasks.last} does not fit a job of ${read.count}`, "tasks are numbered from 0");
  }
}

/** A check asks one thing, of a port that the job has. */
function checkOne(reader: Reader, span: Span, name: "health" | "ready", read: ReadJob): void {
  const check = read[name];
  if (check === undefined) return;
  const what = name === "health" ? "Health check" : "Readiness check";
  const kinds = (["port", "tcp", "command"] as const).filter((kind) => check[kind] !== undefined);
  if (kinds.length !== 1) {
    const found = kinds.length === 0 ? "none of them" : kinds.map((kind) => `"${kind}"`).join(" and ");
    reader.report(span, `${what} needs one of "port", "tcp" and "command", found ${found}`, `as in ${name} = { port = "http" }`);
    return;
  }
  if (check.path !== undefined && check.port === undefined)
    reader.report(span, `${what} has a path, but asks nobody by HTTP`, 'name the port: port = "http", or leave the path out');
  if (check.command?.length === 0)
    reader.report(span, 'Expected a program for "command", found an empty list', 'as in command = ["test", "-f", "/tmp/ok"]');
  const wanted = check.port ?? check.tcp;
  if (wanted !== undefined && !(read.ports ?? []).includes(wanted))
    reader.report(span, `${what} asks port "${wanted}", which is not one of the job's ports`, `add it: ports = ["${wanted}"]`);
}
