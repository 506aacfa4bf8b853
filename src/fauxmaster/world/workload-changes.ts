/** The changes that clients ask for, as calls of the API. */
import type { CellMethod } from "../../borgmaster/api/access.ts";
import type { Init } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import type { Role } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Band } from "../../wire/gen/borg/v1/resource_pb.ts";
import type { AllocSetSpecSchema, JobSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";

/** A change without who asks for it, and under which id. */
export interface ClientCall {
  readonly method: CellMethod;
  readonly schema: typeof api.SubmitJobRequestSchema;
  readonly init: object;
}

export const change = (method: CellMethod, schema: unknown, init: object): ClientCall => ({
  method,
  schema: schema as typeof api.SubmitJobRequestSchema,
  init,
});

export const kill = (job: string): ClientCall => change("killJob", api.KillJobRequestSchema, { job });
export const submit = (spec: Init<typeof JobSpecSchema>): ClientCall => change("submitJob", api.SubmitJobRequestSchema, { spec });
export const resize = (job: string, count: number): ClientCall => change("resizeJob", api.ResizeJobRequestSchema, { job, count });
export const update = (spec: Init<typeof JobSpecSchema>, tasks: readonly { first: number; last: number }[], paused: boolean): ClientCall =>
  change("startUpdate", api.StartUpdateRequestSchema, { spec, tasks, paused });
export const updateAllocs = (allocSet: Init<typeof AllocSetSpecSchema>, paused: boolean): ClientCall =>
  change("startUpdate", api.StartUpdateRequestSchema, { allocSet, paused });
export const drain = (machine: string, draining: boolean): ClientCall =>
  change("drainMachine", api.DrainMachineRequestSchema, { machine, draining });
export const setQuota = (user: string, band: Band, quota: object): ClientCall =>
  change("setQuota", api.SetQuotaRequestSchema, { user, band, quota });
export const grant = (user: string, roles: readonly Role[]): ClientCall => change("grantUser", api.GrantUserRequestSchema, { user, roles });
