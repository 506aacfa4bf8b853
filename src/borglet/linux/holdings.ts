/**
 * Who holds which user and group ids of this machine: jobs, allocs, volumes and the unpacker of packages. An id goes to somebody else only when the one who
 * had it owns nothing any more: no task, no directory on its way out, no file in a directory of an alloc or a volume. [borglet.V3]
 */
import { readdirSync } from "node:fs";
import { splitTask, taskOf } from "../../base/id.ts";
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { instanceOf } from "../instance-key.ts";
import type { KeptFile } from "../kept-file.ts";
import type { Abilities } from "./abilities.ts";
import { AllocDirectories, holderOf } from "./alloc-directories.ts";
import type { Layout } from "./layout.ts";
import { UNPACKER } from "./packages.ts";
import { Sharers } from "./sharers.ts";
import type { Uids } from "./uids.ts";
import { isVolumeHolder, Volumes, volumeHolder } from "./volumes.ts";

export interface HoldingsOptions {
  readonly layout: Layout;
  readonly abilities: Pick<Abilities, "user">;
  readonly kept: Pick<KeptFile, "memory">;
  readonly uids: Uids;
  readonly log: (line: string) => void;
}

const jobOf = (instance: string): string => splitTask(taskOf(instance)).job;

export class Holdings {
  readonly #options: HoldingsOptions;
  readonly #sharers: Sharers;
  readonly allocs: AllocDirectories;
  readonly volumes: Volumes;

  constructor(options: HoldingsOptions) {
    this.#options = options;
    const { layout, log } = options;
    this.#sharers = new Sharers(layout.sharers);
    this.allocs = new AllocDirectories(layout, this.idOf);
    this.volumes = new Volumes({ groupOf: this.idOf, own: [layout.directory, layout.area], log });
  }

  /** Undefined where tasks have no users of their own. */
  readonly idOf = (holder: string): number | undefined => {
    if (this.#options.abilities.user !== "root") return undefined;
    let here: ReadonlySet<string> | undefined;
    const isHere = (other: string): boolean => {
      here ??= this.#holders();
      return isVolumeHolder(other) || here.has(other);
    };
    return this.#options.uids.of(holder, isHere);
  };

  /** The groups that a task is in beside its own. What it writes through them is known as its job's from now on. */
  groupsOf(order: StartOrder): readonly number[] {
    const given = this.volumes.give(order);
    const holders = given.filter(({ readOnly }) => !readOnly).map(({ name }) => volumeHolder(order.instance.split("/")[0] ?? "", name));
    const shared = order.alloc || order.directory;
    if (shared !== "" && order.alloc === "" && !this.allocs.list().includes(shared))
      throw new Error(`This machine no longer has the directory of alloc "${shared}"`);
    if (shared !== "") holders.push(holderOf(shared));
    if (this.#options.abilities.user === "root") for (const holder of holders) this.#sharers.add(holder, jobOf(order.instance));
    return [this.allocs.make(shared), ...given.map(({ group }) => group)].filter((group) => group !== undefined);
  }

  #holders(): ReadonlySet<string> {
    const { layout, kept } = this.#options;
    const leaving = readdirSync(layout.trash).flatMap((name) => instanceOf(name.split("~")[0] ?? "") ?? []);
    const allocs = new Set([...this.allocs.list(), ...leaving].map(holderOf));
    const sharers = this.#sharers.jobs((holder) => isVolumeHolder(holder) || allocs.has(holder));
    return new Set([UNPACKER, ...[...kept.memory.instances.keys(), ...leaving].map(jobOf), ...allocs, ...sharers]);
  }
}
