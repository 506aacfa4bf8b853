/**
 * Who may call what. Every method of the API stands here, or this does not compile. Changes are decided by the cell itself, in apply; this table is
 * for reads, and for keeping out who is not known at all.
 */
import { userId } from "../../base/id.ts";
import type { CellState, User } from "../../cell/state.ts";
import type { CellService } from "../../wire/gen/borg/v1/api_pb.ts";
import { Capability, Role } from "../../wire/gen/borg/v1/op_pb.ts";

/** `admin`: admins only. `cell`: the cell decides. `known`: whoever has a role. `self`: about oneself, or an admin. `owner`: whoever may change the job. `scheduler`: whoever may schedule. */
type Access = "admin" | "cell" | "known" | "self" | "owner" | "scheduler";

export type CellMethod = keyof (typeof CellService)["method"];

const ACCESS: Readonly<Record<CellMethod, Access>> = {
  submitJob: "cell",
  submitAllocSet: "cell",
  killJob: "cell",
  restartJob: "cell",
  openShell: "cell",
  resizeJob: "cell",
  forgetJob: "cell",
  unpinTask: "cell",
  forgetDirectory: "cell",
  startUpdate: "cell",
  pauseUpdate: "cell",
  undoUpdate: "cell",
  commitUpdate: "cell",
  configureCell: "cell",
  setReclamation: "cell",
  setOffers: "cell",
  drainMachine: "cell",
  removeMachine: "cell",
  approveMachine: "cell",
  setQuota: "cell",
  setBounds: "cell",
  grantUser: "cell",
  createToken: "cell",
  revokeToken: "cell",
  setScheduler: "cell",
  addPackage: "cell",
  removePackage: "cell",
  uploadPackage: "cell",
  setSecret: "cell",
  removeSecret: "cell",
  rotateSecretKey: "admin",
  subscribeFramework: "cell",
  launchTasks: "cell",
  killTasks: "cell",
  acknowledgeUpdates: "cell",
  teardownFramework: "cell",
  setRole: "cell",
  listFrameworks: "known",
  getFramework: "known",
  listRoles: "known",
  getCell: "known",
  getMaster: "known",
  listJobs: "known",
  getJob: "known",
  getUpdate: "known",
  // By what restarts one could guess what is veiled.
  checkUpdate: "owner",
  listTasks: "known",
  getTask: "known",
  listMachines: "known",
  getMachine: "known",
  openUi: "known",
  endUi: "known",
  listJoins: "admin",
  denyMachine: "admin",
  listQuota: "known",
  listUsers: "known",
  listTokens: "self",
  // Of everybody's packages those that the caller's jobs may name.
  listPackages: "known",
  // Names say what somebody uses.
  listSecrets: "self",
  reportEvictions: "known",
  // Of what jobs and tasks show anyway, the sums.
  reportReclaim: "known",
  reportQuota: "known",
  reportShapes: "known",
  explain: "known",
  // It costs as much as a pass of the scheduler.
  checkJob: "owner",
  readEvents: "known",
  // Tasks call each other, whoever's they are (Borg §2.6).
  resolve: "known",
  // Of each row what the lists show.
  watchViews: "known",
  // A log may hold what only its owner should read.
  readLog: "owner",
  readFile: "owner",
  // Lists show to everybody what each task uses.
  readUsage: "known",
  // Of a shell that the caller opened; whose task it is in is looked at again.
  useShell: "known",
  listSchedulers: "known",
  // Of each job what the caller may see.
  readFeed: "known",
  // Of the history what the caller may see of the cell.
  runQuery: "known",
  claimTasks: "scheduler",
};

/** What a GetCell is about that asks for the hash of the whole state. */
export const HASH = "hash";

/** What a RotateSecretKey is about. */
export const KEY = "key";

/** Why this user may not make this call; `about` is whose things it is about. */
export function accessProblem(state: CellState, method: CellMethod, name: string, about: string): string | undefined {
  const user = state.users.get(userId(name));
  if (user === undefined || user.roles.size === 0) return `User "${name}" has no role in this cell: ask its owner for one`;
  const access = method === "getCell" && about === HASH ? "admin" : ACCESS[method];
  if (!isAllowed(access, user, about)) return problemText(access, name, about);
  if (method !== "claimTasks" || user.roles.has(Role.CELL_ADMIN) || state.schedulers.get(about)?.limits.user === name) return undefined;
  return `Scheduler "${about}" is not user "${name}"'s: an admin gives it away with borg scheduler --name ${about} --grant ${name}`;
}

function problemText(access: Access, name: string, about: string): string {
  if (access === "admin" && about === HASH)
    return `User "${name}" may not ask for the ${about}: it costs the whole cell, and only admins may`;
  if (access === "admin" && about === KEY) return `User "${name}" may not exchange the key of secrets: only admins of the cell may`;
  if (access === "admin") return `User "${name}" may not say who joins: only admins of the cell may`;
  if (access === "scheduler") return `User "${name}" needs the capability schedule: borg user grant ${name} --capability schedule`;
  return `User "${name}" may not read this of user "${about}": its owner and admins may`;
}

function isAllowed(access: Access, user: User, about: string): boolean {
  if (access === "cell" || access === "known" || user.roles.has(Role.CELL_ADMIN)) return true;
  if (access === "admin") return false;
  if (access === "scheduler") return user.capabilities.has(Capability.SCHEDULE);
  return user.id === about || (access === "owner" && user.capabilities.has(Capability.MODIFY_ANY_JOB));
}
