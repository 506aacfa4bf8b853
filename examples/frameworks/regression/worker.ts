/**
 * The executor of the regression: it reads a part of the data once, as text, and keeps its numbers in memory for all later rounds. Each task is one part in one round: it answers with the gradient
 * of the loss there. It is shipped to its machine as text, beside clients/framework/executor.ts.
 */
import { connect } from "node:net";
import { Executor } from "../../../clients/framework/executor.ts";

interface Asked {
  readonly part: number;
  readonly weights: readonly number[];
}

interface Points {
  readonly labels: Float64Array;
  /** One after the other, so many numbers each as there are weights. */
  readonly values: Float64Array;
}

const { DATA_HOST = "127.0.0.1", DATA_PORT = "0" } = process.env;
const cache = new Map<number, Points>();

async function read(part: number): Promise<Points> {
  let text = "";
  const socket = connect(Number(DATA_PORT), DATA_HOST, () => socket.write(`GET part-${part}\n`));
  for await (const chunk of socket) text += String(chunk);
  const lines = text.trimEnd().split("\n");
  if (text === "") throw new Error(`There is no part ${part}`);
  const rows = lines.map((line) => line.split(" ").map(Number));
  return { labels: Float64Array.from(rows, ([label = 0]) => label), values: Float64Array.from(rows.flatMap((row) => row.slice(1))) };
}

/** Of the mean logistic loss over a part; labels are 1 and -1. */
function gradientOf(
  { labels, values }: Points,
  weights: readonly number[],
): { readonly gradient: readonly number[]; readonly loss: number } {
  const gradient = weights.map(() => 0);
  let loss = 0;
  for (const [i, label] of labels.entries()) {
    let product = 0;
    for (const [j, weight] of weights.entries()) product += weight * (values[i * weights.length + j] ?? 0);
    const margin = label * product;
    loss += Math.log1p(Math.exp(-margin)) / labels.length;
    const pull = -label / (1 + Math.exp(margin)) / labels.length;
    for (let j = 0; j < weights.length; j++) gradient[j] = (gradient[j] ?? 0) + pull * (values[i * weights.length + j] ?? 0);
  }
  return { gradient, loss };
}

async function work(id: string, { part, weights }: Asked): Promise<void> {
  executor.update(id, "TASK_RUNNING");
  try {
    const known = cache.get(part);
    const points = known ?? (await read(part));
    cache.set(part, points);
    const answer = { ...gradientOf(points, weights), wasRead: known === undefined };
    executor.update(id, "TASK_FINISHED", { data: Buffer.from(JSON.stringify(answer)) });
  } catch (error) {
    executor.update(id, "TASK_FAILED", { message: String(error) });
  }
}

const executor = new Executor({
  launch: ({ id, data }) => void work(id, JSON.parse(data.toString()) as Asked),
  kill: (id) => executor.update(id, "TASK_KILLED"),
});
await executor.run();
