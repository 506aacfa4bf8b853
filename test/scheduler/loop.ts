/** A master that only judges and feeds, and schedulers around it, on a simulated clock with a network that delays and loses. */

import type { Env, TimerHandle } from "../../src/base/env.ts";
import { Random } from "../../src/base/random.ts";
import { type FeedItem, feedItem, imageOf } from "../../src/cell/feed.ts";
import { type Op, schedulerOp } from "../../src/cell/op.ts";
import type { FromScheduler, ToScheduler } from "../../src/scheduler/message.ts";
import { claimsOf } from "../../src/scheduler/message.ts";
import { SchedulerActor, type SchedulerOptions } from "../../src/scheduler/scheduler.ts";
import type { World } from "../cell/world.ts";

interface Happening {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

export class Loop {
  readonly world: World;
  readonly schedulers = new Map<string, SchedulerActor>();
  readonly counts = { watches: 0, images: 0, claims: 0, accepted: 0, refused: 0, lost: 0 };
  readonly log: string[] = [];
  /** The part of all messages that is lost. */
  loss = 0;
  /** Only messages that this lets through arrive. */
  passes: (message: ToScheduler | FromScheduler) => boolean = () => true;
  delayMs: readonly [number, number] = [1, 5];
  /** On top of that. */
  extraMs: (message: ToScheduler | FromScheduler) => number = () => 0;
  now = 0;
  readonly #random: Random;
  readonly items: FeedItem[] = [];
  readonly #watchers = new Set<string>();
  #happenings: Happening[] = [];
  #order = 0;

  constructor(world: World, seed = 1) {
    this.world = world;
    this.#random = new Random(seed);
  }

  add(options: Omit<SchedulerOptions, "master">): SchedulerActor {
    const scheduler = new SchedulerActor(this.#env(options.name), { ...options, master: "master/0" });
    this.schedulers.set(options.name, scheduler);
    scheduler.start();
    return scheduler;
  }

  /** An op from elsewhere. */
  op(op: Op): boolean {
    return this.#commit(op).ok;
  }

  run(forMs: number): this {
    const end = this.now + forMs;
    for (;;) {
      const next = this.#happenings.reduce<Happening | undefined>(
        (first, each) => (first && !before(each, first) ? first : each),
        undefined,
      );
      if (next === undefined || next.at > end) break;
      this.#happenings = this.#happenings.filter((each) => each !== next);
      this.now = next.at;
      next.run();
    }
    this.now = end;
    return this;
  }

  #at(afterMs: number, run: () => void): Happening {
    const happening = { at: this.now + afterMs, order: this.#order++, run };
    this.#happenings.push(happening);
    return happening;
  }

  /** Messages get lost, and overtake each other. */
  #deliver(message: ToScheduler | FromScheduler, run: () => void): void {
    if (!this.passes(message) || this.#random.chance(this.loss)) {
      this.counts.lost += 1;
      return;
    }
    this.#at(this.#random.int(...this.delayMs) + this.extraMs(message), run);
  }

  #env(name: string): Env<FromScheduler> {
    const timers = new Map<TimerHandle, Happening>();
    let ids = 0;
    return {
      now: () => this.now,
      wall: () => this.now,
      random: () => this.#random.float(),
      id: () => `${name}-${++ids}`,
      timer: (afterMs, tag) => {
        const handle = { tag };
        timers.set(
          handle,
          this.#at(afterMs, () => this.schedulers.get(name)?.onTimer(tag)),
        );
        return handle;
      },
      cancel: (handle) => {
        const happening = timers.get(handle);
        this.#happenings = this.#happenings.filter((each) => each !== happening);
      },
      send: (_to, message) => this.#deliver(message, () => this.#onMaster(message)),
      log: (line) => void this.log.push(line),
    };
  }

  #tell(name: string, message: ToScheduler): void {
    this.#deliver(message, () => this.schedulers.get(name)?.onMessage("master/0", message));
  }

  #onMaster(message: FromScheduler): void {
    if (message.type === "watch") {
      this.counts.watches += 1;
      this.#watchers.add(message.scheduler);
      const first = this.items[0]?.position ?? Number.POSITIVE_INFINITY;
      if (message.from > 0 && (message.from >= first || message.from > this.world.state.position)) {
        this.#tell(message.scheduler, { type: "items", items: this.items.filter((item) => item.position >= message.from) });
        return;
      }
      this.counts.images += 1;
      this.#tell(message.scheduler, { type: "image", image: imageOf(this.world.state) });
      return;
    }
    const { id } = message;
    const { scheduler, claims, allOrNothing } = claimsOf(message.op);
    this.counts.claims += claims.length;
    const op = schedulerOp(scheduler, { case: "taskClaims", value: { claims: [...claims], allOrNothing } });
    const outcome = this.#commit(op);
    if (!outcome.ok || outcome.answer.type !== "claims") {
      this.counts.refused += claims.length;
      this.#tell(scheduler, { type: "not-claimed", id, reason: outcome.ok ? "no answer" : outcome.reason });
      return;
    }
    for (const answer of outcome.answer.claims) this.counts[answer.ok ? "accepted" : "refused"] += 1;
    this.#tell(scheduler, { type: "claimed", id, position: this.world.state.position, answers: outcome.answer.claims });
  }

  #commit(op: Op) {
    this.world.timeMs = 1_000_000 + Math.floor(this.now);
    const outcomes = this.world.entry(op);
    const item = feedItem(this.world.state, outcomes);
    this.items.push(item);
    for (const name of this.#watchers) this.#tell(name, { type: "items", items: [item] });
    return outcomes[0]!;
  }
}

const before = (a: Happening, b: Happening): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
