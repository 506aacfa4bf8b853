/** A service of six tasks that answer HTTP, on three machines: a new version rolls out, is undone in the middle with another master, rolls out again and is committed. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TaskView } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { RealCell } from "./real-cell.ts";

const COUNT = 6;
const JOB = "tester/web";

const file = (version: string, more = ""): string => `job web = {
  command = ["node", "-e", "require('http').createServer((_, answer) => answer.end('${version}')).listen(process.env.BORG_PORT_HTTP)"]
  count = ${COUNT}
  ports = ["http"]
  restart = { when = "always" }
  update = { batch = 2, watch = 1s }
  down_max = 2
  cpu = 20m
  ram = 96Mi
  disk = 10Mi
  ${more}
}
`;

const addressOf = ({ host, ports }: TaskView): string => `http://${host}:${ports[0]?.number}/`;

/** What each task answers; nothing where it does not. */
async function answers(cell: RealCell): Promise<string> {
  const said = (await cell.tasks(JOB)).map(async (task) => {
    try {
      return await (await fetch(addressOf(task), { signal: AbortSignal.timeout(2000) })).text();
    } catch {
      return "-";
    }
  });
  return (await Promise.all(said)).join("");
}

test("a rolling update of a service, undone in the middle and done again [D1] [D2] [D3] [D5]", { timeout: 240_000 }, async () => {
  const cell = await RealCell.start(3);
  const desk = mkdtempSync(join(tmpdir(), "borg-update-"));
  const path = join(desk, "web.bcl");
  const borg = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await cell.borg(...args);
    assert.equal(code, 0, `borg ${args.join(" ")}: ${out}${err}`);
    return out;
  };
  try {
    writeFileSync(path, file("a"));
    await borg("submit", path, "--wait");
    assert.equal(await answers(cell), "aaaaaa");
    const placed = (await cell.tasks(JOB)).map(({ machine }) => machine);

    writeFileSync(path, file("b"));
    assert.match((await cell.borg("submit", path)).err, /borg update/);
    assert.match(await borg("update", path, "--dry-run"), /job tester\/web: 6 restarts/);
    assert.equal(await answers(cell), "aaaaaa");

    await borg("update", path);
    await cell.until("the first batch to answer with the new version", async () => (await answers(cell)).includes("b"));
    await cell.kill("master");
    cell.startMaster();
    await cell.until("the master to lead again", async () => (await cell.client.getCell({})).name === cell.name);
    assert.notEqual((await cell.client.getUpdate({ job: JOB })).phase, "", "the update goes on");
    await borg("update", "undo", "web");
    await borg("update", "show", "web", "--follow");
    await cell.until("the old version everywhere", async () => (await answers(cell)) === "aaaaaa");
    assert.equal((await cell.client.getUpdate({ job: JOB })).phase, "");

    const said = await borg("apply", path);
    assert.match(said, /Committed the update of job tester\/web/);
    assert.equal(await answers(cell), "bbbbbb");
    assert.deepEqual(
      (await cell.tasks(JOB)).map(({ machine }) => machine),
      placed,
      "every task kept its machine",
    );

    const before = (await cell.tasks(JOB)).map(({ instance }) => instance);
    writeFileSync(path, file("b", "priority = 110"));
    await borg("apply", path);
    const after = await cell.tasks(JOB);
    assert.deepEqual(
      after.map(({ instance, priority }) => `${instance} ${priority}`),
      before.map((instance) => `${instance} 110`),
      "a priority restarts nobody",
    );

    writeFileSync(path, file("b", "priority = 110").replace("createServer", "createNothing"));
    const broken = await cell.borg("apply", path);
    assert.equal(broken.code, 1, broken.out);
    assert.match(broken.err, /was undone: .* of its tasks failed/);
    await cell.until("the old version everywhere", async () => (await answers(cell)) === "bbbbbb");
  } finally {
    rmSync(desk, { recursive: true, force: true });
    await cell.close();
  }
});
