/** Calls that ask other threads to count: how the master is doing, and how busy its schedulers are. */
import type { Address } from "../../base/env.ts";
import { make } from "../../wire/codec.ts";
import * as wire from "../../wire/gen/borg/v1/api_pb.ts";
import type { CountAnswer, Told } from "./message.ts";
import type { Desk, OpenCall } from "./open-calls.ts";
import { listSchedulers } from "./reads.ts";

export interface CountCallsOptions extends Desk {
  readonly counters: Address;
  readonly link: Address;
  readonly threads: readonly string[];
}

export class CountCalls {
  readonly #options: CountCallsOptions;

  constructor(options: CountCallsOptions) {
    this.#options = options;
  }

  getMaster(open: OpenCall): void {
    const { counters, link } = this.#options;
    this.#askAll(
      open,
      [
        [counters, "count-process"],
        [link, "count-links"],
      ],
      ([main, links]) =>
        make(wire.MasterViewSchema, {
          ...(main?.type === "process" ? main.view : {}),
          ...(links?.type === "links" ? without(links) : {}),
        }),
    );
  }

  listSchedulers(open: OpenCall): void {
    const { threads, copy } = this.#options;
    this.#askAll(
      open,
      threads.map((name) => [name, "count-steps"] as const),
      (told) => listSchedulers(copy, new Map(threads.map((name, i) => [name, busyOf(told[i])]))),
    );
  }

  /** Several questions, and one answer when all of theirs are there. */
  #askAll(
    open: OpenCall,
    questions: readonly (readonly [to: Address, type: "count-process" | "count-links" | "count-steps"])[],
    view: (told: readonly (CountAnswer | undefined)[]) => object,
  ): void {
    const { calls, answer } = this.#options;
    const all: (CountAnswer | undefined)[] = questions.map(() => undefined);
    if (all.length === 0) return answer(open, view(all));
    let left = all.length;
    for (const [i, [to, type]] of questions.entries()) {
      const then = (told: CountAnswer): void => {
        all[i] = told;
        left -= 1;
        if (left === 0) answer(open, view(all));
      };
      calls.ask<Extract<Told, CountAnswer>>(open, to, (id) => ({ type, id }), then);
    }
  }
}

const without = ({ type: _, id: __, ...counted }: Extract<CountAnswer, { readonly type: "links" }>): object => counted;

const busyOf = (told: CountAnswer | undefined): { readonly busyMs: number; readonly upMs: number } =>
  told?.type === "steps" ? { busyMs: told.busyMs, upMs: told.upMs } : { busyMs: 0, upMs: 0 };
