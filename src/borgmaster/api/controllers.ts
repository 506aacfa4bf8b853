/**
 * Tokens of controllers at the API: what a task of a controller gets before it runs, whose token one is, and what it may be used for. A token is made from the cell's
 * key and names its instance; none is kept. Changes are decided by the cell itself (src/cell/ops/controllers.ts), reads here.
 */
import { splitTask } from "../../base/id.ts";
import { isController, notControlled, userOfController } from "../../cell/ops/controllers.ts";
import type { CellState } from "../../cell/state.ts";
import type * as api from "../../wire/gen/borg/v1/api_pb.ts";
import type { Vault } from "../vault.ts";
import type { CellMethod } from "./access.ts";
import type { ApiCall } from "./message.ts";

/** How a task reaches the API. */
export interface Door {
  readonly url: string;
  /** PEM: who proves that it is this cell. */
  readonly authorities: readonly string[];
}

export const NO_DOOR: Door = { url: "", authorities: [] };

const TOKEN = /^borg-controller_([a-z0-9/:-]{1,160})_([0-9a-f]{64})$/;

/** What a task of a controller finds beside its secrets; empty when it is none. All of it is ASCII. */
export function controllerPass(state: CellState, vault: Vault, instance: string, { url, authorities }: Door): Uint8Array {
  if (!isController(state, instance)) return new Uint8Array();
  const token = `borg-controller_${instance}_${vault.tokenOf(state.name, instance)}`;
  const text = JSON.stringify({ cell: state.name, url, authorities, token });
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Undefined: it is no such token, or its task is not to run any more. */
export function controllerOf(
  state: CellState,
  vault: Vault,
  token: string,
): { readonly user: string; readonly controller: string } | undefined {
  const [, controller = "", proof = ""] = TOKEN.exec(token) ?? [];
  if (controller === "" || !vault.isTokenOf(state.name, controller, proof)) return undefined;
  const user = userOfController(state, controller);
  return user === undefined ? undefined : { user, controller };
}

type Target = (request: never) => string;
const ofJob: Target = ({ job }: { readonly job: string }) => job;
const ofTask: Target = ({ task }: { readonly task: string }) => splitTask(task).job;
const ofSpec: Target = ({ spec }: { readonly spec?: { readonly user: string; readonly name: string } }) =>
  spec === undefined ? "" : `${spec.user}/${spec.name}`;

/** The job that each call is about that a controller may make; all others are its user's. */
const CALLS: Readonly<Partial<Record<CellMethod, Target>>> = {
  submitJob: ofSpec,
  killJob: ofJob,
  restartJob: ofJob,
  resizeJob: ofJob,
  forgetJob: ofJob,
  startUpdate: ofSpec,
  pauseUpdate: ofJob,
  undoUpdate: ofJob,
  commitUpdate: ofJob,
  getJob: ofJob,
  getUpdate: ofJob,
  listTasks: ofJob,
  getTask: ofTask,
  readLog: ofTask,
  readUsage: ofTask,
  explain: ({ name }: api.ExplainRequest) => name.split("/").slice(0, 2).join("/"),
};

export const notForControllers = (controller: string, method: CellMethod): string =>
  `Controller "${controller}" may not call ${method}: its token is for its jobs alone; its user can, with a token of its own`;

/** Why a controller may not make this call; undefined when it may, or when its user itself calls. */
export function controllerAccess(state: CellState, { method, controller, request }: ApiCall): string | undefined {
  if (controller === undefined) return undefined;
  const target = CALLS[method];
  if (target === undefined) return notForControllers(controller, method);
  return notControlled(state, controller, target(request as never));
}
