/**
 * Exit codes that a restart policy names: those with which a task has failed for good, and those with which it has done well. Only a program that ended by itself says
 * something with its code: not one that was killed, nor one whose end somebody else has words for.
 */
import { exitWords } from "../base/exit-words.ts";
import type { RestartPolicy } from "./gen/borg/v1/spec_pb.ts";

export interface Ended {
  readonly code: number;
  readonly signal: number;
  /** Empty, or the words for code and signal: nobody says more. */
  readonly message: string;
}

export type NamedExits = Pick<RestartPolicy, "fatalExits" | "okExits">;

const isOwn = ({ code, signal, message }: Ended): boolean => signal === 0 && (message === "" || message === exitWords(code, 0));

/** It has failed, whatever else the policy says: nobody tries it again. */
export const isFatalExit = (policy: NamedExits | undefined, ended: Ended): boolean =>
  policy?.fatalExits.includes(ended.code) === true && isOwn(ended);

/** As good as exit 0. */
export const isOkExit = (policy: NamedExits | undefined, ended: Ended): boolean =>
  policy?.okExits.includes(ended.code) === true && isOwn(ended);

/** Of lists as they are written. */
export function exitsProblem({ fatalExits, okExits }: NamedExits): string | undefined {
  const both = fatalExits.find((code) => okExits.includes(code));
  return both === undefined ? undefined : `Exit ${both} cannot be in fatal_exits and in ok_exits: leave it out of one of them`;
}
