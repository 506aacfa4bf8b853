/** Made-up points: a line each, its label (1 or -1) and its numbers. The same part is the same text on every run. */

/** Lehmer's generator: enough for an example. */
const MODULUS = 2_147_483_647;
const FACTOR = 48_271;

export function pointsText(part: number, count: number, features: number): string {
  let state = (part + 1) * 7919;
  const next = (): number => {
    state = (state * FACTOR) % MODULUS;
    return state / MODULUS - 0.5;
  };
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const values = Array.from({ length: features }, next);
    const sum = values.reduce((total, value, j) => total + (j % 2 === 0 ? value : -value), 0);
    lines.push(`${sum + next() / 2 > 0 ? 1 : -1} ${values.map((value) => value.toFixed(6)).join(" ")}`);
  }
  return lines.join("\n");
}
