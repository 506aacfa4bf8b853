/** The fields of a job. */
import { LOWEST } from "../../wire/band.ts";
import { Form } from "../../wire/gen/borg/v1/bound_pb.ts";
import { AfterFailure, AppClass, RestartWhen } from "../../wire/gen/borg/v1/spec_pb.ts";
import {
  BAND_DEFAULT,
  COUNT_DEFAULT,
  EXIT_MAX,
  EXITS_MAX,
  FILE_MODE_DEFAULT,
  HEALTH_DEFAULTS,
  NOTICE_MS_DEFAULT,
  RESTART_DEFAULTS,
} from "../../wire/spec-defaults.ts";
import { quantityText } from "../quantity.ts";
import {
  constraints,
  DAY_MS,
  downMax,
  drainEvery,
  identity,
  KEY,
  LINE,
  labels,
  mode,
  NAME,
  priority,
  resources,
  resourcesWith,
  scheduler,
  spread,
} from "./common.ts";
import { field, record } from "./field.ts";
import { reference } from "./reference.ts";
import { anyText, boolean, choice, dictionary, duration, list, show, type TextBounds, type Type, text, whole } from "./type.ts";
import { UPDATE } from "./update-policy.ts";

const PATH: TextBounds = { most: 512, form: Form.PATH, called: "an absolute path" };
const ARGUMENT: TextBounds = { most: 131_072 };
const CONTENT_MAX = 262_144;
const LAME_DUCK_MS_MAX = 3_600_000;

const command = list(anyText(ARGUMENT), 1024, 'a list of text, such as ["node", "server.js"]');
const environment = dictionary(anyText({ most: 32_768 }), 512, { ...KEY, most: 128 }, 'a tuple of variables, such as { PORT = "80" }');

/** Text, or a tuple with more to say. */
function shorthand<T>(of: Type<T>, plain: (text: string) => T, bounds: TextBounds, expected: string): Type<T> {
  const short = text(bounds);
  return {
    expected,
    ...(of.fields === undefined ? {} : { fields: of.fields }),
    read: (reader, thunk, name) => {
      const value = reader.force(thunk);
      if (value.kind === "text") return plain(short.read(reader, thunk, name));
      if (value.kind === "tuple") return of.read(reader, thunk, name);
      throw reader.mismatch(thunk, expected, name, value);
    },
    show: (reader, thunk) => {
      const value = reader.force(thunk);
      return value.kind === "text" ? value.text : show(of, reader, thunk);
    },
  };
}

const HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const IMAGE = {
  name: field(text(NAME), "The package.", 'name = "shop-server"', { required: true }),
  version: field(text({ ...LINE, most: 128 }), "The SHA-256 of its bytes, as `borg package push` tells it.", `version = "${HASH}"`),
  user: field(text(NAME), "Whose it is. Unset: the job's user.", 'user = "ann"'),
};
const PACKAGE = {
  ...IMAGE,
  path: field(text(PATH), "Where the task finds it, read-only. Unset: `/borg/packages/<name>`.", 'path = "/app"'),
};
const REF: TextBounds = { most: 200, form: Form.LINE };

/** `user/name@hash`, as a listing shows it. */
function refOf(found: string) {
  const [called = "", version] = found.split("@", 2);
  const slash = called.indexOf("/");
  const user = slash === -1 ? undefined : called.slice(0, slash);
  return { user, name: called.slice(slash + 1), version: version?.replace(/^sha256:/, ""), path: undefined };
}

const packageRef = shorthand(
  record(PACKAGE, "a package"),
  refOf,
  REF,
  'text such as "ann/shop-server@9f86d0...", or a tuple with name and version',
);
const image = shorthand(record(IMAGE, "an image"), refOf, REF, 'text such as "ann/nginx@9f86d0...", or a tuple with name and version');

const FILE = {
  content: field(anyText({ most: CONTENT_MAX }), "What is in it.", 'content = "debug=1"', { required: true }),
  mode: field(fileMode(), "Permissions, in octal.", 'mode = "0600"', { shown: `"0${FILE_MODE_DEFAULT.toString(8)}"` }),
};
const file = shorthand(
  record(FILE, "a file"),
  (content) => ({ content, mode: undefined }),
  { most: CONTENT_MAX },
  "text, or a tuple with content and mode",
);

function fileMode(): Type<number> {
  const expected = 'permissions in octal, such as "0644"';
  return {
    expected,
    read: (reader, thunk, name) => {
      const value = reader.force(thunk);
      if (value.kind === "text" && /^0?[0-7]{3}$/.test(value.text)) return Number.parseInt(value.text, 8);
      throw reader.mismatch(thunk, expected, name, value, "put it into quotes, so that it is not read as a decimal number");
    },
  };
}

const VOLUME = {
  name: field(text(NAME), "The volume, as the machine's operator calls it.", 'name = "data"', { required: true }),
  read_only: field(boolean, "Whether tasks can only read it.", "read_only = true"),
};
const volume = shorthand(
  record(VOLUME, "a volume"),
  (name) => ({ name, read_only: undefined }),
  NAME,
  "the name of a volume, or a tuple with name and read_only",
);

const BESIDE = {
  job: field(reference("job"), "The other job: its name, or the job itself.", 'job = "mill"', { required: true }),
  max: field(whole(0, 100_000), "How many of its tasks, at most.", "max = 1", { required: true }),
};

const CONTROLLER = {
  jobs: field(
    list(text({ ...LINE, most: 64 }), 16, 'a list of names, such as ["count-*"]'),
    "The jobs that it may submit, change and end: their names, or with a `*` at the end how they begin.",
    'jobs = ["count-*"]',
    { required: true },
  ),
  priority_max: field(priority, "The highest priority of these jobs. Unset: just below its own.", "priority_max = 110"),
};

const time = (amount: number): string => quantityText({ amount, dimension: "duration" });

/** What a check asks, whatever follows from the answer: one of port, tcp and command. */
const CHECK = {
  port: field(text(NAME), "By HTTP: the named port that answers. 2xx and 3xx are good; no redirect is followed.", 'port = "http"'),
  path: field(text({ most: 1024, form: Form.LINE }), "By HTTP: the path that is asked for.", 'path = "/healthz"', {
    shown: JSON.stringify(HEALTH_DEFAULTS.path),
  }),
  tcp: field(text(NAME), "By TCP: the named port that has to take a connection.", 'tcp = "db"'),
  command: field(
    list(anyText({ most: 4096 }), 64, 'a list of text, such as ["test", "-f", "/tmp/ok"]'),
    "By a command: it runs beside the task, with its files, environment, user and limits, and exit 0 is good. It does not see the task's processes.",
    'command = ["test", "-f", "/tmp/ok"]',
  ),
  interval: field(duration(3_600_000), "How often; a command at most every second.", "interval = 5s", {
    shown: time(HEALTH_DEFAULTS.intervalMs),
  }),
  timeout: field(duration(600_000), "How long an answer may take.", "timeout = 1s", { shown: time(HEALTH_DEFAULTS.timeoutMs) }),
};

const failures = (words: string) => field(whole(1, 1000), words, "failures = 5", { shown: String(HEALTH_DEFAULTS.failures) });

const HEALTH = {
  ...CHECK,
  failures: failures("How many bad answers in a row make the task unhealthy, so that it is restarted."),
  grace: field(duration(DAY_MS), "Until its first good answer, bad ones count only after this.", "grace = 2min", {
    shown: time(HEALTH_DEFAULTS.graceMs),
  }),
};

const READY = { ...CHECK, failures: failures("How many bad answers in a row make a task that was ready not ready.") };

const exits = list(whole(0, EXIT_MAX), EXITS_MAX);

const RESTART = {
  when: field(
    choice(
      new Map([
        ["on_failure", RestartWhen.ON_FAILURE],
        ["always", RestartWhen.ALWAYS],
        ["never", RestartWhen.NEVER],
      ]),
    ),
    '"on_failure" after a bad end, "always" also after a good one, "never" not at all. Services (production and above) are restarted always, others on failure.',
    'when = "always"',
    { default: 'if is_service then "always" else "on_failure"', shown: '"always" for production and above, else "on_failure"' },
  ),
  in_place_max: field(whole(0, 1_000_000), "How often on the same machine, before another one is tried.", "in_place_max = 5", {
    shown: String(RESTART_DEFAULTS.inPlaceMax),
  }),
  failures_max: field(
    whole(0, 1_000_000),
    "How many failed runs in a row, on all machines together, make the task dead. Unset: no limit.",
    "failures_max = 10",
  ),
  fatal_exits: field(
    exits,
    "Exit codes of the program with which a task has failed for good: it is dead, and not restarted, whatever `when` says.",
    "fatal_exits = [64, 78]",
  ),
  ok_exits: field(exits, "Exit codes of the program that are as good as 0.", "ok_exits = [3]"),
  backoff_min: field(
    duration(DAY_MS),
    "How long before the first restart; the time doubles with each. A cell may have another default. Who took more than its limit waits at least as long as by default.",
    "backoff_min = 5s",
    { shown: time(RESTART_DEFAULTS.backoffMinMs) },
  ),
  backoff_max: field(duration(DAY_MS), "The longest time before a restart. A cell may have another default.", "backoff_max = 10min", {
    shown: time(RESTART_DEFAULTS.backoffMaxMs),
  }),
};

const OVERRIDE = {
  tasks: field(indexRange(), "The index of the task, or the first and the last of several.", "tasks = [0, 4]", { required: true }),
  args: field(command, "Takes the place of the arguments after the program.", 'args = ["--leader"]'),
  env: field(environment, "Variables that are added or changed.", 'env = { ROLE = "leader" }'),
  labels: field(labels.type, "Labels that are added or changed, to call some tasks by.", 'labels = { track = "canary" }'),
  ...resourcesWith("Another limit; what is not given comes from the job."),
};

export interface IndexRange {
  readonly first: number;
  readonly last: number;
}

function indexRange(): Type<IndexRange> {
  const expected = "an index, or a list of the first and the last";
  const index = whole(0, 99_999);
  return {
    expected,
    read: (reader, thunk, name) => {
      const value = reader.force(thunk);
      if (value.kind === "number") {
        const found = index.read(reader, thunk, name);
        return { first: found, last: found };
      }
      if (value.kind !== "list" || value.items.length !== 2) throw reader.mismatch(thunk, expected, name, value);
      const [first, last] = value.items.map((item, i) => index.read(reader, item, `${name}[${i}]`)) as [number, number];
      if (first > last) throw reader.fault(thunk, `Expected the first index before the last for "${name}", found ${first} and ${last}`);
      return { first, last };
    },
  };
}

export const JOB = {
  command: field(
    command,
    "The program and its arguments. `node` is on every task's PATH; `$(BORG_PORT_HTTP)`, `$(BORG_TASK)` and the like become what they are for the task. With an `image`: what follows the image's entrypoint, and unset, what the image says.",
    'command = ["node", "server.js"]',
    { shown: "required without an image" },
  ),
  ...identity,
  priority: field(
    priority,
    "Who goes first, and who may push out whom: free, batch, production or monitoring, or a number between 0 and 450.",
    "priority = production",
    { default: String(LOWEST[BAND_DEFAULT]), shown: BAND_DEFAULT },
  ),
  count: field(whole(1, 100_000), "How many tasks: they are numbered from 0.", "count = 3", {
    default: `if is_everywhere then null else ${COUNT_DEFAULT}`,
    shown: `${COUNT_DEFAULT}, or none with per_machine`,
  }),
  per_machine: field(boolean, "One task on every machine that meets the constraints, instead of a count.", "per_machine = true", {
    default: "false",
  }),
  ...resources,
  whole_cores: field(
    boolean,
    "Processors of its own, as many as `cpu` says, for latency-sensitive tasks with a whole number of them. Other latency-sensitive tasks keep away from those.",
    "whole_cores = true",
    { default: "false" },
  ),
  slack_cpu: field(
    boolean,
    "Whether a task may use processors beyond `cpu` while nobody else wants them. false: never more than `cpu`, where its machine has control groups.",
    "slack_cpu = false",
    { default: "true" },
  ),
  slack_ram: field(
    boolean,
    "Whether a task may use memory beyond `ram` while nobody else needs it. When somebody does, it is the first to be evicted. true needs a capability.",
    "slack_ram = true",
    { default: "false" },
  ),
  ports: field(
    list(text(NAME), 64, 'a list of names, such as ["http"]'),
    "Names of ports. The cell picks the numbers; a task finds them in `BORG_PORT_<NAME>`.",
    'ports = ["http", "admin"]',
  ),
  env: field(
    environment,
    "Environment variables. Numbers and booleans become text; `$(BORG_TASK)` and the like become what they are for the task.",
    'env = { LOG = "debug", RETRIES = 3 }',
  ),
  packages: field(
    list(packageRef, 64, 'a list of packages, such as ["ann/shop-server@9f86d0..."]'),
    "Packages that are there, read-only, before the task starts: `user/name@hash`, or with a path of their own. A task finds where in `BORG_PACKAGE_<NAME>`.",
    `packages = ["shop-server@${HASH}"]`,
  ),
  image: field(
    image,
    "A package that `borg package push NAME --oci FILE` made of an image: its files are the task's `/`, read-only, and its entrypoint, environment and directory hold where the job says nothing. Needs machines with `images` = `yes`, which is asked for.",
    `image = "nginx@${HASH}"`,
  ),
  directory: field(
    text(PATH),
    "Where the command starts. Unset: the image's directory, or the task's own.",
    'directory = "/borg/packages/shop-server"',
  ),
  files: field(
    dictionary(file, 64, PATH, 'a tuple of files, such as { "/etc/app.conf" = "..." }'),
    "Configuration files, by their path in the task.",
    'files = { "/etc/app.conf" = "debug=1" }',
  ),
  secrets: field(
    dictionary(text(NAME), 64, PATH, 'a tuple of secrets, such as { "/borg/secrets/db" = "db-password" }'),
    "Secrets of the job's user (`borg secret set`), by the file in `/borg/secrets` where a task finds each, in memory; `BORG_SECRETS` is that directory, also where there is no jail.",
    'secrets = { "/borg/secrets/db" = "db-password" }',
  ),
  controller: field(
    record(CONTROLLER, "a controller"),
    "Its tasks get a token to submit, change and end other jobs of the same user, as `$BORG_SECRETS/controller.json`.",
    'controller = { jobs = ["count-*"] }',
  ),
  volumes: field(
    list(volume, 64, 'a list of volumes, such as ["data"]'),
    "Directories that machines offer to the job's user; the task finds each at `/borg/volumes/<name>`, and stays with its machine.",
    'volumes = ["data", { name = "music", read_only = true }]',
  ),
  health: field(
    record(HEALTH, "a health check"),
    "A check by HTTP, TCP or command; a task that fails it is restarted.",
    'health = { port = "http", path = "/healthz" }',
  ),
  ready: field(
    record(READY, "a readiness check"),
    "A check like health, but a task that fails it is not restarted: it only does not count as ready. Whoever waits for the job waits for this.",
    'ready = { command = ["test", "-f", "/tmp/ok"], interval = 2s }',
  ),
  restart: field(record(RESTART, "a restart policy"), "What happens when a task ends.", 'restart = { when = "always" }', {
    default: defaults(RESTART),
    shown: "see inside",
  }),
  update: field(record(UPDATE, "an update policy"), "How `borg update` rolls a new version out.", "update = { batch = 2, watch = 30s }", {
    default: defaults(UPDATE),
    shown: "see inside",
  }),
  notice: field(
    duration(DAY_MS),
    "Time between SIGTERM and SIGKILL when a task is stopped. A cell may have another default.",
    "notice = 30s",
    { shown: time(NOTICE_MS_DEFAULT) },
  ),
  lame_duck: field(
    duration(LAME_DUCK_MS_MAX),
    "How long a task that is stopped still serves, told as stopping, before its SIGTERM: whoever knows its address goes elsewhere meanwhile. Unset: not at all.",
    "lame_duck = 5s",
  ),
  victim_notice: field(
    duration(DAY_MS),
    "The longest time, lame duck and notice together, that tasks get when this job pushes them out. Unset: what they asked for.",
    "victim_notice = 5s",
  ),
  deadline: field(
    duration(365 * DAY_MS),
    "The longest life of a task after its first start; then it is stopped and counts as failed. Unset: none.",
    "deadline = 2h",
  ),
  overrides: field(
    list(record(OVERRIDE, "an override"), 1000, "a list of overrides"),
    "What differs for single tasks; per_index() makes it from a function.",
    `overrides = per_index(2, (i) => { args = ["--shard=\${i}"] })`,
  ),
  constraints,
  spread,
  labels,
  app_class: field(
    choice(
      new Map([
        ["latency_sensitive", AppClass.LATENCY_SENSITIVE],
        ["batch", AppClass.BATCH],
      ]),
    ),
    '"latency_sensitive" is placed by the scheduler for services, which decides fast. Services (production and above) are, others are "batch".',
    'app_class = "latency_sensitive"',
    { default: 'if is_service then "latency_sensitive" else "batch"', shown: '"latency_sensitive" for production and above, else "batch"' },
  ),
  kept_directory: field(
    text({ most: 160, form: Form.INSTANCE, called: "an alloc that is gone" }),
    "The alloc, gone, whose kept directory the one task finds at `/borg/alloc`; it runs where that is (`borg directory ls`).",
    'kept_directory = "ann/room/0:9"',
  ),
  alloc_set: field(
    reference("alloc set"),
    "Tasks run inside the allocs of this set: its name, or the set itself.",
    "alloc_set = web_alloc",
  ),
  beside: field(
    list(record(BESIDE, "a limit on another job"), 8, 'a list of limits, such as [{ job = "mill", max = 1 }]'),
    "How many tasks of other jobs may be on a machine with one of this. Jobs of the same user keep to it too; those of others only keep this one away.",
    'beside = [{ job = "mill", max = 1 }]',
  ),
  start_after: field(
    reference("job"),
    "Starts only when this job has ended: its name, or the job itself. `after_failure` says what happens when it did not end well.",
    "start_after = setup",
  ),
  after_failure: field(
    choice(
      new Map([
        ["start", AfterFailure.START],
        ["wait", AfterFailure.WAIT],
        ["fail", AfterFailure.FAIL],
      ]),
    ),
    'When a task of the job of `start_after` failed, was killed or was lost: start all the same ("start"), wait until it was run again and ended well ("wait"), or be killed ("fail").',
    'after_failure = "fail"',
    { shown: '"start"' },
  ),
  mode,
  scheduler,
  reclaim: field(boolean, "Whether what the tasks do not use may be lent to others. false needs a capability.", "reclaim = false", {
    default: "true",
  }),
  down_max: downMax,
  drain_every: drainEvery,
};

/** The defaults inside a nested tuple, as one expression. */
function defaults(fields: Readonly<Record<string, { readonly default: string | undefined }>>): string {
  const given = Object.entries(fields).flatMap(([name, spec]) => (spec.default === undefined ? [] : [`${name} = ${spec.default}`]));
  return `{ ${given.join(", ")} }`;
}

export type ReadOverride = NonNullable<ReturnType<typeof JOB.overrides.type.read>>[number];
