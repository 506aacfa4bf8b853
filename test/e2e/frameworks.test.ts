/** The example frameworks on a real cell of two machines, through the gateway, as their READMEs say. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Gateway } from "../../src/rpc/mesos/gateway.ts";
import { HANG_MS, RealCell } from "./real-cell.ts";

let cell: RealCell;
let gateway: Gateway;
const home = mkdtempSync(join(tmpdir(), "borg-frameworks-"));

before(async () => {
  cell = await RealCell.start(2);
  const at = { kind: "unix", path: cell.data.socket("api") } as const;
  gateway = await Gateway.listen({ port: 0, credentials: () => ({ at, token: undefined }), log: () => {}, uid: process.getuid!() });
});

after(async () => {
  await gateway?.close();
  await cell?.close();
  rmSync(home, { recursive: true, force: true });
});

function run(program: string, ...words: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  const path = join(import.meta.dirname, "../../examples/frameworks", program);
  const args = [path, "--address", `http://127.0.0.1:${gateway.port}`, ...words];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: 3 * HANG_MS }, (error, out, problems) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: `${out}${problems}` }),
    );
  });
}

test("a batch queue runs its jobs in order, says which failed, and is torn down [Z20]", async () => {
  const file = join(home, "jobs.txt");
  writeFileSync(file, "one 0.1 32 true\nbad 0.1 32 exit 3\nlast 0.1 32 sleep 0.2\n");
  const { code, out } = await run("queue/queue.ts", file);
  assert.match(out, /^Subscribed as tester\.queue\.\d+$/m);
  assert.match(out, /^bad-1 is over: TASK_FAILED/m);
  assert.match(out, /^2 done, 1 failed: bad$/m, out);
  assert.equal(code, 1);
  await cell.until("the framework to end", async () => (await cell.tasks("tester/queue")).every(({ state }) => state === "dead"));
});

test("map tasks run where their blocks are, and the reduce task adds up what they counted [Z14] [Z20]", async () => {
  const [first = "", second = ""] = cell.machines;
  const blocks = [
    { name: "b1", machines: [first], text: "to be or not to be" },
    { name: "b2", machines: [second], text: "to be is to do" },
    { name: "b3", machines: [first, second], text: "do be do" },
  ];
  const file = join(home, "data.json");
  writeFileSync(file, JSON.stringify({ blocks }));
  const { code, out } = await run("mapreduce/mapreduce.ts", file);
  assert.equal(code, 0, out);
  assert.match(out, /^3 of 3 map tasks ran where their block is$/m, out);
  assert.match(out, /^4 be\n4 to\n3 do\n1 is\n1 not\n1 or$/m, out);
});

const PI = join(import.meta.dirname, "../../examples/frameworks/mpi/pi.py");
const hasMpi = ["/usr/bin/mpirun", "/usr/bin/python3"].every((path) => existsSync(path));

test("OpenMPI's own mpirun starts its daemons in tasks on two machines, and their ranks speak to each other [Z16] [Z20]", {
  skip: hasMpi ? false : "no OpenMPI here: apt-get install openmpi-bin",
}, async () => {
  const words = ["--ranks", "4", "--together", "2", "--cpus", "0.1", "--mem", "64", "--interface", "lo"];
  const { code, out } = await run("mpi/mpi.ts", ...words, "--", "python3", "-c", readFileSync(PI, "utf8"), "20000", "3");
  assert.equal(code, 0, out);
  for (const machine of cell.machines) assert.match(out, new RegExp(`ranks on .*${machine} \\(2\\)`), out);
  assert.match(out, /^pi is 3\.14159265\d by 4 ranks: /m, out);
  const failing = await run("mpi/mpi.ts", ...words, "--", "python3", "-c", "import sys; sys.exit(3)");
  assert.equal(failing.code, 3, failing.out);
});

test("a regression reads its data in the first round, and has it in its executors' memory in all others [Z2] [Z20]", async () => {
  const { code, out } = await run("regression/regression.ts", "--parts", "4", "--points", "500", "--rounds", "4", "--delay", "60");
  assert.equal(code, 0, out);
  const rounds = [...out.matchAll(/^Round (\d): [0-9.]+ s, (\d) parts read, loss ([0-9.]+)$/gm)].map(([, ...said]) => said.map(Number));
  assert.deepEqual(
    rounds.map(([round, read]) => [round, read]),
    [
      [1, 4],
      [2, 0],
      [3, 0],
      [4, 0],
    ],
    out,
  );
  for (const [i, [, , loss = 0]] of rounds.entries()) assert.ok(i === 0 || loss < (rounds[i - 1]?.[2] ?? 0), out);
});
