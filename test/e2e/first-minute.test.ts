/** The first minute of a new user, with the commands of the README: one command for a cell, one for a service, and everything one looks at. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ticketOf } from "../../src/cli/ticket.ts";
import { TYPED_HANG_MS, Typist } from "./typist.ts";

const typist = new Typist("first");
const { home, borg, good, json } = typist;
const PORT = String(9600 + Math.floor(Math.random() * 300) * 2);

interface TaskJson {
  readonly name: string;
  readonly state: string;
  readonly machine: string;
  readonly ports: Readonly<Record<string, unknown>> | readonly { readonly name: string; readonly number: number }[];
}

async function until<T>(what: string, ask: () => Promise<T>, isGood: (found: T) => boolean): Promise<T> {
  let found = await ask();
  for (const end = Date.now() + TYPED_HANG_MS; Date.now() < end && !isGood(found); found = await ask()) await sleep(100);
  assert.ok(isGood(found), `Waited in vain for ${what}: ${JSON.stringify(found)}`);
  return found;
}

before(async () => {
  const said = await good("up", "--detach", "--machines", "3", "--port", PORT, "--keep", "2h");
  assert.match(said, /Cell "local" is up: 3 machines/);
});

after(async () => {
  await borg("down", "--kill");
  typist.leave();
});

test("how long what has ended is kept is what up was told [N6]", async () => {
  assert.equal((await json<{ keepMs: number }>("cell", "show")).keepMs, 2 * 3_600_000);
});

test("a second up on the same data says so and stops [U9]", async () => {
  const ran = await borg("up", "--detach");
  assert.equal(ran.code, 1);
  assert.match(ran.err, /is up already/);
});

test("hello-web: three tasks, each answers on its own port; ls, show, logs, events, kill do what they say [U12] [U9] [B1]", async () => {
  await good("submit", "examples/hello-web.bcl", "--wait");
  const tasks = await json<TaskJson[]>("ls", "tasks");
  const mine = tasks.filter((task) => task.name.includes("/hello-web/"));
  assert.deepEqual(
    mine.map((task) => task.state),
    ["running", "running", "running"],
  );
  const ports = new Set<number>();
  for (const task of mine) {
    const port = portOf(task);
    ports.add(port);
    const answer = await until(
      "an answer",
      () =>
        fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } })
          .then((r) => r.text())
          .catch(() => ""),
      (text) => text !== "",
    );
    assert.match(answer, /hello/);
  }
  assert.equal(ports.size, 3);
  assert.match(await good("ls"), /hello-web/);
  assert.match(await good("show", "hello-web"), /running/);
  assert.match(await good("show", "hello-web/0"), /127\.0\.0\.1:\d+/);
  assert.match(await good("events", "hello-web"), /was submitted/);
  await until(
    "a line in the log",
    () => good("logs", "hello-web/1"),
    (text) => text.trim() !== "",
  );
  await good("scale", "hello-web", "2");
  await until(
    "two tasks",
    () => json<TaskJson[]>("ls", "tasks", "--job", "hello-web"),
    (found) => found.length === 2,
  );
  assert.match(await good("kill", "hello-web"), /hello-web/);
  await until(
    "no tasks",
    () => json<TaskJson[]>("ls", "tasks"),
    (found) => found.length === 0,
  );
});

test("a new cell has the newest version; a reused request id with other values is refused; killing what is dead says so [cell.E4] [cell.I5] [cell.J5]", async () => {
  await good("run", "twice", "--restart", "always", "--wait", "--", "/bin/sleep", "600");
  await good("scale", "twice", "2", "--request-id", "once");
  assert.match(await good("scale", "twice", "2", "--request-id", "once"), /twice/);
  const other = await borg("scale", "twice", "3", "--request-id", "once");
  assert.equal(other.code, 1);
  assert.match(other.err, /Request id "once" was used for something else/);
  assert.match(await good("kill", "twice"), /Killed job/);
  await until(
    "its end",
    () => good("show", "twice"),
    (text) => /state +killed/.test(text),
  );
  assert.match(await good("kill", "twice"), /was dead already/);
});

/** Whatever shape the command gives them: one port, by name or in a list. */
function portOf(task: TaskJson): number {
  const [first] = Array.isArray(task.ports) ? task.ports : Object.values(task.ports);
  const text = typeof first === "object" ? (first as { number: number }).number : String(first).split(":").at(-1);
  assert.ok(Number(text) > 0, `No port in ${JSON.stringify(task)}`);
  return Number(text);
}

test("run without a file; its output is in its log; what it is not allowed is said [U7] [N6] [P5]", async () => {
  await good("run", "hi", "--restart", "always", "--wait", "--", "/bin/sh", "-c", "echo hi from $BORG_TASK; sleep 60");
  await until(
    "its words",
    () => good("logs", "hi/0"),
    (text) => text.includes("hi from"),
  );
  const over = await borg("run", "greedy", "--cpu", "100000", "--priority", "200", "--", "/bin/true");
  assert.equal(over.code, 1);
  assert.match(over.err, /production quota/);
  assert.equal((await borg("show", "nobody-home")).code, 3);
  assert.equal((await borg("submit", "no-such-file.bcl")).code, 2);
  await good("kill", "hi");
});

test("why says what stands in the way [N7]", async () => {
  await good("run", "huge", "--cpu", "1000", "--", "/bin/true");
  assert.match(await good("why", "huge"), /cpu|core/);
  await good("kill", "huge");
});

test("JSON over HTTP, as curl sends it in the README; another user acts as themselves [U9] [KA2]", async () => {
  const data = join(home, ".local", "state", "borg", "local");
  const cell = await post(httpRequest, { socketPath: join(data, "api.sock") }, "GetCell", {});
  assert.equal((JSON.parse(cell.text) as { name: string }).name, "local");
  const file = join(home, "ann.ticket");
  await good("token", "create", "--user", "ann", "--out", file);
  const { url, token, authorities } = ticketOf(readFileSync(file, "utf8"));
  const { hostname: host, port } = new URL(url);
  const asAnn = (method: string, body: object, shown = token) =>
    post(httpsRequest, { host, port, ca: [...authorities], headers: { authorization: `Bearer ${shown}` } }, method, body);
  const spec = { user: "ann", name: "mine", count: 1, task: { command: ["/bin/true"] } };
  assert.equal((await asAnn("SubmitJob", { spec })).status, 200);
  const other = await asAnn("SubmitJob", { spec: { ...spec, user: "root" } });
  assert.equal(other.status, 403, other.text);
  assert.equal((await asAnn("GetCell", {}, "borg_wrong")).status, 401);
  const clear = await post(httpRequest, { host, port, headers: { authorization: `Bearer ${token}` } }, "GetCell", {});
  assert.match(clear.text, /not taken over a clear connection; the token that you sent was readable/);
});

/** What curl would send. */
function post(
  request: typeof httpRequest | typeof httpsRequest,
  options: RequestOptions & { readonly ca?: string[] },
  method: string,
  body: object,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", ...options.headers };
    const asked = request({ ...options, method: "POST", path: `/borg.v1.CellService/${method}`, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on("error", reject);
    asked.end(JSON.stringify(body));
  });
}

test("tasks survive down; the next up takes them up again, same processes [B5] [KT5]", async () => {
  // Nobody else sleeps so long: other cells on this machine may be called local too.
  const mark = `1000${PORT}`;
  await good("run", "stay", "--restart", "always", "--wait", "--", "/bin/sh", "-c", `exec sleep ${mark}`);
  const pids = await until(
    "its process",
    async () => sleepers(mark),
    (found) => found.length > 0,
  );
  const { instance, run } = await stay();
  assert.ok(instance !== "" && run === 1, `instance "${instance}", run ${run}`);
  assert.match(await good("down"), /tasks go on/);
  assert.equal((await borg("ls")).code, 5);
  assert.deepEqual(sleepers(mark), pids, "down touched a task");
  await good("up", "--detach");
  await until("it to be seen", stay, (seen) => seen.state === "running");
  assert.deepEqual(await stay(), { instance, run, state: "running" });
  assert.deepEqual(sleepers(mark), pids, "the next up touched a task");
});

async function stay(): Promise<{ readonly instance: string; readonly run: number; readonly state: string }> {
  const { instance, run, state } = await json<{ instance: string; run: number; state: string }>("show", "stay/0");
  return { instance, run, state };
}

/** Pid and start time of every process that sleeps for so long. */
function sleepers(seconds: string): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, "latin1") !== `sleep\0${seconds}\0`) return [];
      return [`${pid}@${readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)!.split(" ")[19]}`];
    } catch {
      return [];
    }
  });
}
