/**
 * Whole processors for tasks that reserve them (Borg §6.2). Other latency-sensitive tasks keep away from those; everybody else may run anywhere, with
 * tiny shares. Who has processors keeps them. No processor is given twice [KR2], and one is always left for those that reserve none.
 */

export interface CoreAsk {
  readonly key: string;
  /** 0: it reserves none. */
  readonly cores: number;
  /** What it has already; empty: nothing yet. */
  readonly held: readonly number[];
}

export interface CoreShares {
  /** Of those that reserve, what each has. One that is not here could not be given so many: it shares the rest. */
  readonly reserved: ReadonlyMap<string, readonly number[]>;
  /** For all latency-sensitive tasks without processors of their own; never empty on a machine with any. */
  readonly rest: readonly number[];
}

export function shareCores(all: readonly number[], asks: readonly CoreAsk[]): CoreShares {
  const free = new Set(all);
  const reserved = new Map<string, readonly number[]>();
  const take = (key: string, cores: readonly number[]): void => {
    for (const core of cores) free.delete(core);
    reserved.set(key, cores);
  };
  const wanting = asks.filter(({ cores }) => cores > 0);
  for (const { key, cores, held } of wanting)
    if (held.length === cores && held.every((core) => free.has(core)) && free.size > cores) take(key, held);
  for (const { key, cores } of wanting) if (!reserved.has(key) && free.size > cores) take(key, [...free].slice(-cores));
  return { reserved, rest: [...free] };
}

/** How many processors a task reserves: as many as its limit, when it asks for whole ones. */
export const coresAsked = (wholeCores: boolean, cpuMilli: number): number => (wholeCores ? Math.floor(cpuMilli / 1000) : 0);
