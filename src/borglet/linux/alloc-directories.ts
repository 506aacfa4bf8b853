/**
 * What the tasks of an alloc share on a machine: one directory, which outlives each of them and goes with the alloc. Under root it has a group of its
 * own, which only tasks of the alloc are in; whoever's they are, they may change what the others wrote there. [A2]
 */
import { chmodSync, chownSync, lstatSync, readdirSync, renameSync } from "node:fs";
import { instanceOf, keyOf } from "../instance-key.ts";
import { type Layout, makeDirectory } from "./layout.ts";

/** Those of the group may enter and write, and what they make is the group's. */
const SHARED_MODE = 0o2770;

/** Who holds an alloc's group, among the jobs that hold users. */
export const holderOf = (alloc: string): string => `alloc ${alloc}`;

export class AllocDirectories {
  readonly #layout: Layout;
  readonly #groupOf: (holder: string) => number | undefined;

  /** `groupOf`: a number that nobody else holds; undefined where tasks have no users of their own. */
  constructor(layout: Layout, groupOf: (holder: string) => number | undefined) {
    this.#layout = layout;
    this.#groupOf = groupOf;
  }

  list(): readonly string[] {
    return readdirSync(this.#layout.allocs).flatMap((key) => instanceOf(key) ?? []);
  }

  /** Made whole or not at all, unless it is there: its group. */
  make(alloc: string): number | undefined {
    if (alloc === "") return undefined;
    const group = this.#groupOf(holderOf(alloc));
    const shared = this.#layout.shared(keyOf(alloc));
    makeDirectory(this.#layout.alloc(keyOf(alloc)), 0o711);
    if (lstatSync(shared, { throwIfNoEntry: false }) !== undefined) return group;
    const made = `${shared}.new`;
    makeDirectory(made, 0o700);
    if (group !== undefined) chownSync(made, 0, group);
    chmodSync(made, SHARED_MODE);
    renameSync(made, shared);
    return group;
  }

  /** Empty: it is in none. */
  sharedOf(alloc: string): string {
    return alloc === "" ? "" : this.#layout.shared(keyOf(alloc));
  }
}
