/** Assertions stay on in production: a stopped replica is better than a wrong one. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

export class AssertionError extends Error {}

/** Closes every switch over a union: the compiler proves that no case is missing. */
export function unreachable(value: never): never {
  throw new AssertionError(`Cannot happen: ${JSON.stringify(value)}`);
}
