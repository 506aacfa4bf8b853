/** Amounts as people read them: 2.5 GiB, 500m, 3m12s. Never localised, so that output is the same everywhere. */

const BYTES: readonly (readonly [string, number])[] = [
  ["PiB", 2 ** 50],
  ["TiB", 2 ** 40],
  ["GiB", 2 ** 30],
  ["MiB", 2 ** 20],
  ["KiB", 2 ** 10],
];

export function bytesText(bytes: number): string {
  const unit = BYTES.find(([, factor]) => bytes >= factor);
  return unit === undefined ? `${bytes} B` : `${short(bytes / unit[1])} ${unit[0]}`;
}

/** Three digits are enough to see, and whole numbers have no point. */
function short(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return String(Number(value.toFixed(digits)));
}

/** `500m`, `2`, `2.5`: cores, and thousandths below one. */
export function cpuText(milli: number): string {
  return milli < 1000 ? (milli === 0 ? "0" : `${Math.round(milli)}m`) : short(milli / 1000);
}

export const cpuWords = (milli: number): string => `${cpuText(milli)} ${milli === 1000 ? "core" : "cores"}`;

const TIMES: readonly (readonly [string, number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
];

/** The two largest units: `3m12s`, `2d4h`, `45s`, `0s`. */
export function durationText(ms: number): string {
  const first = TIMES.findIndex(([, factor]) => ms >= factor);
  if (first === -1) return ms > 0 ? `${Math.round(ms)}ms` : "0s";
  const [name, factor] = TIMES[first]!;
  const next = TIMES[first + 1];
  const rest = next === undefined ? 0 : Math.floor((ms % factor) / next[1]);
  return `${Math.floor(ms / factor)}${name}${rest === 0 ? "" : `${rest}${next![0]}`}`;
}

/** How long ago; a clock of the cell that is ahead of ours shows nothing below zero. */
export const agoText = (ms: number, nowMs: number): string =>
  ms === 0 ? "-" : durationText(Math.max(0, Math.floor((nowMs - ms) / 1000) * 1000));

/** What programs get: null where there is no such time. */
export const iso = (ms: number): string | null => (ms > 0 && ms <= 8.64e15 ? new Date(ms).toISOString() : null);

/** `2026-01-31 14:03:05`, in the time of this machine. */
export function clockText(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
