/** How long a large configuration takes: 10,000 lines that declare 1,000 jobs, with an import, inheritance, functions and interpolation. */

import { ok, refused } from "../src/base/result.ts";
import { evaluateFile } from "../src/bcl/evaluation.ts";
import { formatText } from "../src/bcl/format.ts";

const JOBS = 1000;
const ROUNDS = 7;

const LIBRARY = `
server = (port) => {
  command = ["node", "server.js", "--port=\${port}"]
  priority = production
  ports = ["http"]
  env = { PORT = port, LOG = "info" }
  health = { port = "http", path = "/healthz" }
}
`;

const jobText = (i: number): string => `
job worker-${i} = lib.server(${8000 + i}) {
  count = ${1 + (i % 9)}
  cpu = ${i % 4} + 250m
  ram = base_ram * ${1 + (i % 3)}
  env = { SHARD = ${i}, NAME = "worker-\${self.SHARD}" }
  disk = 1Gi
  labels = { team = teams[${i % 3}], index = ${i} }
  constraints = [{ attribute = "zone", is_not = "z${i % 5}" }]
}
`;

export function benchText(): string {
  const head = 'import "lib.bcl" as lib\nlocal base_ram = 64Mi\nlocal teams = ["a", "b", "c"]\n';
  return head + Array.from({ length: JOBS }, (_, i) => jobText(i)).join("");
}

export async function benchBcl(): Promise<Record<string, number>> {
  const text = benchText();
  const files = new Map([
    ["main.bcl", text],
    ["lib.bcl", LIBRARY],
  ]);
  const read = (path: string) => (files.has(path) ? ok(files.get(path)!) : refused("there is no such file"));
  const evaluateMs: number[] = [];
  const formatMs: number[] = [];
  let jobs = 0;
  let steps = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let start = performance.now();
    const { result, problems, evaluator } = evaluateFile("main.bcl", { read }, { user: "ubar" });
    evaluateMs.push(performance.now() - start);
    if (result === undefined) throw new Error(`Cannot evaluate the configuration: ${problems[0]?.message}`);
    jobs = result.jobs.length;
    steps = evaluator.steps;
    start = performance.now();
    formatText("main.bcl", text);
    formatMs.push(performance.now() - start);
  }
  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return { lines: text.split("\n").length, jobs, steps, firstMs: evaluateMs[0]!, medianMs: median(evaluateMs), formatMs: median(formatMs) };
}

if (import.meta.main) process.stdout.write(`${JSON.stringify({ bench: "bcl", ...(await benchBcl()) })}\n`);
