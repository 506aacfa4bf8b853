/**
 * A spec of the cell as the fields of a file: the way back from to-job.ts. People are told what a job has, and what differs, in the words
 * they wrote it with. What comes out, evaluated, gives the same spec.
 */

import { deviceOfExtra } from "../../base/device-name.ts";
import { MEASURES, SIZED } from "../../base/dimension.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import {
  type AfterFailure,
  type AllocSetSpec,
  type AppClass,
  CheckKind,
  type Constraint,
  type HealthCheck,
  type JobSpec,
  Operator,
  type PackageRef,
  type RestartWhen,
  type SchedulingMode,
  type Spread,
  type TaskOverride,
  type TaskSpec,
  type Volume,
} from "../../wire/gen/borg/v1/spec_pb.ts";
import { LIMIT_DEFAULTS } from "../../wire/spec-defaults.ts";
import type { Plain, PlainTuple } from "../evaluator/plain.ts";
import type { Dimension } from "../quantity.ts";
import { utf8Text } from "./utf8.ts";

type Fields = Readonly<Record<string, Plain | undefined>>;

/** In the order given; what is undefined is not set. */
const tuple = (fields: Fields): PlainTuple =>
  new Map(Object.entries(fields).filter((entry): entry is [string, Plain] => entry[1] !== undefined));

const quantity =
  (dimension: Dimension, factor = 1) =>
  (amount: number): Plain => ({ amount: amount / factor, dimension });
const number = quantity("number");
const cores = quantity("number", 1000);
const bytes = quantity("bytes");
const time = quantity("duration");

/** For fields where nothing stands for "not set". */
const unless = <T>(nothing: T, value: T, show: (value: T) => Plain): Plain | undefined => (value === nothing ? undefined : show(value));
const given = (value: number | undefined, show: (value: number) => Plain): Plain | undefined =>
  value === undefined ? undefined : show(value);
const text = (value: string): Plain | undefined => (value === "" ? undefined : value);
const list = (items: readonly Plain[]): Plain | undefined => (items.length === 0 ? undefined : items);
const entries = (items: readonly (readonly [string, Plain])[]): Plain | undefined => (items.length === 0 ? undefined : new Map(items));

const SPREADS: Readonly<Record<Spread, string | undefined>> = [undefined, "soft", "hard", "rack", "power"] as never;
const MODES: Readonly<Record<SchedulingMode, string | undefined>> = [undefined, "incremental", "gang"] as never;
const AFTER_FAILURES: Readonly<Record<AfterFailure, string | undefined>> = [undefined, "start", "wait", "fail"] as never;
const CLASSES: Readonly<Record<AppClass, string | undefined>> = [undefined, "latency_sensitive", "batch"] as never;
const RESTARTS: Readonly<Record<RestartWhen, string | undefined>> = [undefined, "on_failure", "always", "never"] as never;

export function jobFields(spec: JobSpec): PlainTuple {
  const { user, task } = spec;
  const own = task === undefined ? new Map() : taskFields(task);
  const { command, ...rest } = Object.fromEntries(own) as Readonly<Record<string, Plain | undefined>>;
  return tuple({
    command,
    name: spec.name,
    user,
    priority: number(spec.priority),
    count: spec.perMachine ? undefined : number(spec.count),
    per_machine: spec.perMachine,
    ...rest,
    restart: entries([...restart(spec)]),
    update: entries([...update(spec)]),
    victim_notice: given(spec.victimNoticeMs, time),
    deadline: unless(0, spec.deadlineMs, time),
    overrides: list(spec.overrides.map((one) => override(one, task?.limit))),
    ...placing(spec),
    app_class: CLASSES[spec.appClass],
    alloc_set: reference(spec.allocSet, user),
    kept_directory: spec.keptDirectory === "" ? undefined : spec.keptDirectory,
    start_after: reference(spec.startAfter, user),
    after_failure: AFTER_FAILURES[spec.afterFailure],
    beside: list(spec.beside.map(({ job, max }) => tuple({ job: reference(job, user), max: number(max) }))),
    reclaim: !spec.disableReclamation,
  });
}

export function allocSetFields(spec: AllocSetSpec): PlainTuple {
  return tuple({
    name: spec.name,
    user: spec.user,
    priority: number(spec.priority),
    count: number(spec.count),
    ...bounds(spec.limit),
    ports: number(spec.ports),
    tenants: list(spec.tenants),
    keep_directory: unless(0, spec.keepDirectoryMs, time),
    ...placing(spec),
    update: entries([...update(spec)]),
  });
}

/** What a single task runs with; of a job, without what it overrides. */
export function taskFields(task: TaskSpec): PlainTuple {
  return tuple({
    command: task.command.length === 0 ? undefined : task.command,
    ...bounds(task.limit),
    whole_cores: unless(false, task.wholeCores, Boolean),
    slack_cpu: unless(false, task.holdCpu, (isHeld) => !isHeld),
    slack_ram: unless(false, task.slackRam, Boolean),
    ports: list(task.ports),
    env: entries(task.environment.map(({ key, value }) => [key, value])),
    image: task.packages.filter(({ root }) => root).map(packageRef)[0],
    packages: list(task.packages.filter(({ root }) => !root).map(packageRef)),
    directory: task.directory === "" ? undefined : task.directory,
    files: entries(task.files.map(({ path, content, mode }) => [path, file(utf8Text(content), mode)])),
    secrets: entries(task.secrets.map(({ name, path }) => [path, name])),
    controller:
      task.controller === undefined
        ? undefined
        : tuple({ jobs: list(task.controller.jobs), priority_max: given(task.controller.priorityMax, number) }),
    volumes: list(task.volumes.map(volume)),
    health: task.health === undefined ? undefined : check(task.health),
    ready: task.ready === undefined ? undefined : check(task.ready),
    notice: given(task.noticeMs, time),
    lame_duck: unless(0, task.lameDuckMs, time),
  });
}

/** In one line where that says it all. */
function packageRef({ user, name, version, path }: PackageRef): Plain {
  const called = `${user === "" ? "" : `${user}/`}${name}`;
  if (path === "") return version === "" ? called : `${called}@${version}`;
  return tuple({ user: user || undefined, name, version: version || undefined, path });
}

function bounds(found: Resources | undefined): Fields {
  if (found === undefined) return {};
  const sizes = SIZED.map((dimension): readonly [string, Plain | undefined] => {
    const { field, word, written } = MEASURES[dimension];
    const isAsked = found[field] > 0 || field in LIMIT_DEFAULTS;
    return [word, isAsked ? (written === "cores" ? cores : bytes)(found[field]) : undefined];
  });
  return {
    ...Object.fromEntries(sizes),
    extras: entries(found.extras.flatMap(({ name, amount }) => (deviceOfExtra(name) === undefined ? [[name, number(amount)]] : []))),
    devices: entries(
      found.extras.flatMap(({ name, amount }) => {
        const device = deviceOfExtra(name);
        return device === undefined ? [] : [[device, cores(amount)]];
      }),
    ),
  };
}

/** What jobs and alloc sets say about where they go. */
function placing({ constraints, spread, labels, mode, scheduler, downMax, drainEveryMs }: JobSpec | AllocSetSpec): Fields {
  return {
    constraints: list(constraints.map(constraint)),
    spread: SPREADS[spread],
    labels: entries(labels.map(({ key, value }) => [key, value])),
    mode: MODES[mode],
    scheduler: text(scheduler),
    down_max: given(downMax, number),
    drain_every: drainEveryMs > 0 ? time(drainEveryMs) : undefined,
  };
}

const restart = ({ restart: found }: JobSpec): PlainTuple =>
  found === undefined
    ? new Map()
    : tuple({
        when: RESTARTS[found.when],
        in_place_max: given(found.inPlaceMax, number),
        failures_max: given(found.failuresMax, number),
        fatal_exits: list(found.fatalExits.map(number)),
        ok_exits: list(found.okExits.map(number)),
        backoff_min: unless(0, found.backoffMinMs, time),
        backoff_max: unless(0, found.backoffMaxMs, time),
      });

const update = ({ update: found }: Pick<JobSpec | AllocSetSpec, "update">): PlainTuple =>
  found === undefined
    ? new Map()
    : tuple({
        batch: unless(0, found.batch, number),
        disruptions_max: given(found.disruptionsMax, number),
        watch: time(found.watchMs),
        failures_max: number(found.failuresMax),
      });

const check = ({ kind, port, path, command, intervalMs, timeoutMs, failures, graceMs }: HealthCheck): PlainTuple =>
  tuple({
    [kind === CheckKind.TCP ? "tcp" : "port"]: text(port),
    path: text(path),
    command: list(command),
    interval: time(intervalMs),
    timeout: time(timeoutMs),
    failures: unless(0, failures, number),
    grace: given(graceMs, time),
  });

const file = (content: string, mode: number): Plain =>
  mode === 0 ? content : tuple({ content, mode: `0${mode.toString(8).padStart(3, "0")}` });

const volume = ({ name, readOnly }: Volume): Plain => (readOnly ? tuple({ name, read_only: true }) : name);

/** The cell holds an override's limit whole; only what differs from the job's was meant. */
function override({ first, last, arguments: args, environment, labels, limit }: TaskOverride, whole: Resources | undefined): PlainTuple {
  const own = limit === undefined ? {} : bounds(limit);
  const theirs = bounds(whole);
  const changed = Object.fromEntries(Object.entries(own).filter(([name, value]) => key(value) !== key(theirs[name])));
  return tuple({
    tasks: first === last ? number(first) : [number(first), number(last)],
    args: list(args),
    env: entries(environment.map(({ key: name, value }) => [name, value])),
    labels: entries(labels.map(({ key: name, value }) => [name, value])),
    ...changed,
  });
}

const key = (value: Plain | undefined): string => JSON.stringify(value instanceof Map ? [...value] : (value ?? null));

const TESTS: ReadonlyMap<Operator, string> = new Map([
  [Operator.EQUAL, "is"],
  [Operator.NOT_EQUAL, "is_not"],
  [Operator.IN, "one_of"],
  [Operator.NOT_IN, "none_of"],
  [Operator.AT_LEAST, "at_least"],
  [Operator.AT_MOST, "at_most"],
  [Operator.PREFIX, "begins_with"],
]);

function constraint({ attribute, operator, values, soft, weight }: Constraint): PlainTuple {
  const name = TESTS.get(operator);
  const many = operator === Operator.IN || operator === Operator.NOT_IN;
  const test: Fields = name === undefined ? { exists: operator === Operator.EXISTS } : { [name]: many ? values : (values[0] ?? "") };
  return tuple({ attribute, ...test, prefer: soft ? number(weight) : undefined });
}

/** One's own are named without the user. */
const reference = (name: string, user: string): Plain | undefined => text(name.startsWith(`${user}/`) ? name.slice(user.length + 1) : name);
