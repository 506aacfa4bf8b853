/**
 * What of a job only some may see: the values of its environment, the contents of its files, the arguments of its command. Others see that they are there, and
 * everything that placement depends on.
 */
import { type UserId, userId } from "../../base/id.ts";
import type { CellState } from "../../cell/state.ts";
import { make } from "../../wire/codec.ts";
import type { CheckpointRecord } from "../../wire/gen/borg/v1/checkpoint_pb.ts";
import { CheckpointRecordSchema } from "../../wire/gen/borg/v1/checkpoint_pb.ts";
import { Capability, Role } from "../../wire/gen/borg/v1/op_pb.ts";
import type { EnvironmentVariable, JobSpec, TaskSpec } from "../../wire/gen/borg/v1/spec_pb.ts";

const NOTHING = new Uint8Array();

/** Its owner, admins, and who was granted it. */
export function maySee(state: CellState, name: string, owner: UserId): boolean {
  const user = state.users.get(userId(name));
  if (user === undefined) return false;
  const { roles, capabilities } = user;
  if (user.id === owner || roles.has(Role.CELL_ADMIN)) return true;
  return capabilities.has(Capability.MODIFY_ANY_JOB) || capabilities.has(Capability.READ_ANY_JOB);
}

export const veiledTask = (task: TaskSpec): TaskSpec => ({
  ...task,
  command: task.command.slice(0, 1),
  environment: veiledVariables(task.environment),
  files: task.files.map((file) => ({ ...file, content: NOTHING })),
});

export const veiledJob = ({ task, overrides, ...rest }: JobSpec): JobSpec => ({
  ...rest,
  ...(task === undefined ? {} : { task: veiledTask(task) }),
  overrides: overrides.map((each) => ({ ...each, arguments: [], environment: veiledVariables(each.environment) })),
});

const veiledVariables = (variables: readonly EnvironmentVariable[]): EnvironmentVariable[] =>
  variables.map((variable) => ({ ...variable, value: "" }));

/** As schedulers outside the master get them: nothing of users, and of jobs what scheduling needs. */
export function veiledRecords(records: readonly CheckpointRecord[]): CheckpointRecord[] {
  return records.flatMap((record) => {
    const { body } = record;
    if (body.case === "user") return [];
    if (body.case !== "job" || body.value.spec.case !== "job") return [record];
    const spec = { case: "job" as const, value: veiledJob(body.value.spec.value) };
    return [make(CheckpointRecordSchema, { body: { case: "job", value: { ...body.value, spec } } })];
  });
}
