/**
 * A master at the other end of the API, as a scheduler's actor hears it: the feed by asking for it again and again, claims as calls. What is lost on the way
 * looks like silence, and the actor knows what to do then.
 */
import { FeedReader } from "../cell/feed-reader.ts";
import { CallError } from "../rpc/call-error.ts";
import type { CellClient } from "../rpc/client.ts";
import { claimsOf, type FromScheduler, type ToScheduler } from "../scheduler/message.ts";

const WAIT_MS = 20_000;
const AGAIN_MS = 500;

export class RemoteMaster {
  readonly #client: CellClient;
  readonly #tell: (message: ToScheduler) => void;
  readonly #log: (line: string) => void;
  /** A new watch ends the older one. */
  #watch = 0;
  #said = "";

  constructor(client: CellClient, tell: (message: ToScheduler) => void, log: (line: string) => void) {
    this.#client = client;
    this.#tell = tell;
    this.#log = log;
  }

  hear(message: FromScheduler): void {
    if (message.type === "watch") void this.#follow(message.from);
    else void this.#claim(message);
  }

  close(): void {
    this.#watch = -1;
  }

  async #follow(from: number): Promise<void> {
    if (this.#watch < 0) return;
    this.#watch += 1;
    const own = this.#watch;
    const reader = new FeedReader(from);
    while (own === this.#watch) {
      try {
        const page = await this.#client.readFeed({ ...reader.request, waitMs: WAIT_MS }, { timeoutMs: WAIT_MS + 10_000 });
        if (own !== this.#watch) return;
        this.#said = "";
        const { image, items } = reader.hear(page);
        // An empty page says as much as an item does: the master lives.
        this.#tell(image === undefined ? { type: "items", items } : { type: "image", image });
      } catch (error) {
        this.#complain(error);
        await new Promise((again) => setTimeout(again, AGAIN_MS));
      }
    }
  }

  async #claim({ id, op }: Extract<FromScheduler, { readonly type: "claim" }>): Promise<void> {
    const { scheduler, claims, allOrNothing } = claimsOf(op);
    try {
      const { position, verdicts } = await this.#client.claimTasks({ scheduler, claims: [...claims], allOrNothing });
      const answers = verdicts.map(({ task, refusal, instance, victims }) =>
        refusal === ""
          ? { ok: true as const, task, instance: instance as never, victims: victims as never[], spared: [] }
          : { ok: false as const, task, reason: refusal },
      );
      this.#tell({ type: "claimed", id, position, answers });
    } catch (error) {
      this.#complain(error);
      this.#tell({ type: "not-claimed", id, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  /** The same trouble is told once. */
  #complain(error: unknown): void {
    const text = error instanceof CallError || error instanceof Error ? error.message : String(error);
    if (text !== this.#said) this.#log(text);
    this.#said = text;
  }
}
