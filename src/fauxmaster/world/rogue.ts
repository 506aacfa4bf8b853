/**
 * A scheduler that plans on a copy of the cell that is seconds old, and names whoever it likes as victims. Nothing it does may hurt: the master judges
 * every claim by the truth (Omega). It makes what is rare between good schedulers common: stale incarnations, machines that are gone, victims nobody needs.
 */
import type { Actor, Address, Env } from "../../base/env.ts";
import { mayEvict } from "../../cell/band.ts";
import type { FeedItem } from "../../cell/feed.ts";
import type { Task } from "../../cell/state.ts";
import { claimOp, type FromScheduler, type PlannedClaim, type ToScheduler } from "../../scheduler/message.ts";
import { Mirror } from "../../scheduler/mirror/mirror.ts";

const PLAN_MS = 1500;
/** How old its view is, at least. */
const LATE_MS = 2500;
const CLAIMS_MAX = 3;
const FORGETS = 0.05;
/** Items it may be behind; beyond it, it starts anew. */
const BEHIND_MAX = 5000;

export class RogueScheduler implements Actor<ToScheduler> {
  readonly #env: Env<FromScheduler>;
  readonly #name: string;
  readonly #master: Address;
  readonly #mirror: Mirror;
  readonly #open: () => boolean;
  #hasImage = false;
  /** Items it has heard of and does not look at yet. */
  #late: { readonly atMs: number; readonly item: FeedItem }[] = [];

  /** `open`: whether it still proposes. While a world heals it does not, or it would place by chance what the good ones forgot. */
  constructor(env: Env<FromScheduler>, name: string, master: Address, open: () => boolean) {
    this.#env = env;
    this.#name = name;
    this.#master = master;
    this.#mirror = new Mirror(name);
    this.#open = open;
  }

  start(): void {
    this.#env.timer(PLAN_MS, "plan");
  }

  onMessage(_from: Address, message: ToScheduler): void {
    if (message.type === "image") {
      this.#late = [];
      this.#hasImage = this.#mirror.load(message.image) === undefined;
    }
    if (message.type === "items") for (const item of message.items) this.#late.push({ atMs: this.#env.now() + LATE_MS, item });
  }

  onTimer(): void {
    this.#env.timer(PLAN_MS * (0.5 + this.#env.random()), "plan");
    while (this.#hasImage && this.#late.length > 0 && this.#late[0]!.atMs <= this.#env.now()) {
      this.#hasImage = this.#mirror.follow(this.#late.shift()!.item) === undefined;
    }
    if (!this.#hasImage || this.#late.length > BEHIND_MAX) this.#watch(0);
    else if (this.#env.random() < FORGETS) this.#watch(this.#mirror.position + 1);
    else if (this.#open()) this.#propose();
  }

  /** Now and then it has lost what it heard, and asks for it again from where it is: from the feed's memory, or as a fresh image. */
  #watch(from: number): void {
    this.#late = [];
    this.#env.send(this.#master, { type: "watch", scheduler: this.#name, from });
  }

  #propose(): void {
    const tasks = [...this.#mirror.jobs.values()].flatMap((job) => job.tasks).filter((task) => task.state !== "dead");
    const claims = Array.from({ length: 1 + this.#draw(CLAIMS_MAX) }, () => this.#claim(tasks)).filter((claim) => claim !== undefined);
    if (claims.length === 0) return;
    const id = this.#env.id();
    this.#env.send(this.#master, { type: "claim", id, op: claimOp(this.#name, claims, this.#env.random() < 0.2) });
  }

  /** Mostly a task that was pending when it last looked, somewhere; with victims more often than needed. */
  #claim(tasks: readonly Task[]): PlannedClaim | undefined {
    const pending = tasks.filter((task) => task.state === "pending");
    const task = this.#pick(this.#env.random() < 0.8 ? pending : tasks);
    const machine = this.#pick([...this.#mirror.machines.values()]);
    if (task === undefined || machine === undefined) return undefined;
    const others = [...machine.place.occupants.values()].filter((other) => this.#env.random() < 0.5 && mayEvict(task.job.priority, other));
    const victims = this.#env.random() < 0.4 ? others.slice(0, 3).map((other) => other.id) : [];
    return { task: task.id, incarnation: task.incarnation, place: machine.id, victims, seen: machine.sequence };
  }

  #draw(below: number): number {
    return Math.floor(this.#env.random() * below);
  }

  #pick<T>(items: readonly T[]): T | undefined {
    return items[this.#draw(items.length)];
  }
}
