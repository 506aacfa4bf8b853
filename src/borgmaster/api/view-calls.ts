/**
 * Pages that watch (docs/views.md). A call names the views and the answer before; it is answered with the difference as soon as there is one, ten times a second at
 * most, and from the API's own copy. What a page was told is kept between its calls: V1 a page that asks with another number than it was told last gets
 * everything anew; V2 a watch that nobody asked about for a minute is forgotten; V3 a user has so many watches, and the oldest goes for one more.
 */
import type { Env } from "../../base/env.ts";
import type { Touched } from "../../cell/touched.ts";
import { make } from "../../wire/codec.ts";
import { type WatchViewsRequest, WatchViewsResponseSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import type { FromApi } from "./message.ts";
import type { Desk, OpenCall } from "./open-calls.ts";
import { Meter } from "./price.ts";
import { CellSamples, SAMPLE_MS } from "./view-cell.ts";
import { ViewIndex } from "./view-index.ts";
import { type Sight, WatchedView } from "./view-watch.ts";

/** Timers of views begin with it. */
export const VIEWS_TAG = "views";
const REST_TAG = `${VIEWS_TAG} rest`;
const LOOK_MS = 100;
const FORGOTTEN_MS = 60_000;
/** Sums are kept so long after the last page closed, so that the next one has its last hour. */
const INDEX_MS = 3_600_000;
export const WATCHES_PER_USER = 16;
const WATCHES_MAX = 1000;

interface Watch {
  readonly user: string;
  seen: number;
  views: readonly WatchedView[];
  askedMs: number;
  /** The call that waits for a difference. */
  open: OpenCall | undefined;
}

export interface ViewCallsOptions extends Desk {
  readonly env: Env<FromApi>;
  readonly serve: (open: OpenCall, work: () => void) => void;
  /** Cell time. */
  readonly timeMs: () => number;
}

export class ViewCalls {
  readonly #options: ViewCallsOptions;
  /** By user and the page's own name; the one that was asked about longest ago first. */
  readonly #watches = new Map<string, Watch>();
  #index: ViewIndex | undefined;
  #samples = new CellSamples();
  #watchedMs = 0;
  #isTicking = false;
  #isSampling = false;

  constructor(options: ViewCallsOptions) {
    this.#options = options;
  }

  /** The copy begins anew: nothing that was told counts. */
  reset(): void {
    this.#index = undefined;
    this.#samples = new CellSamples();
    for (const watch of this.#watches.values()) watch.seen = Number.NaN;
  }

  touched(all: Iterable<Touched>): void {
    if (this.#index === undefined) return;
    for (const each of all) {
      this.#index.touched(each);
      for (const { views } of this.#watches.values()) for (const view of views) view.touched(each);
    }
  }

  measured(machines: readonly { readonly machine: string }[]): void {
    this.#index?.measured(machines.map(({ machine }) => machine));
  }

  watch(open: OpenCall): void {
    const { env } = this.#options;
    const request = open.call.request as WatchViewsRequest;
    const watch = this.#take(`${open.call.user} ${request.watch}`, open.call.user);
    if (watch.open !== undefined && !watch.open.ended) this.#answer(watch, []);
    const isKnown = watch.seen === request.seen && request.seen !== 0;
    const before = isKnown ? watch.views : [];
    watch.views = request.views.map((view, i) => (before[i]?.isOf(view) === true ? before[i] : new WatchedView(view)));
    watch.seen = isKnown ? watch.seen : 0;
    watch.open = open;
    this.#look(watch);
    if (open.ended) return;
    const untilMs = Math.min(env.now() + request.waitMs, open.untilMs);
    open.late = () => this.#answer(watch, []);
    if (request.waitMs === 0) return this.#answer(watch, []);
    this.#options.calls.endBy(open, untilMs);
    this.#tick();
  }

  onTimer(tag: string): void {
    if (tag === REST_TAG) return this.#onRest();
    this.#isTicking = false;
    this.#forget();
    for (const watch of this.#watches.values()) if (watch.open !== undefined) this.#options.serve(watch.open, () => this.#look(watch));
    if ([...this.#watches.values()].some(({ open }) => open !== undefined && !open.ended)) this.#tick();
    else if (this.#index !== undefined) this.#rest();
  }

  /** Nobody waits: only samples go on, for a while. */
  #rest(): void {
    const { env, timeMs } = this.#options;
    if (this.#index === undefined || this.#isSampling) return;
    if (env.now() - this.#watchedMs > INDEX_MS) return this.reset();
    this.#samples.look(env.now(), timeMs(), this.#index, new Meter());
    this.#isSampling = true;
    env.timer(SAMPLE_MS, REST_TAG);
  }

  #onRest(): void {
    this.#isSampling = false;
    if (!this.#isTicking) this.#rest();
  }

  #tick(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.#options.env.timer(LOOK_MS, VIEWS_TAG);
  }

  #look(watch: Watch): void {
    const { open } = watch;
    if (open === undefined || open.ended) return;
    const { copy, env, timeMs } = this.#options;
    this.#index ??= new ViewIndex(copy, timeMs);
    const nowMs = env.now();
    this.#watchedMs = nowMs;
    this.#samples.look(nowMs, timeMs(), this.#index, open.meter);
    const sight: Sight = { copy, index: this.#index, samples: this.#samples, user: watch.user, nowMs, meter: open.meter };
    const changes = watch.views.flatMap((view, i) => {
      const change = view.look(sight);
      return change === undefined ? [] : [{ view: i, ...change }];
    });
    if (changes.length > 0) this.#answer(watch, changes);
  }

  #answer(watch: Watch, changes: readonly object[]): void {
    const { open } = watch;
    if (open === undefined) return;
    watch.open = undefined;
    if (changes.length > 0 || watch.seen === 0) watch.seen += 1;
    this.#options.answer(open, make(WatchViewsResponseSchema, { seen: watch.seen, timeMs: this.#options.timeMs(), changes: [...changes] }));
  }

  #take(key: string, user: string): Watch {
    this.#forget();
    const known = this.#watches.get(key);
    this.#watches.delete(key);
    const watch: Watch = known ?? { user, seen: 0, views: [], askedMs: 0, open: undefined };
    watch.askedMs = this.#options.env.now();
    if (known === undefined) this.#makeRoom(user);
    this.#watches.set(key, watch);
    return watch;
  }

  #makeRoom(user: string): void {
    const own = [...this.#watches].filter(([, watch]) => watch.user === user);
    const [oldest] = own.length >= WATCHES_PER_USER ? own : this.#watches.size >= WATCHES_MAX ? this.#watches : [];
    if (oldest !== undefined) this.#end(...oldest);
  }

  #forget(): void {
    const now = this.#options.env.now();
    for (const [key, watch] of this.#watches)
      if (now - watch.askedMs > FORGOTTEN_MS && (watch.open === undefined || watch.open.ended)) this.#end(key, watch);
  }

  #end(key: string, watch: Watch): void {
    this.#watches.delete(key);
    if (watch.open !== undefined && !watch.open.ended) this.#answer(watch, []);
  }
}
