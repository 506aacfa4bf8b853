/** Sentences in the code that could be refusals: texts of three words and more, with a gap where something is put in. */
import { globSync, readFileSync } from "node:fs";
import { scan, type Token } from "../../../tools/tidy-tokens.ts";

export interface Sentence {
  readonly file: string;
  /** With `…` for what is put in. */
  readonly text: string;
  readonly pattern: RegExp;
}

const ROOT = new URL("../../../", import.meta.url).pathname;

/** Where refusals of the cell and the API are worded. What a running master says of its own state, and what events and explanations read like, is elsewhere. */
const FILES = [
  "src/cell/*.ts",
  "src/cell/ops/*.ts",
  "src/borgmaster/api.ts",
  "src/borgmaster/api/*.ts",
  "src/rpc/server.ts",
  "src/rpc/api/*.ts",
  "src/wire/{check,form,selector}.ts",
] as const;
const LEFT_OUT = /\.test\.ts$|\/invariants|\/(?:event-text|why-state|why-text|why-trial|copy|identify)\.ts$/;

export function sentences(): readonly Sentence[] {
  return FILES.flatMap((glob) => globSync(glob, { cwd: ROOT }))
    .filter((file) => !LEFT_OUT.test(file))
    .sort()
    .flatMap((file) =>
      textsOf(scan(file, readFileSync(`${ROOT}${file}`, "utf8")).tokens).map((text) => ({ file, text, pattern: patternOf(text) })),
    )
    .filter(({ text }) => (text.match(/[A-Za-z]{2,}/g)?.length ?? 0) >= 3 && /[a-z…"] [a-z…"]/i.test(text));
}

const patternOf = (text: string): RegExp =>
  new RegExp(
    text
      .split("…")
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join(".*?"),
    "s",
  );

/** Whole texts; a template's pieces are put together again, and one inside another stands for itself. */
function textsOf(tokens: readonly Token[]): readonly string[] {
  const found: string[] = [];
  const open: string[] = [];
  for (const { kind, text } of tokens) {
    if (kind === "string") found.push(JSON.parse(text.startsWith("'") ? `"${text.slice(1, -1).replaceAll('"', '\\"')}"` : text) as string);
    if (kind !== "template") continue;
    if (text.startsWith("`")) open.push("");
    const begun = `${open.pop() ?? ""}${text.slice(1, text.endsWith("${") ? -2 : -1)}`;
    if (text.endsWith("${")) open.push(`${begun}…`);
    else found.push(begun);
  }
  return found;
}

/** What the code says and no call is refused with: events, assertions, and parts of sentences. */
export const NO_REFUSALS: ReadonlySet<string> = new Set([
  // Of 64-bit numbers, which only Mesos' messages have: src/rpc/mesos/hostile.test.ts.
  ": Expected a whole number, found …",
  // What becomes of a job that waits for another, as an event.
  'Job "…" did not end well (…)',
  // What frameworks hear of their tasks.
  "It exited with code 0",
  "It was killed",
  "It was preempted: work of a higher priority needed its room",
  "It was revoked for a role that is below its guarantee",
  "Its machine ran out of resources",
  "Its machine failed",
  "Its machine is being drained or has left the cell",
  "Its machine does not answer and was given up",
  "Its machine was restarted",
  "Its machine no longer has it",
  "It was restarted",
  "It was updated",
  "It was submitted",
  "It was placed",
  "It was started",
  "its scheduler is gone",
  "Its machine answers again",
  "Its machine does not answer",
  // No API call has such an update.
  "A framework is not updated: it subscribes again with what has changed",
  // Parts of a refusal that a row shows with other parts.
  "jobs, with dead ones that are still shown",
  "tasks, with dead ones that are still shown",
  // Assertions: a master that finds them untrue stops.
  "Entry … does not follow …",
  "This build cannot do cell version …: upgrade it before it may go on",
  "A claim was accepted without enough free ports",
  "An instance is placed twice",
  "An image is read before the next entry",
  "A selector is read before the request that it stands in",
  'Message "…" nests deeper than …',
  'Field "…" has a type that this vocabulary does not use: take double, uint32, bool, string or bytes',
  'Field "…" is a list without (bound).items',
  'Field "…" is a map: the canonical encoding has no place for maps',
  'Field "…" is bytes without (bound).length',
  'Field "…" is text without (bound).length',
  // At the edge: of who is gone nobody hears it; a status line; a line of the log; and who comes from elsewhere, while cells listen on loopback.
  "The request ended before its body was complete",
  "The call is over",
  "431 Request Header Fields Too Large",
  "Cannot answer … request: …",
  "Pages are for browsers of this machine only: open them there, or use the borg command",
  // What events and explanations say.
  "cannot be explained",
  "… is the best",
  "… of … that would take it as they are, with … points.",
  "It can only be in an alloc of …: more of them (borg scale … COUNT) or larger ones (borg update FILE) make room.",
  "… would be number … today",
  "showed its token",
  "a secret was set",
  "a secret was removed",
  "a secret has another key",
  "keeps the directory of …",
  "restored from a backup; what came after it is not known",
  "set ahead by … s",
  '"…" at priority … needs the room, notice … ms',
  'Task "…" of its group ended',
  'Its executor "…" ended',
  "Its deadline of … s after its first start is over",
  "no longer invited",
  'Job "…" has ended (…)',
  "SIGTERM comes … ms after the order",
  "package …@… of … bytes",
  "is no longer tied to …",
  " after its machine was restarted",
  "backs off, next try in … s, last …",
  "over its memory limit",
  "within its memory limit again",
  "is skipped by the update: it would be one disruption too many",
  "is updated in place",
  "is rolled out: commit it, or undo it",
  "was undone: every task has its old spec",
  "all at once",
  "goes on with more tasks",
  "… bytes of packages",
  "… bytes of specs",
  "… of its tasks failed, and … may: …",
]);
