/**
 * Volumes: directories that the machine's operator offers to one user's tasks. They outlive tasks, jobs and the borglet, and nothing in here ever deletes
 * one or looks into it: what tasks put there (links, say) leads nobody but them anywhere. Under root a volume has a group of its own, for good.
 */
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, mkdirSync, openSync, type Stats } from "node:fs";
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";

/** As the operator says it. */
export interface OfferedVolume {
  readonly user: string;
  readonly name: string;
  readonly path: string;
}

/** As a task gets it. */
export interface GivenVolume {
  readonly name: string;
  readonly source: string;
  readonly readOnly: boolean;
  /** Undefined where tasks have no users of their own. */
  readonly group: number | undefined;
}

export interface VolumesOptions {
  /** A number that nobody else holds, ever. */
  readonly groupOf: (holder: string) => number | undefined;
  /** Directories that are the borglet's own: no volume is in one of them. */
  readonly own: readonly string[];
  readonly log: (line: string) => void;
}

/** Those of the group may enter and write, and what they make is the group's. */
const SHARED_MODE = 0o2770;
const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY_PASS = 0o001;
const STICKY = 0o1000;
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const HOLDER = "volume ";

export class Volumes {
  readonly #options: VolumesOptions;
  #offered: readonly OfferedVolume[] = [];

  constructor(options: VolumesOptions) {
    this.#options = options;
  }

  /** From now on these. One that cannot be used is logged and not offered: a task that came for it would find nothing. */
  offer(volumes: readonly OfferedVolume[]): readonly OfferedVolume[] {
    this.#offered = volumes.filter((volume) => this.#isUsable(volume));
    return this.#offered;
  }

  /** What an order names, ready to be given. Throws, in words, when one is not there. */
  give({ instance, task }: StartOrder): readonly GivenVolume[] {
    const [user = ""] = instance.split("/");
    return (task?.volumes ?? []).map(({ name, readOnly }) => {
      const found = this.#offered.find((each) => each.user === user && each.name === name);
      if (found === undefined) throw new Error(`This machine offers no volume "${name}" to "${user}"`);
      return { name, source: found.path, readOnly, group: this.#make(found) };
    });
  }

  #isUsable(volume: OfferedVolume): boolean {
    try {
      this.#make(volume);
      return true;
    } catch (error) {
      this.#options.log(`Volume ${volume.user}/${volume.name} is not offered: ${(error as Error).message}`);
      return false;
    }
  }

  /** The directory is made, or found and given its group and mode. */
  #make({ user, name, path }: OfferedVolume): number | undefined {
    const inside = this.#options.own.find((own) => path === own || path.startsWith(`${own}/`) || own.startsWith(`${path}/`));
    if (inside !== undefined) throw new Error(`"${path}" and the borglet's own "${inside}" are in one another`);
    const fd = openSafely(path);
    try {
      const group = this.#options.groupOf(volumeHolder(user, name));
      const found = fstatSync(fd);
      if (group !== undefined && found.gid !== group) fchownSync(fd, found.uid, group);
      const mode = group === undefined ? 0o700 : SHARED_MODE;
      if ((found.mode & 0o7777) !== mode) fchmodSync(fd, mode);
      return group;
    } finally {
      closeSync(fd);
    }
  }
}

export const volumeHolder = (user: string, name: string): string => `${HOLDER}${user}/${name}`;

/** Groups of volumes are never given to anybody else. */
export const isVolumeHolder = (holder: string): boolean => holder.startsWith(HOLDER);

/**
 * Opens a directory, part by part and through no link; what is missing is made. Everything on the way must be the borglet's user's own (or root's), and nobody
 * else may change it: whoever could, could put something else into its place.
 */
function openSafely(path: string): number {
  const parts = path.split("/").filter((part) => part !== "");
  let fd = openSync("/", DIRECTORY);
  try {
    for (const [i, part] of parts.entries()) {
      const next = openPart(fd, part, parts.slice(0, i + 1));
      closeSync(fd);
      fd = next;
    }
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openPart(fd: number, part: string, parts: readonly string[]): number {
  const place = `/${parts.join("/")}`;
  const above = fstatSync(fd);
  const problem = safetyProblem(above);
  if (problem !== undefined) throw new Error(`"/${parts.slice(0, -1).join("/")}" ${problem}`);
  const next = openOrMake(`/proc/self/fd/${fd}/${part}`, place);
  const { uid } = fstatSync(next);
  if (uid === 0 || uid === process.getuid?.()) return next;
  closeSync(next);
  throw new Error(`"${place}" belongs to another user (${uid})`);
}

function safetyProblem({ mode }: Stats): string | undefined {
  if (process.getuid?.() === 0 && (mode & OTHERS_MAY_PASS) === 0) return "lets no other user pass: tasks could not reach what is in it";
  return (mode & OTHERS_MAY_WRITE) !== 0 && (mode & STICKY) === 0 ? "can be written by others than its owner" : undefined;
}

function openOrMake(path: string, place: string): number {
  try {
    return openSync(path, DIRECTORY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || code === "ENOTDIR") throw new Error(`"${place}" is a link or no directory`, { cause: error });
    if (code !== "ENOENT") throw new Error(`Cannot open "${place}": ${code}`, { cause: error });
  }
  try {
    mkdirSync(path, { mode: 0o700 });
    const fd = openSync(path, DIRECTORY);
    // Tasks' users pass through it, whatever our umask is.
    fchmodSync(fd, 0o711);
    return fd;
  } catch (cause) {
    throw new Error(`Cannot make "${place}": ${(cause as NodeJS.ErrnoException).code}`, { cause });
  }
}
