/** A plot of the stress set: for each row the bound, and how far above it each policy is. */
import type { StressRow } from "./cells/stress.ts";
import type { Result } from "./packing.ts";

const LINE = 14;
const [LEFT, RIGHT, TOP, WIDTH] = [190, 20, 40, 760];

export function drawn(rows: readonly StressRow[], results: readonly Result[]): string {
  const most = Math.max(1, ...results.map(({ p90, bound }) => p90 - bound));
  const x = (points: number): number => LEFT + (Math.max(0, points) / most) * (WIDTH - LEFT - RIGHT);
  const height = TOP + rows.length * LINE + 30;
  const marks = rows.flatMap((row, i) => {
    const y = TOP + i * LINE;
    const own = results.filter((result) => result.row === row.name);
    const dots = own.map(({ policy, p90, bound }) => {
      const fill = policy === "hybrid" ? `fill="#07c"` : `fill="none" stroke="#c50"`;
      return `<circle cx="${x(p90 - bound).toFixed(1)}" cy="${y - 4}" r="3.5" ${fill}><title>${row.name}, ${policy}: ${p90} %, bound ${bound} %</title></circle>`;
    });
    return [`<text x="4" y="${y}">${row.name}</text>`, `<path d="M${LEFT} ${y - 4}H${WIDTH - RIGHT}" stroke="#eee"/>`, ...dots];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="11">
<text x="4" y="14">Machines needed above the lower bound, in points of the cell: hybrid (full), best fit (hollow)</text>
${marks.join("\n")}
<path d="M${LEFT} ${TOP - 14}V${height - 26}H${WIDTH - RIGHT}" fill="none" stroke="#333"/>
<text x="${LEFT}" y="${height - 10}">0</text><text x="${WIDTH - RIGHT - 24}" y="${height - 10}">${most.toFixed(1)}</text>
</svg>
`;
}
