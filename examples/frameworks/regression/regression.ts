/** Logistic regression in rounds over data that executors keep in memory. Usage: node examples/frameworks/regression/regression.ts --address http://127.0.0.1:5051 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Executor, Framework, type Offer, type Task } from "../../../clients/framework/framework.ts";
import { Store } from "../mapreduce/store.ts";
import { pointsText } from "./data.ts";
import { Rounds } from "./rounds.ts";

const { values } = parseArgs({
  options: {
    address: { type: "string", default: "http://127.0.0.1:5051" },
    /** Where tasks reach this program. */
    host: { type: "string", default: "127.0.0.1" },
    parts: { type: "string", default: "4" },
    points: { type: "string", default: "100000" },
    rounds: { type: "string", default: "10" },
    delay: { type: "string", default: "5" },
  },
});

const FEATURES = 10;
const STEP = 4;
const [parts, points, rounds] = [Number(values.parts), Number(values.points), Number(values.rounds)];
const store = new Store(new Map(Array.from({ length: parts }, (_, part) => [`part-${part}`, pointsText(part, points, FEATURES)])));
const port = await store.listen(values.host);

const LIBRARY = "../../../clients/framework/executor.ts";
const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const EXECUTOR: Executor = {
  id: "regression",
  command: 'printf %s "$LIBRARY" > executor.ts; printf %s "$WORKER" > worker.ts; exec node worker.ts',
  cpus: 0.2,
  mem: 256,
  environment: {
    LIBRARY: textOf(LIBRARY),
    WORKER: textOf("./worker.ts").replace(LIBRARY, "./executor.ts"),
    DATA_HOST: values.host,
    DATA_PORT: String(port),
  },
};
const SIZE = { cpus: 0.1, mem: 32 } as const;

interface Answer {
  readonly gradient: readonly number[];
  readonly loss: number;
  readonly wasRead: boolean;
}

const plan = new Rounds(parts, Number(values.delay) * 1000, Math.ceil(parts / 2));
const running = new Map<string, number>();
let weights: readonly number[] = Array.from({ length: FEATURES }, () => 0);
let answers: Answer[] = [];
let [tries, begunMs] = [0, Date.now()];
plan.begin(begunMs);

/** The executor's own room counts too, where it is not there yet: it comes out of the same offer. */
function use(offer: Offer): void {
  const room = Math.floor(Math.min((offer.cpus - EXECUTOR.cpus) / SIZE.cpus, (offer.mem - EXECUTOR.mem) / SIZE.mem) + 1e-6);
  const tasks = plan.take(offer.machine, Math.max(0, room), Date.now()).map((part): Task => {
    const id = `round-${plan.round}-part-${part}-${++tries}`;
    running.set(id, part);
    return { ...SIZE, id, executor: EXECUTOR, data: Buffer.from(JSON.stringify({ part, weights })) };
  });
  if (tasks.length > 0) framework.launch(offer, tasks, 0);
  else framework.decline([offer], plan.waits ? 1 : 0.1);
}

function endRound(): void {
  const loss = answers.reduce((sum, each) => sum + each.loss, 0) / answers.length;
  const read = answers.filter(({ wasRead }) => wasRead).length;
  console.log(`Round ${plan.round}: ${((Date.now() - begunMs) / 1000).toFixed(2)} s, ${read} parts read, loss ${loss.toFixed(4)}`);
  weights = weights.map(
    (weight, i) => weight - (STEP * answers.reduce((sum, { gradient }) => sum + (gradient[i] ?? 0), 0)) / answers.length,
  );
  answers = [];
  if (plan.round === rounds) return void framework.teardown();
  begunMs = Date.now();
  plan.begin(begunMs);
  framework.revive();
}

const framework: Framework = new Framework(
  { address: values.address, name: "regression" },
  {
    connected: (id) => console.log(`Subscribed as ${id}`),
    disconnected: (reason) => console.log(`Not connected: ${reason}`),
    offers: (offers) => offers.forEach(use),
    failed: (machine) => plan.forget(machine),
    update: ({ task, state, isOver, message, data }) => {
      const part = running.get(task);
      if (part === undefined || !isOver) return;
      running.delete(task);
      if (state === "TASK_FINISHED") {
        plan.done(part);
        answers.push(JSON.parse(data.toString()) as Answer);
      } else {
        console.log(`${task} is over: ${state} (${message})`);
        plan.again(part, Date.now());
        framework.revive();
      }
      if (plan.isOver) endRound();
    },
  },
);
await framework.run();
store.close();
