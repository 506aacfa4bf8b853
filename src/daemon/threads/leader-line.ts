/**
 * What a page of a standby asks that only the leader can do: its changes, and what a machine must be asked for: who may ask, the leader says. It is passed on by the leader's Unix socket, where
 * whoever asks is the cell's owner: so only the owner's pages are served so. Everything else a standby answers from its own copy.
 */
import { METHODS, type Method } from "../../borgmaster/api/methods.ts";
import { CallError } from "../../rpc/call-error.ts";
import { type CellClient, connectCell } from "../../rpc/client.ts";
import type { Leader } from "../../rpc/front-door.ts";
import type { Call, CallOptions, CellHandlers } from "../../rpc/service.ts";

const LEADERS_ONLY: ReadonlySet<Method["kind"]> = new Set<Method["kind"]>(["change", "log", "file", "usage", "shell"]);
/** Of the time of a call: what is left for the answer's way back. */
const MARGIN_MS = 100;

export class LeaderLine {
  readonly #owner: string;
  /** Undefined while nobody leads, or this replica. */
  #client: CellClient | undefined;
  #path = "";

  constructor(owner: string) {
    this.#owner = owner;
  }

  leads(leader: Leader): void {
    const path = leader === undefined || leader === "self" || leader.owner.kind !== "unix" ? "" : leader.owner.path;
    if (path === this.#path) return;
    this.close();
    this.#path = path;
    this.#client = path === "" ? undefined : connectCell({ at: { kind: "unix", path } });
  }

  takes(method: keyof CellHandlers, { isPage, user, controller }: Call): boolean {
    const isOwners = isPage === true && user === this.#owner && controller === undefined;
    return this.#client !== undefined && isOwners && LEADERS_ONLY.has(METHODS[method].kind);
  }

  async ask(method: keyof CellHandlers, request: object, { deadlineMs, signal, stale, shown }: Call): Promise<object> {
    const ask = this.#client![method] as (request: object, options: CallOptions) => Promise<object>;
    try {
      return await ask(request, { timeoutMs: Math.max(1, deadlineMs - MARGIN_MS), signal, stale, shown });
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== "unreachable") throw error;
      throw new CallError("unavailable", "The replica that leads does not answer: try again", { cause: error });
    }
  }

  close(): void {
    this.#client?.close();
    this.#client = undefined;
  }
}
