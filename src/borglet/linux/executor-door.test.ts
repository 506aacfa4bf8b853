/** The executor API over a real socket: who is let in, what is refused, and what outlives the borglet. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { RecordReader } from "../../rpc/mesos/record-io.ts";
import { encode, make, mustDecode } from "../../wire/codec.ts";
import { StartOrderSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import { type Call, Call_Type, CallSchema, Event_Type, EventSchema } from "../../wire/gen/mesos/v1/executor/executor_pb.ts";
import { EXECUTOR_PORTS, ExecutorDoor } from "./executor-door.ts";

const order = (id: string, instance: string) =>
  make(StartOrderSchema, { instance, task: { command: ["x"], executor: { id, framework: "ann.fw.1" } } });
const [ONE, TWO] = [order("one", "ann/fw/0:1"), order("two", "ann/fw/1:2")];

class Doors {
  readonly directory = mkdtempSync(join(tmpdir(), "borg-door-"));
  readonly calls: [string, Call][] = [];
  readonly gone: string[] = [];
  door!: ExecutorDoor;
  #endpoint = "";

  async open(): Promise<this> {
    this.door = await ExecutorDoor.open(this.directory, {
      call: (executor, call) => void this.calls.push([executor, call]),
      gone: (executor) => void this.gone.push(executor),
      log: () => {},
    });
    return this;
  }

  close(): void {
    this.door.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  environment(of = ONE): ReadonlyMap<string, string> {
    const found = new Map(this.door.variables(of, 1, "/home"));
    this.#endpoint = found.get("MESOS_AGENT_ENDPOINT") ?? "";
    return found;
  }

  async say(
    body: object | Uint8Array,
    token: string | undefined,
    more: Readonly<Record<string, string>> = {},
    path = "/api/v1/executor",
  ): Promise<Response> {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { "content-type": "application/json", ...authorization, ...more };
    const sent = body instanceof Uint8Array ? body : JSON.stringify(body);
    return fetch(`http://${this.#endpoint}${path}`, { method: "POST", headers, body: sent as never });
  }
}

const call = (id: string, more: object = {}) => ({
  type: "MESSAGE",
  executor_id: { value: id },
  framework_id: { value: "ann.fw.1" },
  message: { data: "" },
  ...more,
});
const TOKEN = "MESOS_EXECUTOR_AUTHENTICATION_TOKEN";

test("any port of the door is one that an executor's fetch asks [borglet.Y2]", async () => {
  for (let port: number = EXECUTOR_PORTS.first; port <= EXECUTOR_PORTS.last; port++) {
    const refused = await fetch(`http://127.0.0.1:${port}`, { method: "HEAD" }).then(
      () => "",
      (error: Error) => String(error.cause),
    );
    assert.ok(!refused.includes("bad port"), `${port}: ${refused}`);
  }
});

test("only an executor with its own token is let in, and only as itself; once it ended its token is nobody's [borglet.Y2]", async () => {
  const doors = await new Doors().open();
  try {
    const [one = "", two = ""] = [ONE, TWO].map((each) => doors.environment(each).get(TOKEN) ?? "");
    assert.notEqual(one, two);
    const status = async (...said: Parameters<Doors["say"]>): Promise<number> => (await doors.say(...said)).status;
    assert.equal(await status(call("one"), one), 202);
    assert.equal(await status(call("one"), undefined), 401);
    assert.equal(await status(call("one"), "0".repeat(64)), 401);
    assert.equal(await status(call("one"), two), 403);
    assert.equal(await status(call("one", { framework_id: { value: "ben.fw.2" } }), one), 403);
    assert.equal(await status(call("one", { type: 5.5 }), one), 400);
    assert.equal(await status(call("one", { message: { data: "A".repeat(2 ** 21) } }), one), 400);
    assert.equal(await status(call("one"), one, { "content-type": "text/plain" }), 415);
    assert.equal(await status(call("one"), one, {}, "/elsewhere"), 404);
    assert.deepEqual(
      doors.calls.map(([executor]) => executor),
      [ONE.instance],
    );
    doors.door.remove(ONE.instance);
    assert.equal(await status(call("one"), one), 401);
  } finally {
    doors.close();
  }
});

test("it subscribes in protobuf, too; the newest stream counts; port and token outlive the borglet [borglet.Y1]", async () => {
  const doors = await new Doors().open();
  try {
    const before = doors.environment();
    const [port, token = ""] = [before.get("MESOS_AGENT_ENDPOINT"), before.get(TOKEN)];
    const said = encode(
      CallSchema,
      make(CallSchema, { type: Call_Type.SUBSCRIBE, executorId: { value: "one" }, frameworkId: { value: "ann.fw.1" } }),
    );
    const media = { "content-type": "application/x-protobuf", accept: "application/x-protobuf" };
    const first = await doors.say(said, token, media);
    assert.equal(first.status, 200);
    doors.door.send(ONE.instance, make(EventSchema, { type: Event_Type.SHUTDOWN }));
    const piece = await first.body!.getReader().read();
    const [record] = new RecordReader(1000).push(piece.value!);
    assert.equal(mustDecode(EventSchema, record!).type, Event_Type.SHUTDOWN);
    assert.equal((await doors.say(said, token, media)).status, 200);
    assert.ok(doors.door.isListening(ONE.instance));
    assert.deepEqual(doors.gone, [], "the first one was replaced");
    doors.door.close();
    await doors.open();
    doors.door.admit(ONE, 1);
    assert.deepEqual([doors.environment().get("MESOS_AGENT_ENDPOINT"), doors.environment().get(TOKEN)], [port, token]);
    assert.equal((await doors.say(call("one"), token)).status, 202);
  } finally {
    doors.close();
  }
});

test("a flood of connections that show no token keeps no executor out, and one executor holds few [borglet.Y2]", {
  timeout: 60_000,
}, async () => {
  const doors = await new Doors().open();
  const open = new Set<Socket>();
  try {
    const environment = doors.environment();
    const [host = "", port = ""] = (environment.get("MESOS_AGENT_ENDPOINT") ?? "").split(":");
    const dial = (said = ""): Promise<Socket> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(port), host, () => (said === "" ? resolve(socket) : socket.write(said)));
        socket.on("data", () => resolve(socket));
        socket.on("error", reject).on("close", () => open.delete(socket));
        open.add(socket);
      });
    const flood = await Promise.all(Array.from({ length: 700 }, () => dial()));
    const status = await doors.say(call("one"), environment.get(TOKEN)).then(
      (answer) => answer.status,
      () => "no answer",
    );
    assert.equal(status, 202);
    await until(() => open.size <= 512);
    assert.ok(
      flood.slice(0, 100).every(({ destroyed }) => destroyed),
      "the oldest made room",
    );
    const body = JSON.stringify(call("one"));
    const head = `POST /api/v1/executor HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${environment.get(TOKEN)}\r\n`;
    const own: Socket[] = [];
    for (let i = 0; i < 12; i++) own.push(await dial(`${head}content-length: ${body.length}\r\n\r\n${body}`));
    await until(() => own.filter(({ destroyed }) => !destroyed).length <= 8);
    assert.equal(own.at(-1)!.destroyed, false, "the newest stays");
  } finally {
    for (const socket of open) socket.destroy();
    doors.close();
  }
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}
