/** As Figure 15 of the Omega paper: for each cell, which part of the jobs was how many times sooner done, for each policy. */
import { POLICIES } from "../../examples/scheduler/mapreduce/policy.ts";
import type { Compared } from "./policies.ts";

const COLOURS = ["#c50", "#2a2", "#07c"];
const [LEFT, WIDTH, HEIGHT, GAP] = [46, 420, 120, 50];
/** Speed-ups from 0.5 to 64, on a logarithmic axis. */
const [LEAST, MOST] = [-1, 6];

export function drawnSpeedups(all: readonly Compared[]): string {
  const cells = [...new Set(all.map(({ cell }) => cell))];
  const x = (speedup: number): string =>
    (LEFT + ((Math.min(MOST, Math.max(LEAST, Math.log2(speedup))) - LEAST) / (MOST - LEAST)) * WIDTH).toFixed(1);
  const panels = cells.flatMap((cell, p) => {
    const bottom = (p + 1) * (HEIGHT + GAP) - 28;
    const lines = all
      .filter((each) => each.cell === cell)
      .map(({ policy, speedups }) => {
        const sorted = [...speedups].sort((a, b) => a - b);
        const points = sorted.map((speedup, i) => `${x(speedup)} ${(bottom - ((i + 1) / sorted.length) * HEIGHT).toFixed(1)}`);
        return `<path d="M${points.join("L")}" fill="none" stroke="${COLOURS[POLICIES.indexOf(policy)]}"/>`;
      });
    const ticks = [0.5, 1, 2, 4, 8, 16, 32, 64].map((each) => `<text x="${x(each)}" y="${bottom + 13}">${each}</text>`);
    return [
      `<text x="${LEFT}" y="${bottom - HEIGHT - 6}">cell ${cell}: part of the jobs by how many times sooner they are done</text>`,
      ...lines,
      ...ticks,
      `<path d="M${LEFT} ${bottom - HEIGHT}V${bottom}H${LEFT + WIDTH}" fill="none" stroke="#333"/><text x="4" y="${bottom - HEIGHT + 8}">100 %</text>`,
    ];
  });
  const names = POLICIES.map((policy, i) => `<text x="${LEFT + WIDTH + 12}" y="${30 + 16 * i}" fill="${COLOURS[i]}">${policy}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 140}" height="${cells.length * (HEIGHT + GAP)}" font-family="sans-serif" font-size="11">
${[...names, ...panels].join("\n")}
</svg>
`;
}
