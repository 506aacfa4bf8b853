/**
 * What running a program of MPI through the cell costs (Mesos §6.2: less than 4 % of 50 s): the example's framework on a real cell of two machines, and the same mpirun with the same daemons, ranks and
 * transport without a cell, one after the other and each first in turn. Needs Debian's openmpi-bin and python3.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Gateway } from "../src/rpc/mesos/gateway.ts";
import { RealCell } from "../test/e2e/real-cell.ts";
import { type Figures, percentile, rounded } from "./figures.ts";

const HOME = join(import.meta.dirname, "../examples/frameworks/mpi");
const RANKS = "2";
const RECTANGLES = 1_000_000;
/** Of one core's work, about: a round is 0.1 s of it. */
const ROUNDS_IN_SECOND = 10;
const WAIT_MS = 600_000;

/** One run: from its first word to its last, what the ranks took, and what the first rank took of its processor. */
interface Took {
  readonly wholeMs: number;
  readonly ranksMs: number;
  readonly cpuMs: number;
}

export async function benchMpi({ runs, seconds }: { readonly runs: number; readonly seconds: number }): Promise<Figures> {
  const cell = await RealCell.start(2);
  const at = { kind: "unix", path: cell.data.socket("api") } as const;
  const gateway = await Gateway.listen({ port: 0, credentials: () => ({ at, token: undefined }), log: () => {}, uid: process.getuid!() });
  const pairs: { readonly bare: Took; readonly through: Took }[] = [];
  try {
    for (let i = 0; i < runs; i++) {
      const first = i % 2 === 0 ? await bare(seconds) : undefined;
      const through = await throughCell(gateway.port, seconds);
      pairs.push({ through, bare: first ?? (await bare(seconds)) });
    }
  } finally {
    await gateway.close();
    await cell.close();
  }
  return figuresOf(pairs);
}

function figuresOf(pairs: readonly { readonly bare: Took; readonly through: Took }[]): Figures {
  const figures: Record<string, number> = {};
  for (const of of ["whole", "ranks", "cpu"] as const) {
    const [bares, throughs] = [pairs.map(({ bare }) => bare[`${of}Ms`]), pairs.map(({ through }) => through[`${of}Ms`])];
    figures[`${of}BareP50Ms`] = Math.round(percentile(bares, 0.5));
    figures[`${of}CellP50Ms`] = Math.round(percentile(throughs, 0.5));
    const { mean, half } = intervalOf(pairs.map((_, i) => 100 * ((throughs[i] as number) / (bares[i] as number) - 1)));
    figures[`${of}MorePercent`] = rounded(mean, 2);
    figures[`${of}MoreLowPercent`] = rounded(mean - half, 2);
    figures[`${of}MoreHighPercent`] = rounded(mean + half, 2);
  }
  return figures;
}

/** The mean, and half of its interval of 95 %, by Student's t. */
function intervalOf(values: readonly number[]): { readonly mean: number; readonly half: number } {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, count - 1);
  const df = Math.max(1, count - 1);
  const t = 1.96 + 2.372 / df + 2.823 / df ** 2;
  return { mean, half: t * Math.sqrt(variance / count) };
}

const program = (seconds: number): readonly string[] => {
  const text = readFileSync(join(HOME, "pi.py"), "utf8");
  return ["python3", "-c", text, String(RECTANGLES), String(seconds * ROUNDS_IN_SECOND)];
};

function throughCell(port: number, seconds: number): Promise<Took> {
  const words = ["--address", `http://127.0.0.1:${port}`, "--ranks", RANKS, "--together", "1", "--cpus", "0.9", "--interface", "lo"];
  return timed(process.execPath, [join(HOME, "mpi.ts"), ...words, "--", ...program(seconds)], {});
}

/** The remote shell runs the daemon here. */
function bare(seconds: number): Promise<Took> {
  const parameters = { plm_rsh_agent: "bash here.sh", plm_rsh_no_tree_spawn: "1", btl: "tcp,self" };
  const network = { oob_tcp_if_include: "lo", btl_tcp_if_include: "lo" };
  const mca = Object.entries({ ...parameters, ...network }).flatMap(([name, value]) => ["--mca", name, value]);
  const words = ["--host", "mpi-0:1,mpi-1:1", "-np", RANKS, "--leave-session-attached", "--wdir", "/tmp", ...mca, ...program(seconds)];
  return timed("mpirun", words, { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" });
}

function timed(command: string, words: readonly string[], more: Readonly<Record<string, string>>): Promise<Took> {
  const begunMs = performance.now();
  return new Promise((resolve, reject) => {
    execFile(command, words, { env: { ...process.env, ...more }, timeout: WAIT_MS, cwd: HOME }, (error, out, problems) => {
      const found = /ranks: ([0-9.]+) s, ([0-9.]+) s of/.exec(out);
      if (error !== null || found === null) reject(new Error(`${command} did not run: ${out}${problems}`, { cause: error }));
      else resolve({ wholeMs: performance.now() - begunMs, ranksMs: 1000 * Number(found[1]), cpuMs: 1000 * Number(found[2]) });
    });
  });
}
