/**
 * The shim: a small POSIX shell process for each run of a task. It outlives the borglet. It writes down who it is before anything else,
 * who the task is before the task's program begins, and how the task ended; and it keeps the task's logs, so that nothing is lost or blocked
 * while no borglet is there. It runs nothing that a user wrote: the task's words reach only the process that has given up its rights.
 */
import { FILTER_DESCRIPTOR } from "./jail.ts";
import type { ProcessId } from "./proc.ts";
import type { TinyPrograms } from "./tiny/place.ts";
import { BLOCK_BYTES, BLOCKS, COPIED, COUNT_DIGITS, WORD_DESCRIPTOR } from "./tiny/programs.ts";

/** What one copy of the log keeper's loop takes at most. A log file may be larger than its limit by that. */
export const LOG_SLACK_BYTES = BLOCKS * BLOCK_BYTES;
/** A one before the digits keeps a shell from taking their zeros for another way to write numbers. */
const COUNT = { pattern: "[0-9]".repeat(COUNT_DIGITS), one: 10 ** COUNT_DIGITS };

/** A copy that took this much found the pipe full all the time: the next one waits a little, so that no task writes more than 40 MiB a second. */
const FLOOD_BYTES = LOG_SLACK_BYTES / 2;

/** Before a process of a task gives up its rights: into the task's control groups, which its memory counts for from then on, with the jail's filter open. */
const CONFINE = `
for group in $groups; do echo 0 >|"$group/cgroup.procs" || exit 125; done
echo "$oom" >|/proc/self/oom_score_adj
if [ -n "$filter" ]; then exec ${FILTER_DESCRIPTOR}<"$filter" || exit 125; fi
ulimit -c 0
umask 022
`;

/**
 * `set -C` makes `>` refuse a file that is there: of two shims for one run the second stops at its first line, and so does one whose run
 * the borglet has called off by making that file itself. Pipes are opened for both ways first, because opening one end of a pipe waits for
 * the other. The task runs in the foreground, because a background job would ignore SIGINT.
 *
 * A shell says 130 for "exit 130" and for a death by SIGINT. The witness (tiny/programs.ts) knows the difference and leaves a word. It waits for the task outside
 * of the task's own session and control groups, where nothing that ends the task ends it; around a jail it would hear only what bubblewrap says, so there it is inside
 * and only setsid makes the session. Without a word the witness was killed, and then the code that is left stands for a signal.
 *
 * A log copier that was killed has not said how much it wrote: then the file says it, and the next copier goes on. Nothing is thrown away but what cannot be written.
 *
 * What is written is one short line, by one write, and who reads takes only a whole line: so it needs no other name first, and no process that renames.
 */
const BEGIN = `
set -Cu
run=$1 boot=$2 oom=$3 groups=$4 filter=$5
shift 5
started() { shift 19; start=$1; }
read -r stat <"/proc/$$/stat"
started \${stat##*) }
echo "$$ $start $boot" >"$run.pid" || exit 125
${CONFINE}
exec "$@" </dev/null >&6 2>&8 6>&- 8>&-
`;

const BESIDE = `
set -Cu
oom=$1 groups=$2 filter=$3
shift 3
${CONFINE}
exec "$@"
`;

/**
 * Into the namespaces of a task that lives. They are opened before it is looked at whether the process is still the one that was meant: of another one nothing is used.
 * The script is read from a descriptor, because nothing more can be put into a jail.
 */
const ENTER = `
set -Cu
oom=$1 groups=$2 filter=$3 pid=$4 began=$5 script=$6
shift 6
exec 4<"/proc/$pid/ns/user" 5<"$script" 6<"/proc/$pid/ns/mnt" 7<"/proc/$pid/ns/pid" 8<"/proc/$pid/ns/ipc" 9<"/proc/$pid/ns/uts" || exit 125
started() { shift 19; start=$1; }
read -r stat <"/proc/$pid/stat" || exit 125
started \${stat##*) }
[ "$start" = "$began" ] || exit 125
${CONFINE}
exec "$@"
`;

/** Where the user namespace of the task and the script are open. */
export const ENTERED = { user: 4, script: "/proc/self/fd/5" } as const;
/** The first line of a script that was read so: a task has no descriptors but its own three. */
export const CLOSE_ENTERED = "exec 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-";
/** The way into all of them but the user's, for which nsenter would keep its rights. */
export const ENTER_WORDS = ["--mount=/proc/self/fd/6", "--pid=/proc/self/fd/7", "--ipc=/proc/self/fd/8", "--uts=/proc/self/fd/9"] as const;

export const enterArguments = (
  { oomScore, groups, filter, command }: Pick<ShimOptions, "oomScore" | "groups" | "filter" | "command">,
  { pid, start }: ProcessId,
  script: string,
): string[] => [
  ...["/bin/sh", "-c", ENTER, "borg-enter", String(oomScore), groups.join(" "), filter, String(pid), start, script],
  ...command,
];

/** A process that is no run of its own, but belongs to one. */
export const besideArguments = ({
  oomScore,
  groups,
  filter,
  command,
}: Pick<ShimOptions, "oomScore" | "groups" | "filter" | "command">): string[] => [
  ...["/bin/sh", "-c", BESIDE, "borg-beside", String(oomScore), groups.join(" "), filter],
  ...command,
];

const SCRIPT = `
set -Cu
umask 077
run=$1 log=$2 bytes=$3 files=$4 boot=$5 out_at=$6 out_size=$7 err_at=$8 err_size=$9
shift 9
oom=$1 groups=$2 filter=$3 begin=$4 copier=$5 waits=$6
shift 6

started() { shift 19; start=$1; }
read -r stat <"/proc/$$/stat"
started \${stat##*) }
echo "$$ $start $boot" >"$run.shim" || exit 1

copy() {
  said=$("$copier" 2>&1 >>"$1")
  copied=$?
  case $said in ${COUNT.pattern}) more=$((1$said - ${COUNT.one})) ;; *) more=0 ;; esac
}

keep() {
  name=$1 at=$2 size=$3 file=$1.$(printf %016d "$2")
  while :; do
    copy "$file"
    size=$((size + more))
    if [ $copied = ${COPIED.failed} ]; then
      sleep 0.1
      copy /dev/null
      at=$((at + size + more)) size=0 file=$name.$(printf %016d "$at")
    fi
    case $copied in
    ${COPIED.full} | ${COPIED.failed}) ;;
    ${COPIED.ended}) break ;;
    *)
      sleep 0.1
      [ -e "$file" ] && size=$(wc -c <"$file")
      continue
      ;;
    esac
    [ "$more" -ge ${FLOOD_BYTES} ] && sleep 0.1
    [ "$size" -lt "$bytes" ] && continue
    at=$((at + size)) size=0 file=$name.$(printf %016d "$at")
    set -- "$name".*
    while [ $# -ge "$files" ]; do rm -f "$1"; shift; done
  done
}

mkfifo -m 622 "$log/o" "$log/e" || exit 1
exec 3<>"$log/o" 4<>"$log/e"
exec 5<"$log/o" 6>|"$log/o" 7<"$log/e" 8>|"$log/e" 3>&- 4>&-
(exec <&5 5<&- 6>&- 7<&- 8>&-; keep "$log/out" "$out_at" "$out_size") &
(exec <&7 5<&- 6>&- 7<&- 8>&-; keep "$log/err" "$err_at" "$err_size") &
exec 5<&- 7<&-

exec ${WORD_DESCRIPTOR}>|"$run.word"
said=$(exec "$waits" /bin/sh -c "$begin" borg-task "$run" "$boot" "$oom" "$groups" "$filter" "$@" 2>&1)
code=$?
exec 6>&- 8>&- ${WORD_DESCRIPTOR}>&-
[ -n "$said" ] && echo "$said" >&2
word=$(dd bs=16 count=1 <"$run.word" 2>/dev/null)
case $word in
"exit "[0-9][0-9][0-9] | "signal "[0-9][0-9][0-9]) end=$word ;;
*) [ $code -gt 128 ] && end="signal $((code - 128))" || end="exit $code" ;;
esac
echo "$end" >"$run.exit"
wait
`;

/** The jail's own processes, in the numbers that the jail has for them: its first one and the witness. */
export const JAILERS = 2;

/** Where a log goes on: the logical offset of its newest file, and what that holds already. */
export interface LogEnd {
  readonly at: number;
  readonly size: number;
}

export interface ShimOptions {
  /** Run files are this and a suffix. */
  readonly run: string;
  readonly log: string;
  readonly logFileBytes: number;
  readonly logFiles: number;
  readonly bootId: string;
  readonly out: LogEnd;
  readonly err: LogEnd;
  readonly oomScore: number;
  /** Directories of cgroups that the task joins; the shim stays outside. */
  readonly groups: readonly string[];
  /** The command is a jail with a witness inside. */
  readonly jailed: boolean;
  /** The file with the filter of system calls that the jail reads; empty: none. */
  readonly filter: string;
  readonly command: readonly string[];
  readonly programs: TinyPrograms;
}

export function shimArguments(options: ShimOptions): string[] {
  const { run, log, logFileBytes, logFiles, bootId, out, err, oomScore, groups, jailed, filter, command, programs } = options;
  const numbers = [logFileBytes, logFiles].map(String);
  const ends = [out.at, out.size, err.at, err.size, oomScore].map(String);
  const words = [groups.join(" "), filter, BEGIN, programs.logCopier, jailed ? "setsid" : programs.witness];
  return ["-c", SCRIPT, "borg-shim", run, log, ...numbers, bootId, ...ends, ...words, ...command];
}

/** Shims and their keepers need no more than this; nothing of a task's environment is in it. */
export const SHIM_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
};

export interface Written extends ProcessId {
  readonly bootId: string;
}

/** The line in a `.shim` or `.pid` file; undefined when it is not whole. */
export function parseProcess(text: string): Written | undefined {
  const parts = /^(\d+) (\d+) (\S+)\n$/.exec(text);
  return parts === null ? undefined : { pid: Number(parts[1]), start: parts[2]!, bootId: parts[3]! };
}

/** A number alone is the word of a shim that began before codes and signals were told apart: 128 and the signal's number for a death. */
export function parseExit(text: string): { readonly code: number; readonly signal: number } | undefined {
  const parts = /^(exit |signal |)(\d{1,3})\n$/.exec(text);
  if (parts === null) return undefined;
  const number = Number(parts[2]);
  if (parts[1] === "signal ") return { code: 0, signal: Math.min(number, 64) };
  if (parts[1] === "" && number > 128 && number <= 128 + 64) return { code: 0, signal: number - 128 };
  return { code: Math.min(number, 255), signal: 0 };
}
