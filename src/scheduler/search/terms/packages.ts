/**
 * Which places have which packages. Installing them is most of a task's start-up, and whether they are there already is the only data
 * locality there is (Borg §3.2). A package that is asked for without version is any version of it.
 */
import { isDigest, packageOwner } from "../../../cell/package.ts";
import type { Face, Place } from "../../../cell/state.ts";
import type { Need } from "../feasible.ts";
import type { Facts, FactTerm } from "../term.ts";

/** Answers that are kept; beyond it all are forgotten and found again. */
const KEPT_MAX = 200;

class Packages implements Facts {
  readonly #size: number;
  readonly #slots = new Map<string, Set<number>>();
  readonly #of: (readonly string[])[] = [];
  readonly #kept = new Map<string, Float64Array>();

  constructor(size: number) {
    this.#size = size;
  }

  describe(slot: number, { machine }: Place): void {
    const { packages } = machine.facts;
    const before = this.#of[slot] ?? [];
    if (before.length === 0 && packages.length === 0) return;
    for (const name of namesOf(before)) this.#slots.get(name)?.delete(slot);
    for (const name of namesOf(packages)) this.#slots.set(name, (this.#slots.get(name) ?? new Set()).add(slot));
    this.#of[slot] = packages;
    this.#kept.clear();
  }

  /** The share of a job's packages that is there. */
  parts({ face }: Need): Float64Array | undefined {
    const asked = packagesOf(face).filter((name) => (this.#slots.get(name)?.size ?? 0) > 0);
    if (asked.length === 0) return undefined;
    const all = packagesOf(face).length;
    const key = `${all} ${asked.join(" ")}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    const found = new Float64Array(this.#size);
    for (const name of asked) for (const slot of this.#slots.get(name) ?? []) found[slot] = (found[slot] as number) + 1;
    for (let i = 0; i < found.length; i++) found[i] = (found[i] as number) / all;
    this.#kept.set(key, found);
    return found;
  }
}

/** `name@version` and, for those who do not mind, `name`. */
const namesOf = (packages: readonly string[]): Set<string> =>
  new Set(packages.flatMap((each) => (each.includes("@") ? [each, each.slice(0, each.indexOf("@"))] : [each])));

const packagesOf = ({ wants }: Face): string[] =>
  (wants.task?.packages ?? []).map((ref) => {
    const named = ref.user === "" && !isDigest(ref.version) ? ref.name : `${packageOwner(ref, wants)}/${ref.name}`;
    return ref.version === "" ? named : `${named}@${ref.version}`;
  });

export const packages: FactTerm = {
  /** For a machine that has every package of the task. */
  points: 5,
  isCost: false,
  asks: (face) => packagesOf(face).join(" "),
  learn: (size) => new Packages(size),
};
