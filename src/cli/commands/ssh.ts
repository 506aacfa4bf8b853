/** `borg ssh`: a shell, or one command, in the jail of a running task, among its processes. That it was opened, and by whom, stands in the cell's events. */
import { constants } from "node:os";
import type { ShellSaid } from "../../wire/gen/borg/v1/link_pb.ts";
import { change } from "../change.ts";
import { type Context, NEWS_WAIT_MS } from "../context.ts";
import { Failure } from "../exit.ts";
import { jobOrTask } from "../names.ts";
import { processSeat, type Seat } from "../seat.ts";
import { type SelectionOptions, selectorOf, theTask } from "../selection.ts";

const INPUT_BYTES_MAX = 65_536;
/** What the command does not read is offered again after this. */
const UNREAD_MS = 200;
const SIGNALS: ReadonlyMap<string, number> = new Map(Object.entries(constants.signals));

/** `web/0 ls`, or with a selector the command alone. */
export async function ssh(
  context: Context,
  words: readonly string[],
  options: SelectionOptions = {},
  seat: Seat = processSeat(),
): Promise<number> {
  if (context.json) throw new Failure("usage", "Cannot tell a shell as JSON", "leave --json out");
  const selects = selectorOf(options) !== "";
  const text = selects ? await theTask(context, options) : words[0];
  const command = selects ? words : words.slice(1);
  if (text === undefined) throw new Failure("usage", "Expected the name of a task, or a selector", "as in web/0, or -l track=canary");
  const { job, index } = await jobOrTask(context, text);
  if (index === undefined) throw new Failure("usage", `Cannot tell which task: "${text}" is a job`, `name a task, as in ${text}/0`);
  const task = `${job}/${index}`;
  const { task: view } = await context.ask((client) => client.getTask({ task }));
  const instance = view?.instance ?? "";
  if (instance === "") throw new Failure("refused", `Task ${task} does not run now`, `borg show ${text} says why`);
  let shell = "";
  await change(context, `open a shell in ${task}`, (client, requestId) => {
    shell = requestId;
    return client.openShell({ requestId, instance });
  });
  const session = new Session(context, seat, shell, command);
  try {
    return await session.run();
  } finally {
    seat.leave();
  }
}

class Session {
  readonly #context: Context;
  readonly #seat: Seat;
  readonly #shell: string;
  readonly #command: readonly string[];
  #typed: Uint8Array = new Uint8Array();
  #typedAt = 0;
  #typedEnd = false;
  #sending = false;
  #resized = false;
  #seen = { output: 0, errors: 0 };

  constructor(context: Context, seat: Seat, shell: string, command: readonly string[]) {
    this.#context = context;
    this.#seat = seat;
    this.#shell = shell;
    this.#command = command;
  }

  /** How the command ended: its code, or 128 and the number of the signal. */
  async run(): Promise<number> {
    let said = await this.#use({ waitMs: 0 });
    this.#seat.listen(
      (bytes) => this.#type(bytes),
      () => this.#resize(),
    );
    for (; !said.ended; said = await this.#use({ waitMs: NEWS_WAIT_MS })) await this.#show(said);
    return said.signal === "" ? said.code : 128 + (SIGNALS.get(said.signal) ?? 0);
  }

  /** The same may come twice; what was seen is passed over. */
  async #show({ output, outputAt, errors, errorsAt }: ShellSaid): Promise<void> {
    const { output: outputSeen, errors: errorsSeen } = this.#seen;
    const newOutput = output.subarray(Math.max(0, outputSeen - outputAt));
    const newErrors = errors.subarray(Math.max(0, errorsSeen - errorsAt));
    this.#seen = { output: outputSeen + newOutput.length, errors: errorsSeen + newErrors.length };
    if (newOutput.length > 0) await this.#seat.write(newOutput, false);
    if (newErrors.length > 0) await this.#seat.write(newErrors, true);
  }

  #type(bytes: Uint8Array | undefined): void {
    if (bytes === undefined) this.#typedEnd = true;
    else this.#typed = Buffer.concat([this.#typed, bytes]);
    void this.#send();
  }

  #resize(): void {
    this.#resized = true;
    void this.#send();
  }

  /** One after the other; what comes meanwhile goes with the next. What cannot be sent is found by the one who listens too. */
  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    try {
      while (this.#typed.length > 0 || this.#typedEnd || this.#resized) {
        const input = this.#typed.subarray(0, INPUT_BYTES_MAX);
        const inputEnded = this.#typedEnd && input.length === this.#typed.length;
        this.#resized = false;
        const { inputTaken, ended } = await this.#use({ waitMs: 0, input, inputEnded });
        if (ended) return;
        if (input.length > 0 && inputTaken === this.#typedAt) await this.#context.terminal.sleep(UNREAD_MS);
        this.#typed = this.#typed.subarray(inputTaken - this.#typedAt);
        this.#typedAt = inputTaken;
        if (inputEnded && this.#typed.length === 0) this.#typedEnd = false;
      }
    } catch {
      // The shell has ended, or the cell is away.
    } finally {
      this.#sending = false;
    }
  }

  async #use(more: { readonly waitMs: number; readonly input?: Uint8Array; readonly inputEnded?: boolean }): Promise<ShellSaid> {
    const { isTerminal: terminal, kind } = this.#seat;
    const { output: outputSeen, errors: errorsSeen } = this.#seen;
    const how = { command: [...this.#command], terminal, kind, ...this.#seat.size() };
    const use = { ...how, inputAt: this.#typedAt, outputSeen, errorsSeen, ...more };
    const { said } = await this.#context.ask((client) => client.useShell({ shell: this.#shell, use }));
    if (said === undefined) throw new Failure("fault", "The cell said nothing of the shell");
    return said;
  }
}
