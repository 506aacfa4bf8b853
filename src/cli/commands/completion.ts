/** `borg completion`: scripts for bash and zsh with all words in them, and the names that only the cell knows. */
import type { Command } from "commander";
import { readConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { choiceOf } from "../input.ts";
import { KINDS } from "./ls.ts";

export async function completion(context: Context, program: Command, shell: string): Promise<number> {
  const places = placesOf(program, "");
  context.terminal.print(choiceOf("SHELL", shell, ["bash", "zsh"] as const) === "bash" ? bashScript(places) : zshScript(places));
  return EXIT.done;
}

/** A place in the command line: the commands typed so far, and what may come next. */
interface Place {
  /** ` token create`: each command with a space before it. */
  readonly at: string;
  readonly words: readonly string[];
  /** What names stand here: of the cell, of files, or none. */
  readonly names: "jobs" | "tasks" | "machines" | "names" | "cells" | "files" | undefined;
}

const NAMES: Readonly<Record<string, Place["names"]>> = {
  job: "jobs",
  task: "tasks",
  machine: "machines",
  name: "names",
  cell: "cells",
  file: "files",
};
/** Arguments that are one of a few words. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  " ls": KINDS,
  " completion": ["bash", "zsh"],
  " bcl": ["eval", "check", "fmt", "test", "explain", "diff", "lsp"],
  " help": ["exit-codes"],
};
/** A job that is run gets a new name. */
const UNNAMED: ReadonlySet<string> = new Set([" run", " cell add"]);

function placesOf(command: Command, at: string): readonly Place[] {
  const visible = command.commands.filter((sub) => !sub.name().startsWith("_"));
  const options = [...command.options, ...(at === "" ? [] : (command.parent?.options ?? []).filter(({ long }) => long === "--json"))];
  const words = [
    ...visible.map((sub) => sub.name()),
    ...(WORDS[at] ?? []),
    ...options.flatMap(({ long }) => (long == null ? [] : [long])),
    "--help",
  ];
  const argument = command.registeredArguments[0]?.name() ?? "";
  const names = UNNAMED.has(at) ? undefined : at === " bcl" ? "files" : NAMES[argument];
  return [{ at, words: [...new Set(words)], names }, ...visible.flatMap((sub) => placesOf(sub, `${at} ${sub.name()}`))];
}

const cases = (rows: readonly (readonly [string, string])[]): string => rows.map(([at, value]) => `    "${at}") ${value};;\n`).join("");

/** The two case tables that both shells understand. */
function tables(places: readonly Place[]): string {
  const known = places.filter(({ at }) => at !== "").map(({ at }) => `"${at}"`);
  return `  local at="" choices="" names="" word
  for word in "\${before[@]}"; do
    case "$word" in --) return;; -*) continue;; esac
    case "$at $word" in ${known.join("|")}) at="$at $word";; esac
  done
  case "$at" in
${cases(places.map(({ at, words }) => [at, `choices="${words.join(" ")}"`]))}  esac
  case "$at" in
${cases(places.flatMap(({ at, names }) => (names === undefined ? [] : [[at, `names=${names}`]])))}  esac
`;
}

function bashScript(places: readonly Place[]): string {
  return `# Completion for borg in bash: source <(borg completion bash)
_borg() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=()
${tables(places)}  if [[ "$cur" != -* && "$names" == files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  elif [[ "$cur" != -* && -n "$names" ]]; then
    choices="$choices $("\${COMP_WORDS[0]}" __complete "$names" "$cur" 2>/dev/null)"
  fi
  mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$choices" -- "$cur")
}
complete -F _borg borg ./borg
`;
}

function zshScript(places: readonly Place[]): string {
  return `#compdef borg
# Completion for borg in zsh: borg completion zsh > a file _borg in a directory of $fpath
_borg() {
  local cur="\${words[CURRENT]}"
  local -a before=("\${(@)words[2,CURRENT-1]}")
${tables(places)}  if [[ "$cur" != -* && "$names" == files ]]; then
    _files
  elif [[ "$cur" != -* && -n "$names" ]]; then
    choices="$choices $("\${words[1]}" __complete "$names" "$cur" 2>/dev/null)"
  fi
  compadd -- \${=choices}
}
if [[ "\${funcstack[1]}" == _borg ]]; then _borg "$@"; else compdef _borg borg; fi
`;
}

/** Names for the shell, one on each line. A cell that does not answer completes nothing, and says nothing. */
export async function complete(context: Context, kind: string, prefix: string): Promise<number> {
  try {
    const found = (await namesOf(context, kind, prefix)).filter((name) => name.startsWith(prefix));
    context.terminal.print(found.map((name) => `${name}\n`).join(""));
  } catch {
    // Whoever presses Tab wants names, not errors.
  }
  return EXIT.done;
}

/** Enough to choose from. */
const NAMES_MAX = 1000;

async function namesOf(context: Context, kind: string, prefix: string): Promise<readonly string[]> {
  switch (kind) {
    case "cells":
      return Object.keys(readConfig(context.terminal.env).cells);
    case "machines":
      return (await context.ask((client) => client.listMachines({ limit: NAMES_MAX }))).machines.map(({ name }) => name);
    case "jobs":
      return jobs(context, prefix);
    case "tasks":
      return [...(await jobs(context, prefix)), ...(await tasks(context, prefix))];
    case "names":
      return [...(await namesOf(context, "tasks", prefix)), ...(await namesOf(context, "machines", prefix))];
    default:
      return [];
  }
}

/** Mine by their short names; with a user typed before a slash, that user's. */
async function jobs(context: Context, prefix: string): Promise<readonly string[]> {
  const own = await context.user();
  const user = prefix.includes("/") ? prefix.slice(0, prefix.indexOf("/")) : own;
  const { jobs } = await context.ask((client) => client.listJobs({ user, limit: NAMES_MAX }));
  return jobs.map(({ name }) => (user === own && !prefix.startsWith(`${own}/`) ? name.slice(own.length + 1) : name));
}

/** Tasks are named only once a job is typed. */
async function tasks(context: Context, prefix: string): Promise<readonly string[]> {
  const parts = prefix.split("/");
  if (parts.length === 1) return [];
  const own = await context.user();
  const short = parts.length === 2 && parts[0] !== own;
  const job = short ? `${own}/${parts[0]}` : `${parts[0]}/${parts[1]}`;
  const { tasks } = await context.ask((client) => client.listTasks({ job, limit: NAMES_MAX }));
  return tasks.map(({ name }) => (short ? name.slice(own.length + 1) : name));
}
