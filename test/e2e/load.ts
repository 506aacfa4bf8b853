/**
 * A client that a service serves without end: it follows which tasks the cell says are ready, asks one of them, and where that fails asks one other, once. A
 * request that fails twice is kept with what went wrong.
 */
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { RealCell } from "./real-cell.ts";

/** How old the client's list of tasks may become; a task that stops serves on for its lame duck, which must be longer. */
const FOLLOW_MS = 100;
const PAUSE_MS = 10;
const ANSWER_MS = 3000;

export class Load {
  served = 0;
  retried = 0;
  readonly failed: string[] = [];
  /** Which versions answered. */
  readonly versions = new Set<string>();
  readonly #cell: RealCell;
  readonly #job: string;
  #ready: readonly string[] = [];
  #stopped = false;
  readonly #loops: Promise<void>[] = [];

  constructor(cell: RealCell, job: string) {
    this.#cell = cell;
    this.#job = job;
  }

  async start(clients: number): Promise<void> {
    await this.#look();
    this.#loops.push(this.#follow());
    for (let i = 0; i < clients; i++) this.#loops.push(this.#ask(i));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  async #look(): Promise<void> {
    const tasks = await this.#cell.tasks(this.#job);
    this.#ready = tasks.filter(({ ready }) => ready).map(({ host, ports }) => `http://${host}:${ports[0]?.number}/`);
  }

  /** A look that fails leaves the list as it is: names outlive a master. */
  async #follow(): Promise<void> {
    while (!this.#stopped) {
      await this.#look().catch(() => {});
      await sleep(FOLLOW_MS);
    }
  }

  async #ask(turn: number): Promise<void> {
    for (let i = turn; !this.#stopped; i++) {
      const first = this.#ready[i % this.#ready.length];
      const why = await this.#try(first);
      if (why !== undefined) {
        const others = this.#ready.filter((address) => address !== first);
        const again = await this.#try(others[i % others.length]);
        if (again === undefined) this.retried += 1;
        else this.failed.push(`${first}: ${why}; then ${others[i % others.length]}: ${again}`);
      }
      await sleep(PAUSE_MS);
    }
  }

  /** Why not; undefined when it was served. */
  async #try(address: string | undefined): Promise<string | undefined> {
    if (address === undefined) return "no task is ready";
    const said = await answerOf(address);
    if (!said.ok) return said.why;
    this.served += 1;
    this.versions.add(said.text);
    return undefined;
  }
}

type Said = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** On a connection of its own: one that is kept would hide who no longer listens. */
export function answerOf(address: string): Promise<Said> {
  return new Promise((resolve) => {
    const asked = request(address, { agent: false, timeout: ANSWER_MS }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => resolve(answer.statusCode === 200 ? { ok: true, text } : { ok: false, why: `status ${answer.statusCode}` }));
      answer.on("error", ({ message }) => resolve({ ok: false, why: message }));
    });
    asked.on("timeout", () => asked.destroy(new Error(`no answer within ${ANSWER_MS} ms`)));
    asked.on("error", ({ message }) => resolve({ ok: false, why: message }));
    asked.end();
  });
}
