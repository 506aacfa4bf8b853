/** One evaluation: how much of each limit is used up, and the way from the start to where it is now. */
import { type Result, refused } from "../../base/result.ts";
import { Fault, type Problem, type Step } from "../problem.ts";
import type { Span } from "../source.ts";
import type { Role } from "../syntax/lexeme.ts";
import { type Bounds, DEFAULT_BOUNDS, FILES_MAX } from "./bounds.ts";
import type { Tuple } from "./tuple.ts";
import type { Value } from "./value.ts";

/** A stage of the way. Texts are made from it only when something goes wrong. */
export interface Stage {
  readonly what: "call" | "field" | "local";
  readonly name: string;
  readonly span: Span;
  /** For a field that declares something. */
  readonly role?: Role | undefined;
  /** The tuple whose field is computed, and the layer that the field stands in. */
  readonly tuple?: Tuple;
  readonly layer?: number;
}

/** Where to go back to when a fault was caught. */
export interface Mark {
  readonly depth: number;
  readonly way: number;
}

/** The standard library's own text; problems inside are shown at the user's call. */
export const STANDARD_PATH = "standard";

export interface World {
  readonly bounds?: Bounds | undefined;
  /** What `--set` gave, as text. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly declare: Declare;
  /** A file of the project, by its path from the root. */
  readonly readFile: (path: string) => Result<string>;
}

/** What a declaration makes of its value: a job, for one, gets its defaults. `inside` is the tuple that the declaration stands in. */
export type Declare = (evaluator: Evaluator, role: Role, name: string, value: Value, inside: Tuple, span: Span) => Value;

/** Characters that are looked at for one step. */
const CHARACTERS_PER_STEP = 32;

/** Messages may hold what a program made up; more than this nobody reads. */
const MESSAGE_MAX = 1000;

export class Evaluator {
  readonly bounds: Bounds;
  readonly parameters: ReadonlyMap<string, string>;
  readonly declare: Declare;
  readonly #readFile: World["readFile"];
  /** Each file is read once, so that it says the same to everyone who asks. */
  readonly #files = new Map<string, Result<string>>();
  readonly way: Stage[] = [];
  #steps = 0;
  #depth = 0;
  #characters = 0;
  #elements = 0;

  constructor(world: World) {
    this.bounds = world.bounds ?? DEFAULT_BOUNDS;
    this.parameters = world.parameters;
    this.declare = world.declare;
    this.#readFile = world.readFile;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Before every node. */
  enter(span: Span): void {
    if (++this.#steps > this.bounds.steps)
      this.#limit(
        span,
        `Evaluation took more than ${this.bounds.steps} steps`,
        "is there a loop that never ends, or one that doubles its work each time?",
      );
    this.deepen(span);
  }

  /** Before a call and before a thunk: they use the host's stack as a node does. Depth is given back, so this ends only what is too deep. */
  deepen(span: Span): void {
    if (++this.#depth > this.bounds.depth)
      throw this.fault(
        span,
        `Evaluation is nested deeper than ${this.bounds.depth} levels`,
        "is there a function that calls itself without an end?",
      );
  }

  leave(): void {
    this.#depth--;
  }

  /** Long work inside one node. */
  charge(steps: number, span: Span): void {
    this.#steps += Math.ceil(steps);
    if (this.#steps > this.bounds.steps)
      this.#limit(
        span,
        `Evaluation took more than ${this.bounds.steps} steps`,
        "is there a loop that never ends, or one that doubles its work each time?",
      );
  }

  /** Before so many characters are looked at. */
  chargeLook(characters: number, span: Span): void {
    if (characters >= CHARACTERS_PER_STEP) this.charge(characters / CHARACTERS_PER_STEP, span);
  }

  /** Before a text of this length is made. */
  chargeText(length: number, span: Span): void {
    if (length > this.bounds.text)
      this.#limit(
        span,
        `Text is longer than ${this.bounds.text} characters`,
        "large data belongs into a package or a file that the task reads",
      );
    this.#characters += length;
    if (this.#characters > this.bounds.textTotal)
      this.#limit(
        span,
        `Evaluation made more than ${this.bounds.textTotal} characters of text`,
        "is a text built up piece by piece in a loop? join() makes it at once",
      );
  }

  chargeElements(count: number, span: Span): void {
    this.#elements += count;
    if (this.#elements > this.bounds.elements)
      this.#limit(
        span,
        `Evaluation made more than ${this.bounds.elements} elements of lists and tuples`,
        "does a list or an inheritance double its size each time?",
      );
  }

  /** The text of a file, for read(). */
  textOf(path: string): Result<string> {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    if (this.#files.size >= FILES_MAX) return refused(`more than ${FILES_MAX} files were read`);
    const found = this.#readFile(path);
    this.#files.set(path, found);
    return found;
  }

  mark(): Mark {
    return { depth: this.#depth, way: this.way.length };
  }

  reset(mark: Mark): void {
    this.#depth = mark.depth;
    this.way.length = mark.way;
  }

  fault(span: Span, message: string, hint?: string): Fault {
    return new Fault(this.problem(span, message, hint));
  }

  problem(span: Span, text: string, hint?: string): Problem {
    const message = text.length <= MESSAGE_MAX ? text : `${text.slice(0, MESSAGE_MAX)}...`;
    const way = waySteps(this.way);
    // A person cannot mend the standard library: show the call that asked it for the impossible, and what led there.
    const own = way.filter((step) => step.span.source.path !== STANDARD_PATH);
    if (span.source.path !== STANDARD_PATH || own.length === 0) return { message, span, hint, way: own, limit: false };
    return { message, span: own[0]!.span, hint, way: own, limit: false };
  }

  #limit(span: Span, message: string, hint: string): never {
    throw new Fault({ ...this.problem(span, message, hint), limit: true });
  }
}

/** Innermost first. A field that stands in a lower layer was inherited: the extensions above it are part of the way. */
function waySteps(stages: readonly Stage[]): Step[] {
  const steps: Step[] = [];
  for (let i = stages.length - 1; i >= 0; i--) {
    const stage = stages[i]!;
    steps.push({ what: stageText(stage), span: stage.span });
    const above = stage.tuple?.layers.slice(stage.layer! + 1) ?? [];
    for (const layer of above) if (layer.via !== undefined) steps.push({ what: "inherited by the extension", span: layer.via });
  }
  return steps;
}

function stageText(stage: Stage): string {
  if (stage.what === "call") return `in the call of ${stage.name}`;
  if (stage.role !== undefined) return `in ${declarationText(stage.role, stage.name)}`;
  return `in the ${stage.what} "${stage.name.slice(0, 63)}"`;
}

/** `job "hello-web"`: the cell's names have hyphens where the language's have underscores. */
export const declarationText = (role: Role, name: string): string => `${role.replace("_", " ")} "${cellName(name).slice(0, 63)}"`;

export const cellName = (name: string): string => name.replaceAll("_", "-");
