/** The API's changes: one function per call, from a request to the op it asks for. Who asks was authenticated at the edge; whether they may is apply's matter. */
import type { Init } from "../../wire/codec.ts";
import type * as api from "../../wire/gen/borg/v1/api_pb.ts";
import type { OpSchema } from "../../wire/gen/borg/v1/op_pb.ts";

export type OpBody = NonNullable<Init<typeof OpSchema>["body"]>;

export const submitJob = ({ spec }: api.SubmitJobRequest): OpBody => ({ case: "jobSubmit", value: { spec: spec! } });

export const submitAllocSet = ({ spec }: api.SubmitAllocSetRequest): OpBody => ({ case: "allocSetSubmit", value: { spec: spec! } });

export const killJob = ({ job }: api.KillJobRequest): OpBody => ({ case: "jobKill", value: { job } });

export const openShell = ({ instance }: api.OpenShellRequest): OpBody => ({ case: "shellOpen", value: { instance } });
export const restartJob = ({ job, tasks }: api.RestartJobRequest): OpBody => ({ case: "jobRestart", value: { job, tasks } });

export const resizeJob = ({ job, count }: api.ResizeJobRequest): OpBody => ({ case: "jobResize", value: { job, count } });

export const forgetJob = ({ job }: api.ForgetJobRequest): OpBody => ({ case: "jobForget", value: { job } });

export const unpinTask = ({ task }: api.UnpinTaskRequest): OpBody => ({ case: "taskUnpin", value: { task } });

export const forgetDirectory = ({ alloc }: api.ForgetDirectoryRequest): OpBody => ({ case: "directoryForget", value: { alloc } });

export const startUpdate = ({ spec, allocSet, tasks, paused }: api.StartUpdateRequest): OpBody => ({
  case: "updateStart",
  value: { ...(spec === undefined ? {} : { spec }), ...(allocSet === undefined ? {} : { allocSet }), tasks, paused },
});

export const pauseUpdate = ({ job, paused }: api.PauseUpdateRequest): OpBody => ({ case: "updatePause", value: { job, paused } });

export const undoUpdate = ({ job }: api.UndoUpdateRequest): OpBody => ({ case: "updateUndo", value: { job } });

export const commitUpdate = ({ job }: api.CommitUpdateRequest): OpBody => ({ case: "updateCommit", value: { job } });

export const configureCell = ({ config }: api.ConfigureCellRequest): OpBody => ({ case: "cellConfigure", value: { config: config! } });

export const setReclamation = ({ reclamation }: api.SetReclamationRequest): OpBody => ({ case: "reclamationSet", value: { reclamation } });

export const setOffers = ({ module, shortPermille, shortMs }: api.SetOffersRequest): OpBody => ({
  case: "offersSet",
  value: {
    ...(module === undefined ? {} : { module }),
    ...(shortPermille === undefined ? {} : { shortPermille }),
    ...(shortMs === undefined ? {} : { shortMs }),
  },
});

export const drainMachine = ({ machine, draining }: api.DrainMachineRequest): OpBody => ({
  case: "machineDrain",
  value: { machine, draining },
});

export const removeMachine = ({ machine }: api.RemoveMachineRequest): OpBody => ({ case: "machineLeave", value: { machine } });

/** The approval's end is counted from now, which only the edge knows. */
export const approveMachine = ({ machine, approval, tokenHash, ttlMs }: api.ApproveMachineRequest, nowMs: number): OpBody => ({
  case: "machineApprove",
  value: { machine, approval: approval!, tokenHash, untilMs: ttlMs === 0 ? 0 : nowMs + ttlMs },
});

export const setQuota = ({ user, band, quota, oversell }: api.SetQuotaRequest): OpBody => ({
  case: "quotaSet",
  value: { user, band, quota: quota!, oversell },
});

export const setBounds = ({ user, bounds }: api.SetBoundsRequest): OpBody => ({ case: "boundsSet", value: { user, bounds: bounds! } });

export const grantUser = ({ user, roles, capabilities, only, labels }: api.GrantUserRequest): OpBody => ({
  case: "userGrant",
  value: { user, roles, capabilities, add: !only, ...(labels === undefined ? {} : { labels }) },
});

/** The token's end is counted from now, which only the edge knows. */
export const createToken = ({ user, hash, label, ttlMs }: api.CreateTokenRequest, nowMs: number): OpBody => ({
  case: "tokenSet",
  value: { user, hash, label, untilMs: ttlMs === 0 ? 0 : nowMs + ttlMs },
});

export const revokeToken = ({ user, id }: api.RevokeTokenRequest): OpBody => ({ case: "tokenRevoke", value: { user, id } });

export const setScheduler = ({ name, limits }: api.SetSchedulerRequest): OpBody => ({
  case: "schedulerSet",
  value: { name, limits: limits! },
});

export const addPackage = ({ user, name, digest, bytes, shared, labels }: api.AddPackageRequest): OpBody => ({
  case: "packageAdd",
  value: { user, name, digest, bytes, shared, ...(labels === undefined ? {} : { labels }) },
});

export const removePackage = ({ user, name, digest }: api.RemovePackageRequest): OpBody => ({
  case: "packageRemove",
  value: { user, name, digest },
});

export const removeSecret = ({ user, name }: api.RemoveSecretRequest): OpBody => ({ case: "secretRemove", value: { user, name } });

export const subscribeFramework = ({ spec, id, session }: api.SubscribeFrameworkRequest): OpBody => ({
  case: "frameworkSubscribe",
  value: { spec: spec!, id, session },
});

export const launchTasks = ({ framework, session, launches }: api.LaunchTasksRequest): OpBody => ({
  case: "frameworkLaunch",
  value: { framework, session, launches },
});

export const killTasks = ({ framework, session, taskIds, noticeMs }: api.KillTasksRequest): OpBody => ({
  case: "frameworkKill",
  value: { framework, session, taskIds, ...(noticeMs === undefined ? {} : { noticeMs }) },
});

export const acknowledgeUpdates = ({ framework, session, acknowledgements }: api.AcknowledgeUpdatesRequest): OpBody => ({
  case: "frameworkAcknowledge",
  value: { framework, session, acknowledgements },
});

export const teardownFramework = ({ framework, session }: api.TeardownFrameworkRequest): OpBody => ({
  case: "frameworkTeardown",
  value: { framework, session },
});

export const setRole = ({ role }: api.SetRoleRequest): OpBody => ({ case: "roleSet", value: { role: role! } });
