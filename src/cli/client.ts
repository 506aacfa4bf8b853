/** The cell as commands see it: one method per call, and what goes wrong in words. Never loads the transport before it is needed. */
import { DataError } from "../daemon/data-error.ts";
import { type CallCode, CallError } from "../rpc/call-error.ts";
import type { CellClientOptions } from "../rpc/client.ts";
import type { CellMethods } from "../rpc/service.ts";
import { type ExitName, Failure } from "./exit.ts";

/** A test's need not be closed. */
export type CellClient = CellMethods & { readonly close?: () => void };

export type Connect = (options: CellClientOptions) => Promise<CellClient>;

export const connectReal: Connect = async (options) => (await import("../rpc/client.ts")).connectCell(options);

const EXITS: Readonly<Record<CallCode, ExitName>> = {
  refused: "refused",
  unimplemented: "refused",
  "not-found": "notFound",
  "not-permitted": "notPermitted",
  unauthenticated: "notPermitted",
  "bad-request": "usage",
  "too-large": "usage",
  unavailable: "unreachable",
  unknown: "unreachable",
  unreachable: "unreachable",
  cancelled: "interrupted",
  internal: "fault",
};

const HINTS: Partial<Record<CallCode, string>> = {
  unreachable: "is it up? borg up starts one, borg cell ls shows those you know",
  unavailable: "try again in a moment",
  unimplemented: "the cell is older than this command",
};

/** Any error as what the user is told. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof DataError) return new Failure("usage", error.message, error.hint, { cause: error });
  if (error instanceof CallError) return new Failure(EXITS[error.code], error.message, error.hint ?? HINTS[error.code], { cause: error });
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Failure("fault", `A fault in borg itself: ${stack}`, "please report it, with the command you gave", { cause: error });
}
