/** A batch queue over offers, in the manner of Torque. Usage: node examples/frameworks/queue/queue.ts --address http://127.0.0.1:5051 jobs.txt */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Framework } from "../../../clients/framework/framework.ts";
import { jobsIn, Queue } from "./policy.ts";

const { values, positionals } = parseArgs({
  options: { address: { type: "string", default: "http://127.0.0.1:5051" } },
  allowPositionals: true,
});
const [file] = positionals;
if (file === undefined) throw new Error("Say which file has the jobs: queue.ts --address http://127.0.0.1:5051 jobs.txt");
const queue = new Queue(jobsIn(readFileSync(file, "utf8")));

const framework = new Framework(
  { address: values.address, name: "queue", failoverSeconds: 600 },
  {
    connected: (id) => console.log(`Subscribed as ${id}`),
    disconnected: (reason) => console.log(`Not connected: ${reason}`),
    offers: (offers) => {
      for (const offer of offers) {
        const tasks = queue.take(offer);
        if (tasks.length > 0) framework.launch(offer, tasks);
        else framework.decline([offer]);
      }
      // Who has nothing to run asks for nothing: others share what there is.
      if (!queue.wantsOffers) framework.suppress();
    },
    update: (update) => {
      if (update.state === "TASK_RUNNING") console.log(`${update.task} runs on ${update.machine ?? "?"}`);
      if (!queue.heard(update)) return;
      console.log(`${update.task} is over: ${update.state}${update.state === "TASK_FINISHED" ? "" : ` (${update.message})`}`);
      if (queue.wantsOffers) framework.revive();
      if (queue.isEmpty) void framework.teardown();
    },
  },
);
if (!queue.isEmpty) await framework.run();
console.log(`${queue.done.length} done, ${queue.failed.length} failed${queue.failed.length === 0 ? "" : `: ${queue.failed.join(", ")}`}`);
process.exitCode = queue.failed.length === 0 ? 0 : 1;
