/** What is fuzzed: something with an API port and a link port. Here a few lines of a cell in a thread of their own; a real master fits as well. */
import { Worker } from "node:worker_threads";

export interface Target {
  readonly port: number;
  readonly linkPort: number;
  /** A user's. */
  readonly token: string;
  /** A borglet's. */
  readonly linkToken: string;
  /** Changes when anything that was accepted changed anything, and never else. */
  stateHash(): Promise<string>;
  /** What the target noticed that must never happen. */
  problems(): Promise<readonly string[]>;
  /** The longest that its event loop was held up since it was last asked. */
  delayMaxMs(): Promise<number>;
  close(): Promise<void>;
}

export interface StubReady {
  readonly port: number;
  readonly linkPort: number;
  readonly token: string;
}

export type StubQuestion = "hash" | "problems" | "delay";

/** A crash of the stub is the next question's error. */
export async function startStub(): Promise<Target> {
  const worker = new Worker(new URL("stub.worker.ts", import.meta.url));
  const crashed = new Promise<never>((_, reject) => worker.once("error", reject));
  crashed.catch(() => {});
  const next = () => Promise.race([crashed, new Promise<unknown>((resolve) => worker.once("message", resolve))]);
  const ready = (await next()) as StubReady;
  let queue: Promise<unknown> = Promise.resolve();
  const ask = (question: StubQuestion): Promise<unknown> => {
    queue = queue.then(() => {
      const answer = next();
      worker.postMessage(question);
      return answer;
    });
    return queue;
  };
  return {
    ...ready,
    linkToken: ready.token,
    stateHash: () => ask("hash") as Promise<string>,
    problems: () => ask("problems") as Promise<readonly string[]>,
    delayMaxMs: () => ask("delay") as Promise<number>,
    close: async () => void (await worker.terminate()),
  };
}
