/** What each method of the API is: a change that becomes an op, a read of the copy, or a question to another actor. One row each, or this does not compile. */
import { splitTask } from "../../base/id.ts";
import type { Result } from "../../base/result.ts";
import type * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { type CellMethod, HASH, KEY } from "./access.ts";
import * as asks from "./asks.ts";
import type { Copy } from "./copy.ts";
import * as frameworks from "./frameworks.ts";
import { listPackages } from "./packages.ts";
import type { Meter } from "./price.ts";
import { readFeed } from "./read-feed.ts";
import * as reads from "./reads.ts";
import { reportEvictions, reportQuota, reportReclaim } from "./reports.ts";
import { resolve } from "./resolve.ts";
import { reportShapes } from "./shapes.ts";
import { checkUpdate, getUpdate } from "./update-reads.ts";

type Ask = (request: never, nowMs: number) => asks.OpBody;
type Read = (copy: Copy, request: never, user: string, meter: Meter) => Result<object>;

export interface Polled {
  readonly page: object;
  /** There is nothing to tell yet. */
  readonly empty: boolean;
  /** What to ask for at the next look, where that is less than was asked for. */
  readonly next?: object;
}

export type Method =
  | { readonly kind: "change"; readonly ask: Ask }
  | { readonly kind: "read"; readonly read: Read }
  /** A read that with nothing to tell waits for the next entry, as long as the caller wants to. */
  | { readonly kind: "poll"; readonly read: (copy: Copy, request: never, user: string, meter: Meter) => Polled }
  | {
      readonly kind:
        | "views"
        | "explain"
        | "check"
        | "log"
        | "claims"
        | "schedulers"
        | "master"
        | "joins"
        | "deny"
        | "edge"
        | "query"
        | "upload"
        | "secret"
        | "secrets"
        | "rotate"
        | "file"
        | "usage"
        | "shell";
    };

const change = (ask: Ask): Method => ({ kind: "change", ask });
const read = (answer: Read): Method => ({ kind: "read", read: answer });
const always = (answer: (copy: Copy, request: never, user: string, meter: Meter) => object): Method =>
  read((copy, request, user, meter) => ({ ok: true, value: answer(copy, request, user, meter) }));

export const METHODS: Readonly<Record<CellMethod, Method>> = {
  submitJob: change(asks.submitJob),
  submitAllocSet: change(asks.submitAllocSet),
  killJob: change(asks.killJob),
  restartJob: change(asks.restartJob),
  openShell: change(asks.openShell),
  resizeJob: change(asks.resizeJob),
  forgetJob: change(asks.forgetJob),
  unpinTask: change(asks.unpinTask),
  forgetDirectory: change(asks.forgetDirectory),
  startUpdate: change(asks.startUpdate),
  pauseUpdate: change(asks.pauseUpdate),
  undoUpdate: change(asks.undoUpdate),
  commitUpdate: change(asks.commitUpdate),
  configureCell: change(asks.configureCell),
  setReclamation: change(asks.setReclamation),
  setOffers: change(asks.setOffers),
  drainMachine: change(asks.drainMachine),
  removeMachine: change(asks.removeMachine),
  approveMachine: change(asks.approveMachine),
  setQuota: change(asks.setQuota),
  setBounds: change(asks.setBounds),
  grantUser: change(asks.grantUser),
  createToken: change(asks.createToken),
  revokeToken: change(asks.revokeToken),
  setScheduler: change(asks.setScheduler),
  addPackage: change(asks.addPackage),
  removePackage: change(asks.removePackage),
  uploadPackage: { kind: "upload" },
  setSecret: { kind: "secret" },
  removeSecret: change(asks.removeSecret),
  rotateSecretKey: { kind: "rotate" },
  subscribeFramework: change(asks.subscribeFramework),
  launchTasks: change(asks.launchTasks),
  killTasks: change(asks.killTasks),
  acknowledgeUpdates: change(asks.acknowledgeUpdates),
  teardownFramework: change(asks.teardownFramework),
  setRole: change(asks.setRole),
  listFrameworks: always(frameworks.listFrameworks),
  getFramework: read(frameworks.getFramework),
  listRoles: always(frameworks.listRoles),
  getCell: always(reads.getCell),
  listJobs: always(reads.listJobs),
  getJob: read(reads.getJob),
  getUpdate: read(getUpdate),
  checkUpdate: read(checkUpdate),
  listTasks: always(reads.listTasks),
  getTask: read(reads.getTask),
  listMachines: always(reads.listMachines),
  getMachine: read(reads.getMachine),
  // Sessions of browsers are at the port, as tokens are.
  openUi: { kind: "edge" },
  endUi: { kind: "edge" },
  // The history is kept by another process, which is asked from the port.
  runQuery: { kind: "query" },
  listJoins: { kind: "joins" },
  denyMachine: { kind: "deny" },
  listQuota: always(reads.listQuota),
  listUsers: always(reads.listUsers),
  listTokens: always(reads.listTokens),
  listPackages: always(listPackages),
  listSecrets: { kind: "secrets" },
  reportEvictions: always(reportEvictions),
  reportReclaim: always(reportReclaim),
  reportQuota: always(reportQuota),
  reportShapes: always(reportShapes),
  readEvents: { kind: "poll", read: events },
  resolve: { kind: "poll", read: resolve },
  readFeed: { kind: "poll", read: feed },
  watchViews: { kind: "views" },
  explain: { kind: "explain" },
  checkJob: { kind: "check" },
  readLog: { kind: "log" },
  readFile: { kind: "file" },
  readUsage: { kind: "usage" },
  useShell: { kind: "shell" },
  listSchedulers: { kind: "schedulers" },
  getMaster: { kind: "master" },
  claimTasks: { kind: "claims" },
};

/** Where nothing was found, nothing will be but what comes; that something was missed is told again. */
function events(copy: Copy, request: api.ReadEventsRequest, _user: string, meter: Meter): Polled {
  const page = reads.readEvents(copy, request, meter);
  const next = page.missed ? request : { ...request, afterPosition: page.nextPosition, afterIndex: page.nextIndex };
  return { page, empty: page.events.length === 0, next };
}

function feed(copy: Copy, request: api.ReadFeedRequest, user: string, meter: Meter): Polled {
  const page = readFeed(copy, request, user, meter);
  return { page, empty: page.items.length + page.piece.length === 0 };
}

/** Whose things a call is about, where that decides who may make it. */
export function aboutOf(method: CellMethod, request: object, caller: string): string {
  if (method === "listSecrets") return (request as api.ListSecretsRequest).user || caller;
  if (method === "listTokens") return (request as api.ListTokensRequest).user;
  if (method === "readLog" || method === "readFile") return splitTask((request as api.ReadLogRequest).task).job.split("/")[0] ?? "";
  if (method === "checkUpdate") return userOfSpec(request as api.CheckUpdateRequest);
  if (method === "checkJob") return (request as api.CheckJobRequest).spec?.user ?? "";
  if (method === "claimTasks") return (request as api.ClaimTasksRequest).scheduler;
  if (method === "rotateSecretKey") return KEY;
  if (method === "getCell" && (request as api.GetCellRequest).hash) return HASH;
  return "";
}

const userOfSpec = ({ spec, allocSet }: api.CheckUpdateRequest): string => (spec ?? allocSet)?.user ?? "";

/** Changes that a page may ask for, as its user: those that a person makes while looking. Who may what is decided as for everybody; tokens, rights, quota, secrets and new jobs are not among them. A suggestion is applied by an update. */
const PAGED_CHANGES: ReadonlySet<CellMethod> = new Set<CellMethod>([
  "startUpdate",
  "pauseUpdate",
  "undoUpdate",
  "commitUpdate",
  "drainMachine",
  "killJob",
  "restartJob",
  "resizeJob",
  "openShell",
  "useShell",
]);

const NOT_READS: readonly string[] = ["change", "claims", "edge", "deny", "upload", "shell", "secret", "rotate"];

/** What may be asked by a page. */
export const mayBePaged = (method: CellMethod): boolean => !NOT_READS.includes(METHODS[method].kind) || PAGED_CHANGES.has(method);
