/** The paper's figures of §6.1, from samples: shares over time (Figures 5 and 6), and how much of the machines is used (Figure 7). */
import type { Sample } from "./cluster.ts";
import { MACRO_INPUTS as INPUTS } from "./inputs.ts";
import { TENANT_NAMES } from "./tenants.ts";

const COLOURS = ["#07c", "#c50", "#2a2", "#a3a"];
const [LEFT, WIDTH, HEIGHT, GAP] = [40, 700, 110, 44];

type At = (sample: Sample) => number;

interface Panel {
  readonly title: string;
  readonly lines: readonly { readonly samples: readonly Sample[]; readonly of: At; readonly look: string }[];
}

const onlyOf =
  (i: number, cores: number): At =>
  (sample) =>
    (sample.cores[i] ?? 0) / cores;
const upTo =
  (i: number, cores: number): At =>
  (sample) =>
    sample.cores.slice(0, i + 1).reduce((sum, each) => sum + each, 0) / cores;

/** A panel for each framework, static shaded and offers as a line; below them all that share, one on the other. */
export function drawnShares(fixed: readonly Sample[], shared: readonly Sample[], cores: number): string {
  const own = TENANT_NAMES.map((name, i) => ({
    title: `${name}: share of all cores; shaded: with 24 machines of its own`,
    lines: [
      { samples: fixed, of: onlyOf(i, cores), look: `fill="#ccc"` },
      { samples: shared, of: onlyOf(i, cores), look: `fill="none" stroke="${COLOURS[i]}"` },
    ],
  }));
  const stack = TENANT_NAMES.map((_, i) => ({ samples: shared, of: upTo(i, cores), look: `fill="${COLOURS[i]}"` })).reverse();
  const all = { title: `offers, from below: ${TENANT_NAMES.join(", ")} (Mesos, Figures 5 and 6)`, lines: stack };
  return drawn([...own, all], Math.max(fixed.at(-1)?.timeMs ?? 1, shared.at(-1)?.timeMs ?? 1));
}

export function drawnUse(fixed: readonly Sample[], shared: readonly Sample[], untilMs: number): string {
  const panel = (title: string, of: At): Panel => ({
    title,
    lines: [
      { samples: fixed, of, look: `fill="none" stroke="#999"` },
      { samples: shared, of, look: `fill="none" stroke="#07c"` },
    ],
  });
  const cpu = panel(
    "cpu used, of all: offers blue, static grey (Mesos, Figure 7)",
    ({ cpuUsed }) => cpuUsed / (INPUTS.machines * INPUTS.cores),
  );
  const ram = panel("memory used, of all", ({ ramUsed }) => ramUsed / (INPUTS.machines * INPUTS.ramGib));
  return drawn([cpu, ram], untilMs);
}

function drawn(panels: readonly Panel[], untilMs: number): string {
  const parts = panels.flatMap(({ title, lines }, p) => {
    const bottom = (p + 1) * (HEIGHT + GAP) - 20;
    const paths = lines.map(({ samples, of, look }) => {
      const points = samples
        .filter(({ timeMs }) => timeMs <= untilMs)
        .map((sample) => `${(LEFT + (sample.timeMs / untilMs) * WIDTH).toFixed(1)} ${(bottom - of(sample) * HEIGHT).toFixed(1)}`);
      const end = look.startsWith(`fill="none"`)
        ? ""
        : `L${LEFT + (WIDTH * (samples.at(-1)?.timeMs ?? 0)) / untilMs} ${bottom}L${LEFT} ${bottom}Z`;
      return `<path d="M${points.join("L")}${end}" ${look}/>`;
    });
    return [
      `<text x="${LEFT}" y="${bottom - HEIGHT - 6}">${title}</text>`,
      ...paths,
      `<path d="M${LEFT} ${bottom - HEIGHT}V${bottom}H${LEFT + WIDTH}" fill="none" stroke="#333"/>`,
      `<text x="4" y="${bottom - HEIGHT + 8}">100 %</text><text x="${LEFT + WIDTH - 40}" y="${bottom + 13}">${Math.round(untilMs / 1000)} s</text>`,
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 10}" height="${panels.length * (HEIGHT + GAP)}" font-family="sans-serif" font-size="11">
${parts.join("\n")}
</svg>
`;
}
