/**
 * What of a job only some may see: the values of its environment, the contents of its files, the names of its secrets, the arguments of its command and of its checks. Others see that they are there, and
 * everything that placement depends on. The same of where directories of its allocs are kept.
 */
import { type UserId, userId } from "../../base/id.ts";
import { feedRecord } from "../../cell/feed-piece.ts";
import { hasImage } from "../../cell/package.ts";
import type { CellState } from "../../cell/state.ts";
import type { FeedRecord } from "../../wire/gen/borg/v1/feed_pb.ts";
import { Capability, Role } from "../../wire/gen/borg/v1/op_pb.ts";
import type { JobRecord, LaunchedRecord, TaskRecord, TasksRecord } from "../../wire/gen/borg/v1/record_pb.ts";
import type { EnvironmentVariable, HealthCheck, JobSpec, TaskSpec } from "../../wire/gen/borg/v1/spec_pb.ts";

const NOTHING = new Uint8Array();

/** Its owner, admins, and who was granted it. */
export function maySee(state: CellState, name: string, owner: UserId): boolean {
  const user = state.users.get(userId(name));
  if (user === undefined) return false;
  const { roles, capabilities } = user;
  if (user.id === owner || roles.has(Role.CELL_ADMIN)) return true;
  return capabilities.has(Capability.MODIFY_ANY_JOB) || capabilities.has(Capability.READ_ANY_JOB);
}

/** Whose rows of the history this user may see, and whether it may see who asked for what. */
export function historyOf(state: CellState, name: string): { readonly owners: "all" | readonly string[]; readonly audit: boolean } {
  const user = state.users.get(userId(name));
  if (user === undefined) return { owners: [], audit: false };
  const { roles, capabilities } = user;
  const audit = roles.has(Role.CELL_ADMIN);
  const all = audit || capabilities.has(Capability.MODIFY_ANY_JOB) || capabilities.has(Capability.READ_ANY_JOB);
  return { owners: all ? "all" : [name], audit };
}

/** Of an instance, a task or a job. */
export const ownerOf = (name: string): UserId => userId(name.slice(0, name.indexOf("/")));

export const veiledTask = (task: TaskSpec): TaskSpec => ({
  ...task,
  // Of a task from an image even the first word is an argument.
  command: hasImage(task) ? [] : task.command.slice(0, 1),
  environment: veiledVariables(task.environment),
  files: task.files.map((file) => ({ ...file, content: NOTHING })),
  // Not even what they are called: names say what somebody uses.
  secrets: [],
  ...(task.executor === undefined ? {} : { executor: { ...task.executor, info: NOTHING } }),
  ...(task.health === undefined ? {} : { health: veiledCheck(task.health) }),
  ...(task.ready === undefined ? {} : { ready: veiledCheck(task.ready) }),
});

const veiledCheck = (check: HealthCheck): HealthCheck => ({ ...check, command: check.command.slice(0, 1) });

export const veiledJob = ({ task, overrides, ...rest }: JobSpec): JobSpec => ({
  ...rest,
  ...(task === undefined ? {} : { task: veiledTask(task) }),
  overrides: overrides.map((each) => ({ ...each, arguments: [], environment: veiledVariables(each.environment) })),
});

const veiledVariables = (variables: readonly EnvironmentVariable[]): EnvironmentVariable[] =>
  variables.map((variable) => ({ ...variable, value: "" }));

const ownerIn = ({ job }: TasksRecord): UserId => userId(job.slice(0, job.indexOf("/")));

/** As this user may see them: of jobs that are not for it to see, what placement depends on. */
export function veiledRecords(state: CellState, user: string, records: readonly FeedRecord[]): FeedRecord[] {
  return records.map((record) => {
    const { body } = record;
    if (body.case === "user" && !maySee(state, user, userId(body.value.name)))
      return feedRecord({ case: "user", value: { ...body.value, packages: body.value.packages.filter(({ shared }) => shared) } });
    if (
      body.case === "tasks" &&
      body.value.tasks.some(({ launched }) => launched !== undefined) &&
      !maySee(state, user, ownerIn(body.value))
    )
      return feedRecord({ case: "tasks", value: { ...body.value, tasks: veiledTasks(body.value.tasks) } });
    if (body.case === "machine") {
      const directories = body.value.directories.filter(({ alloc }) => maySee(state, user, ownerOf(alloc)));
      return directories.length === body.value.directories.length
        ? record
        : feedRecord({ case: "machine", value: { ...body.value, directories } });
    }
    if (body.case !== "job" || body.value.spec.case !== "job" || maySee(state, user, userId(body.value.spec.value.user))) return record;
    const kept = body.value.kept.map((each) => ({ ...each, spec: veiledSpec(each.spec) }));
    // By a digest guesses of what is veiled could be tried.
    const value = { ...body.value, spec: veiledSpec(body.value.spec), kept, specDigest: NOTHING };
    const { update } = value;
    return feedRecord({
      case: "job",
      value: update?.spec === undefined ? value : { ...value, update: { ...update, spec: veiledJob(update.spec) } },
    });
  });
}

const veiledSpec = <S extends JobRecord["spec"]>(spec: S): S => (spec.case === "job" ? { ...spec, value: veiledJob(spec.value) } : spec);

/** What an executor sent along is for its framework. */
const veiledLaunch = (launched: LaunchedRecord, spec: JobSpec): LaunchedRecord => ({
  ...launched,
  spec: veiledJob(spec),
  updates: launched.updates.map((update) => ({ ...update, data: NOTHING })),
});

/** Of tasks of a framework, which have their specs with them. */
const veiledTasks = (tasks: readonly TaskRecord[]): TaskRecord[] =>
  tasks.map((task) => (task.launched?.spec === undefined ? task : { ...task, launched: veiledLaunch(task.launched, task.launched.spec) }));
