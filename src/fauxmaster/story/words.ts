/** The words of one command: what is named in order, and `key=value` or bare flags after it; amounts and times as people write them. */

/** A command that nobody understands. It ends the command, never the story. */
export class Misspoken extends Error {}

export interface Amounts {
  readonly cpuMilli: number;
  readonly ramBytes: number;
  readonly diskBytes: number;
}

const BYTES: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["Ki", 1024],
  ["Mi", 1024 ** 2],
  ["Gi", 1024 ** 3],
]);

const MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

export class Words {
  readonly command: string;
  readonly names: readonly string[];
  readonly #options = new Map<string, string>();
  readonly #used = new Set<string>();

  constructor(line: string) {
    const [command = "", ...rest] = line.trim().split(/\s+/);
    this.command = command;
    const names: string[] = [];
    for (const word of rest) {
      const equals = word.indexOf("=");
      // `ann/web/0=m1` is a name: a task and where it goes.
      if (equals < 0 || word.slice(0, equals).includes("/")) names.push(word);
      else this.#options.set(word.slice(0, equals), word.slice(equals + 1));
    }
    this.names = names;
  }

  /** The nth name, which has to be there. */
  name(index: number, what: string): string {
    const name = this.names[index];
    if (name === undefined) throw new Misspoken(`"${this.command}" needs ${what}`);
    return name;
  }

  /** Whether a bare word is among the names from `from` on. */
  has(flag: string, from = 1): boolean {
    return this.names.indexOf(flag, from) >= 0;
  }

  text(key: string): string | undefined {
    this.#used.add(key);
    return this.#options.get(key);
  }

  list(key: string): readonly string[] {
    const text = this.text(key);
    return text === undefined || text === "" ? [] : text.split(",");
  }

  number(key: string): number | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    if (!/^\d+(\.\d+)?$/.test(text)) throw new Misspoken(`Expected a number for ${key}, found "${text}"`);
    return Number(text);
  }

  ms(key: string): number | undefined {
    const text = this.text(key);
    return text === undefined ? undefined : milliseconds(text);
  }

  bytes(key: string): number | undefined {
    const text = this.text(key);
    return text === undefined ? undefined : bytes(text);
  }

  amounts(): Amounts {
    return {
      cpuMilli: Math.round((this.number("cpu") ?? 0) * 1000),
      ramBytes: this.bytes("ram") ?? 0,
      diskBytes: this.bytes("disk") ?? 0,
    };
  }

  /** To be called when all is read: an option that nobody asked for is a slip of the pen. */
  done(): void {
    for (const key of this.#options.keys()) if (!this.#used.has(key)) throw new Misspoken(`"${this.command}" knows no "${key}"`);
  }
}

export function milliseconds(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) throw new Misspoken(`Expected a time such as 5s, found "${text}"`);
  return Math.round(Number(amount) * (MILLISECONDS.get(unit) ?? 1));
}

function bytes(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(Ki|Mi|Gi|)$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) throw new Misspoken(`Expected bytes such as 8Gi, found "${text}"`);
  return Math.round(Number(amount) * (BYTES.get(unit) ?? 1));
}

/** 5s, 250ms, 2m, as `milliseconds` reads it; no less exact than it is. */
export function showMs(ms: number): string {
  if (ms % 60_000 === 0 && ms > 0) return `${ms / 60_000}m`;
  return ms % 1000 === 0 ? `${ms / 1000}s` : ms > 1000 ? `${(ms / 1000).toFixed(1)}s` : `${ms}ms`;
}

export const showCpu = (milli: number): string => String(milli / 1000);

/** `kib` as the cell counts. */
export function showRam(kib: number): string {
  if (kib === 0) return "0";
  if (kib % 1024 ** 2 === 0) return `${kib / 1024 ** 2}Gi`;
  return kib % 1024 === 0 ? `${kib / 1024}Mi` : `${kib}Ki`;
}
