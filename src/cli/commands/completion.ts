/** `borg completion`: scripts for bash and zsh with all words in them, and the names that only the cell knows. */
import type { Command, Option } from "commander";
import { ROLE_WORDS } from "../../wire/grants.ts";
import { readConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { choiceOf } from "../input.ts";
import { BAND_WORDS, GRANTABLE, spoken } from "../text/words.ts";
import { KINDS, STATES } from "./ls.ts";

export async function completion(context: Context, program: Command, shell: string): Promise<number> {
  const body = tables(pointsOf(program, ""), valued(program));
  context.terminal.print(choiceOf("SHELL", shell, ["bash", "zsh"] as const) === "bash" ? bashScript(body) : zshScript(body));
  return EXIT.done;
}

/** Names that only the cell, the directory or the config knows. */
type NameKind = "jobs" | "tasks" | "machines" | "names" | "cells" | "users" | "schedulers" | "files";

/** What may stand somewhere: a few words, names of a kind, both, or anything. */
interface Choices {
  readonly words: readonly string[];
  readonly names: NameKind | undefined;
}

const named = (names: NameKind): Choices => ({ words: [], names });
const oneOf = (words: readonly string[]): Choices => ({ words, names: undefined });

/** A point of the command line: the commands typed so far, and what may come next. */
interface Point {
  /** ` token create`: each command with a space before it. */
  readonly at: string;
  /** Commands and options. */
  readonly words: readonly string[];
  /** What each argument may be; the last one may come again where the command takes many. */
  readonly arguments: readonly Choices[];
}

const BANDS = oneOf(spoken(BAND_WORDS));
const ARGUMENTS: Readonly<Record<string, Choices>> = {
  job: named("jobs"),
  task: named("tasks"),
  machine: named("machines"),
  name: named("names"),
  cell: named("cells"),
  user: named("users"),
  file: named("files"),
  band: BANDS,
  what: oneOf(KINDS),
  shell: oneOf(["bash", "zsh"]),
};
/** As bench/catalogue.ts has them: experiments are benches too. */
export const EXPERIMENTS: readonly string[] = [
  "compaction",
  "packing",
  "reclaim",
  "delay-scheduling",
  "mesos-macro",
  "mesos-sharing",
  "mapreduce-policies",
  "three-worlds",
];
export const BENCHES: readonly string[] = [
  ...["bcl", "cell", "core", "failover", "hostile", "infrastore", "link", "mpi", "noisy", "offers", "omega", "packages", "pass"],
  ...["schedule", "shards", "sim", "start", "start-rate", "store", "ui", "views"],
];
/** Arguments whose names alone do not say what they are. */
const OWN: Readonly<Record<string, readonly Choices[]>> = {
  " run": [],
  " bcl": [oneOf(["eval", "check", "fmt", "test", "explain", "diff", "lsp"]), named("files"), named("files")],
  " help": [oneOf(["exit-codes"])],
  " events": [named("names")],
  " bench": [oneOf(BENCHES)],
  " experiment": [oneOf(EXPERIMENTS)],
};
/** What stands behind an option, whatever the command. */
const VALUES: Readonly<Record<string, Choices>> = {
  "--state": oneOf(STATES),
  "--job": named("jobs"),
  "--machine": named("machines"),
  "--user": named("users"),
  "--cell": named("cells"),
  "--scheduler": named("schedulers"),
  "--priority": BANDS,
  "--restart": oneOf(["never", "on-failure", "always"]),
  "--role": oneOf(spoken(ROLE_WORDS)),
  "--capability": oneOf(GRANTABLE),
  "--data": named("files"),
  "--token-file": named("files"),
  "--out": named("files"),
};

function pointsOf(command: Command, at: string): readonly Point[] {
  const visible = command.commands.filter((sub) => !sub.name().startsWith("_"));
  const options = [...command.options, ...(at === "" ? [] : (command.parent?.options ?? []).filter(({ long }) => long === "--json"))];
  const words = [
    ...visible.map((sub) => sub.name()),
    ...options.flatMap(({ long, hidden }) => (long == null || hidden ? [] : [long])),
    "--help",
  ];
  const own = OWN[at] ?? command.registeredArguments.map((argument) => ARGUMENTS[argument.name()] ?? oneOf([]));
  return [{ at, words: [...new Set(words)], arguments: own }, ...visible.flatMap((sub) => pointsOf(sub, `${at} ${sub.name()}`))];
}

/** Every option that takes a value, by all its names: what stands behind it is no argument. */
function valued(command: Command): readonly Option[] {
  return [...command.options.filter(({ required, optional }) => required || optional), ...command.commands.flatMap(valued)];
}

const flagsOf = ({ long, short }: Option): readonly string[] => [long, short].filter((flag) => flag != null);

const cases = (rows: readonly (readonly [string, string])[]): string => rows.map(([at, value]) => `    ${at}) ${value};;\n`).join("");

const assigned = ({ words, names }: Choices): string =>
  [`choices="${words.join(" ")}"`, ...(names === undefined ? [] : [`names=${names}`])].join("; ");

/** What both shells understand: goes through the words before the cursor, and ends with `choices` and `names` of what may come next. */
function tables(points: readonly Point[], options: readonly Option[]): string {
  const known = points.filter(({ at }) => at !== "").map(({ at }) => `"${at}"`);
  const taking = [...new Set(options.flatMap(flagsOf))].join("|");
  const values = new Map(
    options.flatMap((option) => flagsOf(option).map((flag) => [flag, VALUES[option.long ?? ""] ?? oneOf([])] as const)),
  );
  const positions = points.flatMap(({ at, arguments: all }) => all.map((choices, n) => [`"${at} #${n}"`, assigned(choices)] as const));
  return `  local at="" choices="" names="" option="" more="" word
  local -i n=0
  for word in "\${before[@]}"; do
    if [[ -n "$option" ]]; then option=""; continue; fi
    case "$word" in --) return;; ${taking}) option="$word"; continue;; -*) continue;; esac
    case "$at $word" in ${known.join("|")}) at="$at $word"; n=0;; *) n+=1;; esac
  done
  if [[ -n "$option" ]]; then
    case "$option" in
${cases([...values].map(([flag, choices]) => [flag, assigned(choices)]))}    esac
  else
    case "$at #$n" in
${cases(positions)}    esac
    case "$at" in
${cases(points.map(({ at, words }) => [`"${at}"`, `more="${words.join(" ")}"`]))}    esac
    choices="$choices $more"
  fi
`;
}

function bashScript(body: string): string {
  return `# Completion for borg in bash: source <(borg completion bash)
_borg() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=()
${body}  if [[ "$cur" != -* && "$names" == files ]]; then
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

function zshScript(body: string): string {
  return `#compdef borg
# Completion for borg in zsh: borg completion zsh > a file _borg in a directory of $fpath
_borg() {
  local cur="\${words[CURRENT]}"
  local -a before=("\${(@)words[2,CURRENT-1]}")
${body}  if [[ "$cur" != -* && "$names" == files ]]; then
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
    case "users":
      return (await context.ask((client) => client.listUsers({}))).users.map(({ name }) => name);
    case "schedulers":
      return (await context.ask((client) => client.listSchedulers({}))).schedulers.map(({ name }) => name);
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
