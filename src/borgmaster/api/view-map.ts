/** The machines as a map: one byte for each in each figure, in the order of racks and names. A page is told the figures of which some byte is another. */
import { compareIds, type MachineId } from "../../base/id.ts";
import { make } from "../../wire/codec.ts";
import { type ViewMap, ViewMapSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Meter } from "./price.ts";
import type { Amount, Level } from "./view-amounts.ts";
import type { MachineLine } from "./view-machines.ts";

const UNKNOWN = 255;
const PERCENT = 100;
const STATES: readonly string[] = ["up", "draining", "drained", "unreachable"];

type Figure = (line: MachineLine) => number;

const share =
  (level: (of: Level) => Amount, resource: keyof Amount): Figure =>
  ({ state, capacity, production, rest }) => {
    // Of a machine that does not answer nobody knows what is used.
    if (state === "unreachable" || capacity[resource] === 0) return UNKNOWN;
    const all = level(production)[resource] + level(rest)[resource];
    return Math.min(UNKNOWN - 1, Math.round((PERCENT * all) / capacity[resource]));
  };

const FIGURES = {
  states: ({ state }) => STATES.indexOf(state),
  tasks: ({ tasks }) => Math.min(UNKNOWN, tasks),
  cpuUsed: share(({ used }) => used, "cpu"),
  cpuReserved: share(({ reserved }) => reserved, "cpu"),
  cpuLimit: share(({ limit }) => limit, "cpu"),
  ramUsed: share(({ used }) => used, "ram"),
  ramReserved: share(({ reserved }) => reserved, "ram"),
  ramLimit: share(({ limit }) => limit, "ram"),
} as const satisfies Partial<Record<keyof ViewMap, Figure>>;

type FigureName = keyof typeof FIGURES;
const NAMES = Object.keys(FIGURES) as FigureName[];

interface Drawn {
  bytes: Uint8Array;
  /** When some byte of it became another. */
  version: number;
}

export class MachineMap {
  readonly #lines: ReadonlyMap<MachineId, MachineLine>;
  #places = new Map<MachineId, number>();
  #names: readonly MachineId[] = [];
  #racks: readonly string[] = [];
  #rackOf: readonly number[] = [];
  readonly #drawn: Readonly<Record<FigureName, Drawn>>;
  /** Counts the looks at which something was another. */
  #version = 0;
  /** When machines came, went, or stood in another rack. */
  #named = 0;
  #isMoved = true;
  #marked = new Set<MachineId>();

  constructor(lines: ReadonlyMap<MachineId, MachineLine>) {
    this.#lines = lines;
    this.#drawn = Object.fromEntries(NAMES.map((name) => [name, { bytes: new Uint8Array(0), version: 0 }])) as Record<FigureName, Drawn>;
  }

  get version(): number {
    return this.#version;
  }

  /** `isMoved`: it came, went, or stands in another rack. */
  mark(id: MachineId, isMoved: boolean): void {
    if (isMoved) this.#isMoved = true;
    else this.#marked.add(id);
  }

  /** To be called before `since`: what was marked is drawn. */
  draw(meter: Meter): void {
    if (!this.#isMoved && this.#marked.size === 0) return;
    this.#version += 1;
    if (this.#isMoved) this.#arrange(meter);
    else for (const id of this.#marked) this.#paint(id);
    meter.lookedAt(this.#marked.size);
    this.#marked = new Set();
    this.#isMoved = false;
  }

  /** What is another since this version; 0: everything. Undefined: nothing is. */
  since(version: number): ViewMap | undefined {
    const figures = NAMES.filter((name) => this.#drawn[name].version > version);
    if (figures.length === 0 && version > 0) return undefined;
    const bytes = Object.fromEntries(figures.map((name) => [name, this.#drawn[name].bytes.slice()]));
    const named = this.#named > version ? { names: [...this.#names], racks: [...this.#racks], rack: [...this.#rackOf] } : {};
    return make(ViewMapSchema, { ...named, ...bytes });
  }

  #arrange(meter: Meter): void {
    const lines = [...this.#lines.values()].sort((a, b) => compareIds(a.rack, b.rack) || compareIds(a.name, b.name));
    // Sorted, and read once for each figure: 30 ms for 12,477 machines.
    meter.lookedAt(12 * lines.length);
    this.#named = this.#version;
    this.#names = lines.map(({ name }) => name);
    this.#places = new Map(this.#names.map((name, i) => [name, i]));
    this.#racks = [...new Set(lines.map(({ rack }) => rack))];
    const numbers = new Map(this.#racks.map((rack, i) => [rack, i]));
    this.#rackOf = lines.map(({ rack }) => numbers.get(rack)!);
    for (const name of NAMES) Object.assign(this.#drawn[name], { bytes: Uint8Array.from(lines, FIGURES[name]), version: this.#version });
  }

  #paint(id: MachineId): void {
    const [place, line] = [this.#places.get(id), this.#lines.get(id)];
    if (place === undefined || line === undefined) return;
    for (const name of NAMES) {
      const drawn = this.#drawn[name];
      const byte = FIGURES[name](line);
      if (drawn.bytes[place] === byte) continue;
      drawn.bytes[place] = byte;
      drawn.version = this.#version;
    }
  }
}
