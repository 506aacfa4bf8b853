/**
 * What happened, event by event: the last RING_EVENTS for people, and a running hash of all for comparing two runs.
 * Lines are written out only when somebody reads them. The hash sees time, kind, both ends and the message's type;
 * with `deep` also everything inside the message, which is slower and finds nondeterminism at its first event.
 */
import { FNV_OFFSET, mixNumber, mixText } from "../../base/fnv.ts";

export const RING_EVENTS = 200;
/** A message is cut off here when it is written out. */
const DETAIL_CHARACTERS = 400;

interface Line {
  timeMs: number;
  kind: string;
  to: string;
  from: string;
  detail: unknown;
}

export class Trace {
  /** Told every line as it happens, when somebody wants to read them all. */
  sink: ((line: string) => void) | undefined;
  readonly #deep: boolean;
  readonly #ring: Line[] = [];
  #count = 0;
  #low = FNV_OFFSET;
  #high = 0x9747b28c;

  constructor(deep = false) {
    this.#deep = deep;
  }

  /** How many events were noted. */
  get count(): number {
    return this.#count;
  }

  get hash(): string {
    return hex(this.#high) + hex(this.#low);
  }

  note(timeMs: number, kind: string, to: string, from: string, detail: unknown): void {
    this.#keep(timeMs, kind, to, from, detail);
    this.sink?.(format({ timeMs, kind, to, from, detail }));
    this.#mix(timeMs);
    this.#mixText(kind);
    this.#mixText(to);
    this.#mixText(from);
    this.#mixText(this.#deep ? describe(detail) : typeOf(detail));
  }

  /** The last events, oldest first. */
  lines(): readonly string[] {
    const first = Math.max(0, this.#count - RING_EVENTS);
    return Array.from({ length: this.#count - first }, (_, i) => format(this.#ring[(first + i) % RING_EVENTS] as Line));
  }

  #keep(timeMs: number, kind: string, to: string, from: string, detail: unknown): void {
    const line = this.#ring[this.#count % RING_EVENTS];
    this.#count += 1;
    if (line === undefined) {
      this.#ring.push({ timeMs, kind, to, from, detail });
      return;
    }
    line.timeMs = timeMs;
    line.kind = kind;
    line.to = to;
    line.from = from;
    line.detail = detail;
  }

  #mix(number: number): void {
    this.#low = mixNumber(this.#low, number);
    this.#high = Math.imul(this.#high ^ this.#low ^ (this.#high >>> 15), 0x85ebca6b);
  }

  #mixText(text: string): void {
    this.#low = mixText(this.#low, text);
    this.#mix(text.length);
  }
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");

function typeOf(detail: unknown): string {
  if (typeof detail === "string") return detail;
  const type = (detail as { readonly type?: unknown } | undefined | null)?.type;
  return typeof type === "string" ? type : typeof detail;
}

function format({ timeMs, kind, to, from, detail }: Line): string {
  const text = describe(detail);
  const short = text.length > DETAIL_CHARACTERS ? `${text.slice(0, DETAIL_CHARACTERS)}...` : text;
  return `${String(timeMs).padStart(9)} ${kind} ${to}${from === "" ? "" : ` <- ${from}`}${short === "" ? "" : ` ${short}`}`;
}

/** Messages are plain values; one that is not is described by its type alone. */
function describe(detail: unknown): string {
  if (detail === undefined) return "";
  if (typeof detail === "string") return detail;
  try {
    return JSON.stringify(detail, plain) ?? typeOf(detail);
  } catch {
    return typeOf(detail);
  }
}

function plain(key: string, value: unknown): unknown {
  if (key === "$typeName") return undefined;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (value instanceof Map) return [...value];
  if (value instanceof Set) return [...value];
  return typeof value === "bigint" ? String(value) : value;
}
