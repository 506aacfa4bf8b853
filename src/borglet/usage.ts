/** The last five minutes of one instance's use, second by second, and whether it is above its memory limit. */
import { type Init, make } from "../wire/codec.ts";
import { type Usage, UsageSchema } from "../wire/gen/borg/v1/machine_pb.ts";
import type { ResourcesSchema } from "../wire/gen/borg/v1/resource_pb.ts";

/** At one sample a second: five minutes. Older ones fall out. */
export const SAMPLES_MAX = 300;
/** Seen so often in a row above its memory limit, an instance is flagged; so often clearly above, it is ended where nothing else holds it. */
const OVER_TIMES = 2;
const CLEARLY_TIMES = 3;
/** Clearly above: by a tenth and by more than measuring can be wrong. */
const CLEARLY_RATIO = 1.1;
const CLEARLY_BYTES = 8 * 1024 * 1024;

export class UsageWindow {
  readonly #cpu = new Float64Array(SAMPLES_MAX);
  readonly #ram = new Float64Array(SAMPLES_MAX);
  #count = 0;
  #over = 0;
  #clearly = 0;

  add(cpuMilli: number, ramBytes: number, ramLimit: number): void {
    const at = this.#count % SAMPLES_MAX;
    this.#cpu[at] = Math.max(0, Math.round(cpuMilli));
    this.#ram[at] = Math.max(0, Math.round(ramBytes));
    this.#count += 1;
    this.#over = ramLimit > 0 && ramBytes > ramLimit ? this.#over + 1 : 0;
    const clearly = ramLimit > 0 && ramBytes > Math.max(ramLimit * CLEARLY_RATIO, ramLimit + CLEARLY_BYTES);
    this.#clearly = clearly ? this.#clearly + 1 : 0;
  }

  get isOver(): boolean {
    return this.#over >= OVER_TIMES;
  }

  get isClearlyOver(): boolean {
    return this.#clearly >= CLEARLY_TIMES;
  }

  /** Memory at the last sample. */
  get ramBytes(): number {
    return this.#count === 0 ? 0 : this.#ram[(this.#count - 1) % SAMPLES_MAX]!;
  }

  /** Undefined before the first sample. */
  usage(instance: string): Usage | undefined {
    if (this.#count === 0) return undefined;
    const length = Math.min(this.#count, SAMPLES_MAX);
    const last = (this.#count - 1) % SAMPLES_MAX;
    const of = (pick: (samples: Float64Array) => number): Init<typeof ResourcesSchema> => ({
      cpuMilli: pick(this.#cpu),
      ramBytes: pick(this.#ram),
    });
    return make(UsageSchema, {
      instance,
      last: of((samples) => samples[last]!),
      average: of((samples) => Math.round(sum(samples, length) / length)),
      peak: of((samples) => max(samples, length)),
    });
  }
}

function sum(samples: Float64Array, length: number): number {
  let total = 0;
  for (let i = 0; i < length; i++) total += samples[i]!;
  return total;
}

function max(samples: Float64Array, length: number): number {
  let most = 0;
  for (let i = 0; i < length; i++) most = Math.max(most, samples[i]!);
  return most;
}

/** "128 MiB", "1.5 GiB": for sentences. */
export function bytesWords(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let amount = bytes;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${Math.round(amount * 10) / 10} ${units[unit]}`;
}

/** Where nothing else holds a task to its limit, this is why it is ended; with a cgroup the kernel does it. [I9] */
export const overRamWords = (usedBytes: number, limitBytes: number): string =>
  `Killed: used ${bytesWords(usedBytes)} of memory, more than its limit of ${bytesWords(limitBytes)}`;
