/**
 * Commands for a terminal that do what a page shows. Whatever a name, a question or an address has in it, a shell takes it for that text and nothing else: pages are opened by
 * links that others made. Pure: it knows no page.
 */

/** Words that no shell changes. */
const PLAIN = /^[\w@%+:,./][\w@%+=:,./-]*$/;
/** A terminal acts on these before a shell sees them, or does not show them: control characters, marks that turn the writing round, halves of letters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const UNSEEN_ALL = new RegExp(UNSEEN, "gu");

/** One word of a POSIX shell (2024, for `$'...'`; every shell that people type in has it). */
export function shellQuoted(text: string): string {
  if (PLAIN.test(text)) return text;
  if (!UNSEEN.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll(UNSEEN_ALL, (letter) => escapeOf(letter));
  return `$'${escaped}'`;
}

function escapeOf(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  if (letter === "\n") return String.raw`\n`;
  // Three octal digits are always the whole of it, whatever stands behind them.
  if (code < 0x80) return `\\${code.toString(8).padStart(3, "0")}`;
  return code < 0x1_0000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}

/** `words` are ours; each of `texts` is one word behind them, and no option. */
export function commandLine(words: string, ...texts: readonly string[]): string {
  const ends = texts.some((text) => text.startsWith("-")) ? ["--"] : [];
  return [words, ...ends, ...texts.map(shellQuoted)].join(" ");
}

/** How programs of this user reach the cell: its owner by the socket in its directory, everybody else with a token. */
export type WayToCell = { readonly socket: string } | { readonly url: string };

const JSON_HEAD = "-H 'content-type: application/json'";

export function curlLine(way: WayToCell, method: string, request: object): string {
  const body = `-d ${shellQuoted(JSON.stringify(request).replaceAll(UNSEEN_ALL, jsonEscape))}`;
  const path = `borg.v1.CellService/${method}`;
  if ("socket" in way) return `curl --unix-socket ${shellQuoted(way.socket)} ${JSON_HEAD} ${body} http://cell/${path}`;
  const proof = `--cacert CERTIFICATE.pem -H "authorization: Bearer $BORG_TOKEN"`;
  return `curl ${proof} ${JSON_HEAD} ${body} ${shellQuoted(`${way.url}/${path}`)}`;
}

const jsonEscape = (letter: string): string =>
  [...Array(letter.length).keys()].map((i) => `\\u${letter.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");

type Listed = "jobs" | "tasks" | "machines";

/** What a list's query says (docs/views.md): keys with values, and words that are parts of names. */
function partsOf(query: string): { readonly keys: ReadonlyMap<string, string>; readonly words: readonly string[] } {
  const parts = query.split(" ").filter((part) => part !== "");
  const keyed = parts.filter((part) => part.indexOf(":") > 0);
  return {
    keys: new Map(keyed.map((part) => [part.slice(0, part.indexOf(":")), part.slice(part.indexOf(":") + 1)])),
    words: parts.filter((part) => part.indexOf(":") <= 0).map((part) => part.toLowerCase()),
  };
}

/** An option of `borg ls` for each key; undefined: it has none. */
const OPTIONS: Readonly<Record<Listed, Readonly<Record<string, (value: string) => string | undefined>>>> = {
  jobs: { user: whose, state: stateOption, job: (name) => `--job ${shellQuoted(name)}` },
  tasks: { user: whose, state: stateOption, machine: (name) => `--machine ${shellQuoted(name)}` },
  machines: { state: (state) => `--state ${shellQuoted(state)}`, rack: (rack) => `--where ${shellQuoted(`rack=${rack}`)}` },
};

function whose(user: string): string {
  return user === "me" ? "" : `--user ${shellQuoted(user)}`;
}

function stateOption(state: string): string | undefined {
  if (state === "any") return "--dead";
  return state === "wrong" ? undefined : `--state ${shellQuoted(state)}`;
}

/** A word that awk takes for itself. */
const AWK_WORD = /^[\w./@-]+$/;

/** Lists what a page lists, in another order; undefined: no `borg ls` does. */
export function listCommand(kind: Listed, query: string): string | undefined {
  const { keys, words } = partsOf(query);
  const options = [...keys].map(([key, value]) => OPTIONS[kind][key]?.(value));
  if (options.includes(undefined) || !words.every((word) => AWK_WORD.test(word))) return undefined;
  const all = kind === "machines" || keys.has("user") || keys.has("machine") || keys.has("job") ? "" : "--all";
  const line = ["borg ls", kind === "jobs" ? "" : kind, all, ...options].filter((part) => part !== "").join(" ");
  const tests = words.map((word) => `index(tolower($1), "${word}")`);
  return tests.length === 0 ? line : `${line} | awk 'NR == 1 || ${tests.join(" && ")}'`;
}

/** The list itself, in its order. */
export const viewRequest = (kind: Listed, query: string, sort: string): object => ({
  watch: "curl",
  views: [{ kind: `VIEW_KIND_${kind.toUpperCase()}`, query, sort, limit: 500 }],
});
