/** How long batch jobs wait for somebody to think of them, by how long a decision on a service takes: a line for each world. */
import type { Figures } from "../figures.ts";

const COLOURS = ["#07c", "#2a2", "#c40"] as const;
const [LEFT, TOP, WIDTH, HEIGHT] = [60, 30, 380, 200] as const;

export function drawnWaits(figures: Figures, worlds: readonly string[], thinksMs: readonly number[]): string {
  const waitOf = (world: string, thinkMs: number): number => figures[`${world}${thinkMs / 1000}sBatchWaitSeconds`] ?? 0;
  const most = Math.max(1, ...worlds.flatMap((world) => thinksMs.map((thinkMs) => waitOf(world, thinkMs))));
  const x = (i: number): number => LEFT + (i * WIDTH) / Math.max(1, thinksMs.length - 1);
  const y = (seconds: number): number => TOP + HEIGHT * (1 - seconds / most);
  const lines = worlds.map((world, at) => {
    const points = thinksMs.map((thinkMs, i) => `${x(i).toFixed(1)},${y(waitOf(world, thinkMs)).toFixed(1)}`);
    const colour = COLOURS[at % COLOURS.length];
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}"/>\n<text x="${LEFT + 90 * at}" y="290" fill="${colour}">${world}</text>`;
  });
  const ticks = thinksMs.map((thinkMs, i) => `<text x="${x(i).toFixed(1)}" y="${TOP + HEIGHT + 16}">${thinkMs / 1000} s</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="300" font-family="sans-serif" font-size="11">
<text x="${LEFT}" y="14">Mean wait of batch jobs, by the time that a service takes to decide (up to ${most.toFixed(1)} s)</text>
${lines.join("\n")}
${ticks.join("\n")}
<path d="M${LEFT} ${TOP}V${TOP + HEIGHT}H${LEFT + WIDTH}" fill="none" stroke="#333"/>
</svg>
`;
}
