/** Counts words with map and reduce tasks. Usage: node examples/frameworks/mapreduce/mapreduce.ts --address http://127.0.0.1:5051 data.json */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Framework, type Offer, type Task } from "../../../clients/framework/framework.ts";
import { type Block, DelayScheduler } from "./policy.ts";
import { Store } from "./store.ts";

const { values, positionals } = parseArgs({
  options: {
    address: { type: "string", default: "http://127.0.0.1:5051" },
    delay: { type: "string", default: "5" },
    /** Where tasks reach this program. */
    host: { type: "string", default: "127.0.0.1" },
  },
  allowPositionals: true,
});

interface Given extends Block {
  readonly text: string;
}

const blocks = (JSON.parse(readFileSync(positionals[0] ?? "", "utf8")) as { readonly blocks: readonly Given[] }).blocks;
const store = new Store(new Map(blocks.map(({ name, text }) => [name, text])));
const port = await store.listen(values.host);
const maps = new DelayScheduler(blocks, Number(values.delay) * 1000, Date.now());
const SIZE = { cpus: 0.1, mem: 32 } as const;
/** bash speaks TCP by itself. */
const GET = 'get() { exec 3<>"/dev/tcp/$HOST/$PORT"; printf "GET %s\\n" "$1" >&3; cat <&3; exec 3>&-; }';
const PUT = 'put() { { printf "PUT %s\\n" "$1"; cat; } >"/dev/tcp/$HOST/$PORT"; }';
const shell = (script: string): readonly string[] => ["bash", "-c", `set -eo pipefail; ${GET}; ${PUT}; ${script}`];

const running = new Map<string, Block | "reduce">();
const mapped: string[] = [];
let [tries, isReducing] = [0, false];

const mapTask = ({ name }: Block): Task => ({
  ...SIZE,
  id: `map-${name}-${++tries}`,
  command: shell(`get ${name} | tr -cs "[:alnum:]" "\\n" | sort | uniq -c | put out-${name}`),
  environment: { HOST: values.host, PORT: String(port) },
});

const reduceTask = (): Task => ({
  ...SIZE,
  id: `reduce-${++tries}`,
  command: shell(
    `{ ${mapped.map((name) => `get out-${name}`).join("; ")}; } | awk '{ sum[$2] += $1 } END { for (word in sum) print sum[word], word }' | sort -k1,1nr -k2 | put result`,
  ),
  environment: { HOST: values.host, PORT: String(port) },
});

/** As many tasks as fit and may run there. */
function use(offer: Offer): void {
  const tasks: Task[] = [];
  const fits = (): boolean => (tasks.length + 1) * SIZE.cpus <= offer.cpus && (tasks.length + 1) * SIZE.mem <= offer.mem;
  for (let block = fits() ? maps.take(offer.machine, Date.now()) : undefined; block !== undefined; ) {
    const task = mapTask(block);
    running.set(task.id, block);
    tasks.push(task);
    block = fits() ? maps.take(offer.machine, Date.now()) : undefined;
  }
  if (mapped.length === blocks.length && !isReducing && fits()) {
    isReducing = true;
    const task = reduceTask();
    running.set(task.id, "reduce");
    tasks.push(task);
  }
  if (tasks.length > 0) framework.launch(offer, tasks);
  // What was declined is offered again when the wait may be over.
  else framework.decline([offer], maps.left > 0 ? 1 : 5);
}

const framework: Framework = new Framework(
  { address: values.address, name: "mapreduce", failoverSeconds: 600 },
  {
    connected: (id) => console.log(`Subscribed as ${id}`),
    disconnected: (reason) => console.log(`Not connected: ${reason}`),
    offers: (offers) => offers.forEach(use),
    update: ({ task, state, isOver, machine, message }) => {
      const what = running.get(task);
      if (what === undefined || !isOver) return;
      running.delete(task);
      console.log(`${task} on ${machine ?? "?"}: ${state}${state === "TASK_FINISHED" ? "" : ` (${message})`}`);
      const isDone = state === "TASK_FINISHED";
      if (what === "reduce" && isDone) return void framework.teardown();
      if (what === "reduce") isReducing = false;
      else if (isDone) mapped.push(what.name);
      else maps.again(what);
      if (!isDone || mapped.length === blocks.length) framework.revive();
    },
  },
);
await framework.run();
store.close();
console.log(`${maps.local} of ${maps.local + maps.remote} map tasks ran where their block is`);
console.log(store.get("result").trimEnd());
