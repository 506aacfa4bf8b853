/**
 * Is there an order of calls, each somewhere between its invocation and its answer, in which a model gives all the answers that were
 * heard? (The search of Wing and Gong, with Lowe's memo of configurations.) A call without an answer may stand anywhere after
 * its invocation, or nowhere. The search is bounded, and running into the bound is no "yes".
 */
import { compareIds } from "../../base/id.ts";

export interface Timed<Input> {
  readonly input: Input;
  readonly invokedMs: number;
  /** Infinity: no answer was heard, and it need not have happened. */
  readonly returnedMs: number;
}

/** Steps may have several outcomes: the model is in any of the states that fit what was heard so far. No state: impossible. */
export interface Model<Input> {
  readonly initial: readonly string[];
  step(state: string, input: Input): readonly string[];
  /** Calls without an answer that have the same effect are of one kind: it does not matter which of them happened. */
  kind(input: Input): string;
}

export type Verdict<Input> =
  | { readonly type: "linearizable" }
  /** The longest order that still worked, and calls of which one would have to come next and cannot. */
  | { readonly type: "illegal"; readonly prefix: readonly Input[]; readonly stuck: readonly Input[] }
  | { readonly type: "undecided"; readonly steps: number };

export const STEPS_MAX = 500_000;

export function linearizable<Input>(calls: readonly Timed<Input>[], model: Model<Input>, stepsMax = STEPS_MAX): Verdict<Input> {
  return new Search(calls, model, stepsMax).run();
}

/** Calls without an answer of one kind, by invocation. The earliest ones are used first. */
interface Spare<Input> {
  readonly calls: readonly Timed<Input>[];
  used: number;
}

/** What may come next: an answered call by its index, or a spare one of a kind. */
type Choice<Input> = { readonly answered: number } | { readonly spare: Spare<Input> };

interface Branch<Input> {
  readonly states: readonly string[];
  readonly choices: readonly Choice<Input>[];
  next: number;
  /** The choice that led here. */
  readonly taken: Choice<Input> | undefined;
  /** All answered calls before this one are done. */
  readonly first: number;
}

class Search<Input> {
  readonly #answered: readonly Timed<Input>[];
  readonly #spares: readonly Spare<Input>[];
  readonly #done: Uint8Array;
  readonly #model: Model<Input>;
  readonly #stepsMax: number;
  readonly #seen = new Set<string>();
  #left: number;
  #steps = 0;
  #best: readonly Branch<Input>[] = [];
  #bestStuck: readonly Input[] = [];

  constructor(calls: readonly Timed<Input>[], model: Model<Input>, stepsMax: number) {
    const byInvocation = [...calls].sort((a, b) => a.invokedMs - b.invokedMs || a.returnedMs - b.returnedMs);
    this.#answered = byInvocation.filter((call) => call.returnedMs < Number.POSITIVE_INFINITY);
    this.#spares = spares(
      byInvocation.filter((call) => call.returnedMs === Number.POSITIVE_INFINITY),
      model,
    );
    this.#model = model;
    this.#stepsMax = stepsMax;
    this.#done = new Uint8Array(this.#answered.length);
    this.#left = this.#answered.length;
  }

  run(): Verdict<Input> {
    const stack: Branch<Input>[] = [this.#branch(normal(this.#model.initial), undefined, 0)];
    this.#remember(stack);
    while (this.#left > 0) {
      const branch = stack[stack.length - 1];
      if (branch === undefined) return this.#illegal();
      const choice = branch.choices[branch.next++];
      if (choice === undefined) {
        stack.pop();
        if (branch.taken !== undefined) this.#undo(branch.taken);
        continue;
      }
      this.#steps += 1;
      if (this.#steps > this.#stepsMax) return { type: "undecided", steps: this.#steps };
      const next = this.#try(branch, choice);
      if (next === undefined) continue;
      stack.push(next);
      this.#remember(stack);
    }
    return { type: "linearizable" };
  }

  /** The branch after a choice; undefined: impossible, without effect, or seen before. */
  #try(branch: Branch<Input>, choice: Choice<Input>): Branch<Input> | undefined {
    const input = this.#inputOf(choice);
    const states = normal(branch.states.flatMap((state) => this.#model.step(state, input)));
    if (states.length === 0) return undefined;
    // A call that nobody heard of and that changes nothing need not have happened.
    if ("spare" in choice && states.join() === branch.states.join()) return undefined;
    this.#take(choice);
    let { first } = branch;
    while (first < this.#done.length && this.#done[first] === 1) first++;
    const key = this.#key(first, states);
    if (this.#seen.has(key)) {
      this.#undo(choice);
      return undefined;
    }
    this.#seen.add(key);
    return this.#branch(states, choice, first);
  }

  #branch(states: readonly string[], taken: Choice<Input> | undefined, first: number): Branch<Input> {
    return { states, taken, first, next: 0, choices: this.#choices(first) };
  }

  /** Calls that were invoked before any of those still open returned; the earliest answers first, then what nobody heard of. */
  #choices(first: number): readonly Choice<Input>[] {
    let firstReturn = Number.POSITIVE_INFINITY;
    const open: number[] = [];
    for (let i = first; i < this.#answered.length; i++) {
      const call = this.#answered[i]!;
      if (call.invokedMs > firstReturn) break;
      if (this.#done[i] === 1) continue;
      open.push(i);
      firstReturn = Math.min(firstReturn, call.returnedMs);
    }
    const answered = open
      .filter((i) => this.#answered[i]!.invokedMs <= firstReturn)
      .sort((a, b) => this.#answered[a]!.returnedMs - this.#answered[b]!.returnedMs || a - b);
    const spare = this.#spares.filter(({ calls, used }) => used < calls.length && calls[used]!.invokedMs <= firstReturn);
    return [...answered.map((index) => ({ answered: index })), ...spare.map((each) => ({ spare: each }))];
  }

  #inputOf(choice: Choice<Input>): Input {
    return "answered" in choice ? this.#answered[choice.answered]!.input : choice.spare.calls[choice.spare.used]!.input;
  }

  #take(choice: Choice<Input>): void {
    if ("spare" in choice) choice.spare.used += 1;
    else {
      this.#done[choice.answered] = 1;
      this.#left -= 1;
    }
  }

  #undo(choice: Choice<Input>): void {
    if ("spare" in choice) choice.spare.used -= 1;
    else {
      this.#done[choice.answered] = 0;
      this.#left += 1;
    }
  }

  #key(first: number, states: readonly string[]): string {
    let key = `${first}`;
    for (let i = first; i < this.#done.length && this.#answered[i]!.invokedMs <= this.#horizon(first); i++)
      if (this.#done[i] === 1) key += `.${i}`;
    for (const { used } of this.#spares) key += `,${used}`;
    return `${key}|${states.join()}`;
  }

  /** Nothing that was invoked after the first open call returned can be done yet. */
  #horizon(first: number): number {
    return this.#answered[first]?.returnedMs ?? 0;
  }

  #remember(stack: readonly Branch<Input>[]): void {
    if (stack.length <= this.#best.length) return;
    this.#best = [...stack];
    this.#bestStuck = stack[stack.length - 1]!.choices.map((choice) => this.#inputOf(choice));
  }

  #illegal(): Verdict<Input> {
    const prefix: Input[] = [];
    const used = new Map<Spare<Input>, number>();
    for (const { taken } of this.#best) {
      if (taken === undefined) continue;
      if ("answered" in taken) prefix.push(this.#answered[taken.answered]!.input);
      else {
        const at = used.get(taken.spare) ?? 0;
        used.set(taken.spare, at + 1);
        prefix.push(taken.spare.calls[at]!.input);
      }
    }
    return { type: "illegal", prefix, stuck: this.#bestStuck };
  }
}

function spares<Input>(calls: readonly Timed<Input>[], model: Model<Input>): Spare<Input>[] {
  const kinds = new Map<string, Timed<Input>[]>();
  for (const call of calls) {
    const kind = model.kind(call.input);
    kinds.set(kind, [...(kinds.get(kind) ?? []), call]);
  }
  return [...kinds.values()].map((each) => ({ calls: each, used: 0 }));
}

const normal = (states: readonly string[]): readonly string[] => [...new Set(states)].sort(compareIds);
