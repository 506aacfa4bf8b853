/**
 * Changes the cell once, however often it has to be asked: every attempt carries the same request id, which the cell remembers.
 * When the deadline passes it says what is known, and never more than that.
 */
import { CallError } from "../rpc/call-error.ts";
import type { CellClient } from "./client.ts";
import { backoffMs, type Context, RETRIED } from "./context.ts";
import { Failure } from "./exit.ts";

/** Later than this, people want to know what they wait for. */
const QUIET_MS = 1500;

interface Attempts {
  readonly what: string;
  /** The command's request id. */
  readonly repeat: string;
  readonly deadlineMs: number;
  /** Whether some attempt may have reached the journal. */
  readonly uncertain: boolean;
  readonly last: CallError;
}

/** `what` is the change in words, as in `submit ann/web`: it stands in the messages. */
export async function change<Answer>(
  context: Context,
  what: string,
  call: (client: CellClient, requestId: string) => Promise<Answer>,
): Promise<Answer> {
  const { terminal, flags } = context;
  const client = await context.client();
  const requestId = context.nextRequestId();
  const begin = terminal.now();
  let [uncertain, told] = [false, false];
  for (let attempt = 0; ; attempt++) {
    try {
      return await call(client, requestId);
    } catch (error) {
      if (!(error instanceof CallError) || !RETRIED.has(error.code)) throw error;
      uncertain ||= error.code === "unknown";
      const spentMs = terminal.now() - begin;
      const leftMs = flags.deadlineMs - spentMs;
      if (leftMs <= 0) throw given({ what, repeat: context.requestId, deadlineMs: flags.deadlineMs, uncertain, last: error });
      if (!told && spentMs >= QUIET_MS && terminal.live && !flags.json) {
        terminal.complain(`${error.message}; trying again for ${Math.ceil(leftMs / 1000)} s\n`);
        told = true;
      }
      await terminal.sleep(backoffMs(attempt, error, leftMs));
    }
  }
}

function given({ what, repeat, deadlineMs, uncertain, last }: Attempts): Failure {
  const waited = `${deadlineMs / 1000} s`;
  if (!uncertain)
    return new Failure("unreachable", `Cannot ${what}: ${last.message} (tried for ${waited}); nothing was changed`, last.hint);
  const message = `Cannot tell whether this was done: ${what}. The cell did not say for ${waited} (${last.message})`;
  return new Failure("unreachable", message, `ask again, it takes effect only once: the same command with --request-id ${repeat}`);
}
