/** A refusal is a result with a reason in words, never an exception. */
export interface Refused {
  readonly ok: false;
  readonly reason: string;
}

export type Result<T> = { readonly ok: true; readonly value: T } | Refused;

export const refused = (reason: string): Refused => ({ ok: false, reason });

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
