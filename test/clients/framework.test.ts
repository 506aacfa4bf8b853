/** Our client library against a master that speaks from a script, and the policies of the examples. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { after, test } from "node:test";
import { Framework, FrameworkError, type Offer, type Update } from "../../clients/framework/framework.ts";
import { DelayScheduler } from "../../examples/frameworks/mapreduce/policy.ts";
import { Gang } from "../../examples/frameworks/mpi/gang.ts";
import { Switchboard } from "../../examples/frameworks/mpi/switchboard.ts";
import { jobsIn, Queue } from "../../examples/frameworks/queue/policy.ts";
import { Rounds } from "../../examples/frameworks/regression/rounds.ts";

type Call = Readonly<Record<string, unknown>> & { readonly type: string };

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close();
});

async function bodyOf(request: IncomingMessage): Promise<Call> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as Call;
}

const record = (event: object): string => `${Buffer.byteLength(JSON.stringify(event))}\n${JSON.stringify(event)}`;

/** A master whose streams begin with these events. */
async function master(
  streams: readonly (readonly object[])[],
  status = 200,
): Promise<{ address: string; calls: Call[]; open: ServerResponse[] }> {
  const calls: Call[] = [];
  const open: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    const call = await bodyOf(request);
    calls.push(call);
    if (call.type !== "SUBSCRIBE") return void response.writeHead(202).end();
    response.writeHead(status, { "mesos-stream-id": "s1" });
    if (status !== 200) return void response.end("no");
    const events = streams[open.length] ?? [];
    open.push(response);
    // Cut in the middle of a record: it is read all the same.
    const text = [SUBSCRIBED, ...events].map(record).join("");
    response.write(text.slice(0, 20));
    response.write(text.slice(20));
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  return { address: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, calls, open };
}

const SUBSCRIBED = { type: "SUBSCRIBED", subscribed: { framework_id: { value: "ann.fw.1" } } };
const OFFERS = {
  type: "OFFERS",
  offers: {
    offers: [
      {
        id: { value: "o1" },
        agent_id: { value: "m1" },
        resources: [
          { name: "cpus", scalar: { value: 2 } },
          { name: "mem", scalar: { value: 512 } },
          { name: "ports", ranges: { range: [{ begin: 20000, end: 20001 }] } },
        ],
        attributes: [{ name: "rack", text: { value: "r1" } }],
      },
    ],
  },
};
const status = (state: string, uuid?: string): object => ({
  type: "UPDATE",
  update: { status: { task_id: { value: "t1" }, agent_id: { value: "m1" }, state, ...(uuid === undefined ? {} : { uuid }) } },
});

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    assert.ok(tries < 1000, "It never came");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("a program is handed offers and updates, launches, and what it heard is acknowledged [Z3]", async () => {
  const { address, calls } = await master([[OFFERS, status("TASK_RUNNING", "AAAA"), status("TASK_LOST")]]);
  const heard: Update[] = [];
  let offered: Offer | undefined;
  const framework = new Framework(
    { address, name: "fw", role: "eng", priority: 110 },
    {
      offers: ([offer]) => {
        offered = offer;
        framework.launch(offer!, [{ id: "t1", command: ["date"], cpus: 0.5, mem: 64, ports: [20001], maxSeconds: 5 }]);
      },
      update: (update) => heard.push(update),
    },
  );
  const run = framework.run();
  await until(() => calls.length >= 3);
  await framework.teardown();
  await run;
  assert.deepEqual([offered?.cpus, offered?.mem, offered?.ports, offered?.attributes.get("rack")], [2, 512, [20000, 20001], "r1"]);
  assert.deepEqual(
    heard.map(({ state, isOver }) => `${state} ${isOver}`),
    ["TASK_RUNNING false", "TASK_LOST true"],
  );
  assert.deepEqual(
    calls.map(({ type }) => type),
    ["SUBSCRIBE", "ACCEPT", "ACKNOWLEDGE", "TEARDOWN"],
    "in order; what has no uuid is not acknowledged",
  );
  assert.deepEqual(calls[1]?.framework_id, { value: "ann.fw.1" });
});

test("a stream that ends is subscribed again with the framework's id; an ERROR and a refusal end it [Z12]", async () => {
  const { address, calls, open } = await master([[], []]);
  const said: string[] = [];
  const framework = new Framework({ address, name: "fw" }, { offers: () => {}, update: () => {}, disconnected: (why) => said.push(why) });
  const run = framework.run();
  await until(() => open.length === 1);
  open[0]?.end();
  await until(() => open.length === 2);
  assert.deepEqual(calls[1]?.framework_id, { value: "ann.fw.1" });
  assert.deepEqual(said, ["The stream ended"]);
  open[1]?.end(record({ type: "ERROR", error: { message: "Another scheduler leads" } }));
  await assert.rejects(run, (error) => error instanceof FrameworkError && /Another scheduler leads/.test(error.message));
  const closed = await master([], 403);
  await assert.rejects(new Framework({ address: closed.address, name: "fw" }, { offers: () => {}, update: () => {} }).run(), /403: no/);
});

const offer = (cpus: number, machine = "m1"): Offer => ({ id: "o", machine, cpus, mem: 1000, ports: [], attributes: new Map() });
const over = (task: string, state: string): Update => ({
  task,
  state,
  isOver: true,
  machine: "m1",
  reason: undefined,
  message: "",
  data: Buffer.alloc(0),
});

test("the queue: nobody passes the head, what is lost is tried again three times, what fails has failed [Z20]", () => {
  const queue = new Queue(jobsIn("# a comment\nwide 2 10 sleep 1\nsmall 0.5 10 true\n"));
  assert.deepEqual(queue.take(offer(1)), [], "small waits behind wide");
  assert.deepEqual(
    queue.take(offer(4)).map(({ id }) => id),
    ["wide-1", "small-1"],
  );
  assert.ok(queue.heard(over("small-1", "TASK_FAILED")));
  for (const tried of [1, 2]) {
    queue.heard(over(`wide-${tried}`, "TASK_LOST"));
    assert.deepEqual(
      queue.take(offer(4)).map(({ id }) => id),
      [`wide-${tried + 1}`],
    );
  }
  queue.heard(over("wide-3", "TASK_LOST"));
  assert.deepEqual([queue.isEmpty, queue.done, queue.failed], [true, [], ["small", "wide"]]);
  assert.throws(() => jobsIn("one x 1 true"), /Cannot read line 1/);
});

test("delay scheduling: a task runs where its block is, until the job has waited long enough [Z14]", () => {
  const blocks = [
    { name: "a", machines: ["m1"] },
    { name: "b", machines: ["m2"] },
    { name: "c", machines: ["m2"] },
  ];
  const job = new DelayScheduler(blocks, 5_000, 0);
  assert.equal(job.take("m3", 4_999), undefined);
  assert.equal(job.take("m2", 4_999)?.name, "b", "and the wait begins anew");
  assert.equal(job.take("m3", 9_000), undefined);
  assert.equal(job.take("m3", 9_999)?.name, "a");
  assert.deepEqual([job.local, job.remote, job.left], [1, 1, 1]);
});

const room = (id: string, machine: string, cpus: number, mem = 1000): Offer => ({
  id,
  machine,
  cpus,
  mem,
  ports: [],
  attributes: new Map(),
});

test("ranks begin when all have room, on as few machines as do; what a rank does not fit into is not held [Z20]", () => {
  const gang = new Gang(5, { cpus: 1, mem: 100 });
  assert.deepEqual(
    [gang.hold(room("o1", "m1", 0.9)), gang.hold(room("o2", "m2", 2, 99)), gang.hold(room("o3", "m3", 2))],
    [false, false, true],
  );
  assert.equal(gang.gather(), undefined);
  gang.hold(room("o4", "m4", 1));
  gang.hold(room("o5", "m5", 4));
  gang.forget("o4");
  gang.hold(room("o6", "m6", 1));
  const { shares = [], left = [] } = gang.gather() ?? {};
  assert.deepEqual([shares.map(({ offer, ranks }) => `${offer.id} ${ranks}`), left.map(({ id }) => id)], [["o5 4", "o3 1"], ["o6"]]);
  assert.equal(gang.gather(), undefined, "nothing is held any more");
});

test("ranks are spread when few may be together [Z20]", () => {
  const gang = new Gang(3, { cpus: 0.1, mem: 10 }, 2);
  gang.hold(room("o1", "m1", 4));
  assert.equal(gang.gather(), undefined);
  gang.hold(room("o2", "m2", 0.3));
  assert.deepEqual(
    gang.gather()?.shares.map(({ ranks }) => ranks),
    [2, 1],
  );
});

test("offers of a master that died count for nothing, and a lost launch is made up for on another machine [Z20]", () => {
  const gang = new Gang(3, { cpus: 1, mem: 10 }, 2);
  gang.hold(room("o1", "m1", 1));
  gang.hold(room("o2", "m2", 1));
  gang.clear();
  gang.hold(room("p1", "m1", 2));
  assert.equal(gang.gather(), undefined, "m1 is not there twice");
  gang.hold(room("p2", "m1", 2));
  assert.equal(gang.gather(), undefined, "two are together at most, in however many offers");
  gang.hold(room("p3", "m2", 1));
  const { shares = [] } = gang.gather() ?? {};
  assert.deepEqual([shares.map(({ offer, ranks }) => `${offer.machine} ${ranks}`), gang.isWhole], [["m1 2", "m2 1"], true]);
  assert.equal(gang.hold(room("p4", "m3", 4)), false, "nothing is missing");
  gang.lost(shares[1]!);
  assert.deepEqual([gang.isWhole, gang.hold(room("p5", "m1", 4)), gang.hold(room("p6", "m3", 4))], [false, false, true]);
  assert.deepEqual(
    gang.gather()?.shares.map(({ offer, ranks }) => `${offer.machine} ${ranks}`),
    ["m3 1"],
  );
});

test("a task is handed the command that is meant for it, once, and by nobody who does not know the key [Z20]", async () => {
  let waiting = 0;
  const board = new Switchboard("key", (count) => {
    waiting = count;
  });
  const port = await board.listen("127.0.0.1");
  const say = async (line: string): Promise<string> => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${line}\n`));
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    return text;
  };
  assert.equal(await say("NODE wrong mpi-0"), "");
  assert.equal(waiting, 0);
  const node = say("NODE key mpi-0");
  while (waiting === 0) await new Promise((tick) => setTimeout(tick, 5));
  assert.equal(await say("RUN wrong mpi-0 evil"), "");
  assert.equal(await say("RUN key mpi-1 orted"), "No task mpi-1 waits\n");
  assert.equal(await say('RUN key mpi-0 orted -mca x "a b"'), "OK\n");
  assert.equal(await node, 'orted -mca x "a b"\n');
  assert.equal(await say("RUN key mpi-0 orted"), "No task mpi-0 waits\n");
  board.close();
});

test("a part stays with the machine that has it in memory, and moves after a wait or when that is gone [Z2] [Z20]", () => {
  const rounds = new Rounds(4, 5000, 2);
  rounds.begin(0);
  assert.deepEqual(
    [rounds.take("m1", 9, 0), rounds.take("m2", 9, 0)],
    [
      [0, 1],
      [2, 3],
    ],
    "no machine has them all",
  );
  for (const part of [0, 1, 2, 3]) rounds.done(part);
  assert.ok(rounds.isOver);
  rounds.begin(100);
  assert.deepEqual([rounds.take("m2", 1, 200), rounds.take("m1", 9, 200), rounds.take("m3", 9, 200)], [[2], [0, 1], []]);
  assert.deepEqual(rounds.take("m3", 9, 5100), [3], "it waited long enough");
  rounds.again(0, 5200);
  assert.deepEqual(rounds.take("m3", 9, 5300), [], "it is in the memory of m1");
  rounds.forget("m1");
  assert.deepEqual(rounds.take("m3", 9, 5300), [0]);
});
