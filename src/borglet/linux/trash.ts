/**
 * Directories of forgotten tasks on their way out, one after the other and in the background: a task may have made a million files. Whatever a task could
 * touch is deleted by a process of the task's own user, from inside, so that a link or a directory that is swapped meanwhile leads it to nothing
 * that the task could not have deleted itself. The borglet removes only the empty top.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { OF_OTHERS, SHARED } from "./layout.ts";
import { removeOwn } from "./remove.ts";
import { SHIM_ENVIRONMENT } from "./shim.ts";

/** Directories that the task closed to itself are opened only when the first try fails. */
const DELETE = `
find "$@" -xdev -mindepth 1 -delete 2>/dev/null && exit
chmod -R u+rwx "$@" 2>/dev/null
exec find "$@" -xdev -mindepth 1 -delete 2>/dev/null
`;
/** Whose files are in a directory. Only looks, and through no link. */
const OWNERS = 'find "$1" -xdev -mindepth 1 -printf "%U\\n" 2>/dev/null | sort -un';
const SAID_LENGTH_MAX = 65_536;
/** Who takes longer has to wait for its next turn: others are behind it. */
const TURN_MS_MAX = 60_000;
/** What could not be emptied is tried again, later each time. */
const AGAIN_MIN_MS = 1000;
const AGAIN_MAX_MS = 300_000;

export interface TrashOptions {
  readonly directory: string;
  /** Words before a command that make it this user's; undefined is the borglet's own. */
  readonly asUser: (uid: number | undefined, group?: number) => readonly string[];
  readonly log: (line: string) => void;
}

interface Item {
  readonly name: string;
  readonly tries: number;
}

export class Trash {
  readonly #options: TrashOptions;
  #waiting: Item[] = [];
  #next = 0;
  #child: ChildProcess | undefined;
  #busy = false;
  #closed = false;

  constructor(options: TrashOptions) {
    this.#options = options;
  }

  /** What an earlier borglet left is first. */
  begin(): void {
    for (const name of readdirSync(this.#options.directory)) this.#waiting.push({ name, tries: 0 });
    this.#go();
  }

  /** The directory of a task of which no process is left. Nothing happens when it is not there. */
  take(path: string, key: string): void {
    const name = `${key}~${randomBytes(6).toString("hex")}`;
    try {
      renameSync(path, join(this.#options.directory, name));
    } catch {
      // It never had one.
      return;
    }
    this.#waiting.push({ name, tries: 0 });
    this.#go();
  }

  /** What is left goes next time. */
  close(): void {
    this.#closed = true;
    if (this.#child !== undefined) endGroup(this.#child);
  }

  #go(): void {
    if (this.#busy || this.#closed) return;
    const item = this.#waiting[this.#next];
    if (item === undefined) {
      this.#waiting = [];
      this.#next = 0;
      return;
    }
    this.#next += 1;
    this.#busy = true;
    this.#empty(item.name, () => this.#emptied(item));
  }

  #emptied(item: Item): void {
    this.#busy = false;
    if (this.#closed) return;
    if (!removeOwn(join(this.#options.directory, item.name))) this.#later(item);
    setImmediate(() => this.#go());
  }

  #later({ name, tries }: Item): void {
    if (tries === 0) this.#options.log(`Cannot empty the directory of "${name.split("~")[0]}" yet; it is tried again`);
    const again = (): void => {
      this.#waiting.push({ name, tries: tries + 1 });
      this.#go();
    };
    setTimeout(again, Math.min(AGAIN_MAX_MS, AGAIN_MIN_MS * 2 ** Math.min(tries, 10))).unref();
  }

  /** `then` is called once, later. The directory's owner is the task's user: nobody but root can give a directory away. */
  #empty(name: string, then: () => void): void {
    const directory = join(this.#options.directory, name);
    const own = process.getuid?.() ?? 0;
    const owners = OF_OTHERS.map((part) => ({ part, uid: ownerOf(join(directory, part)) }));
    // One that is still root's never got its task: it is empty.
    const parts = owners.filter(({ uid }) => uid !== undefined && (uid !== 0 || own !== 0));
    const uid = parts[0]?.uid;
    if (uid === undefined) {
      if (own === 0 && owners.some(({ part, uid: owner }) => part === SHARED && owner === 0)) this.#emptyShared(directory, then);
      else setImmediate(then);
      return;
    }
    const command = [...this.#options.asUser(uid === own ? undefined : uid), "/bin/sh", "-c", DELETE, "borg-trash"];
    this.#run([...command, ...parts.map(({ part }) => part)], directory, () => then());
  }

  /** Tasks of several users wrote into it: each deletes its own, one after the other. What was in somebody else's directory goes at the next turn. */
  #emptyShared(directory: string, then: () => void): void {
    this.#run(["/bin/sh", "-c", OWNERS, "borg-trash", SHARED], directory, (said) => {
      const group = lstatSync(join(directory, SHARED), { throwIfNoEntry: false })?.gid;
      const uids = said
        .split("\n")
        .map(Number)
        .filter((uid) => Number.isSafeInteger(uid) && uid > 0);
      const next = (): void => {
        const uid = uids.shift();
        if (uid === undefined || this.#closed) return then();
        this.#run([...this.#options.asUser(uid, group), "/bin/sh", "-c", DELETE, "borg-trash", SHARED], directory, next);
      };
      next();
    });
  }

  /** `then` is called once, with what the command said. */
  #run([program = "", ...words]: readonly string[], directory: string, then: (said: string) => void): void {
    const child = spawn(program, words, { cwd: directory, env: SHIM_ENVIRONMENT, stdio: ["ignore", "pipe", "ignore"], detached: true });
    this.#child = child;
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      if (said.length < SAID_LENGTH_MAX) said += text;
    });
    const overdue = setTimeout(() => endGroup(child), TURN_MS_MAX);
    const done = (): void => {
      if (this.#child !== child) return;
      clearTimeout(overdue);
      this.#child = undefined;
      then(said);
    };
    child.on("error", done);
    child.on("close", done);
  }
}

/** The shell and what it waits for. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

function ownerOf(path: string): number | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() ? stat.uid : undefined;
}
