/**
 * How far this machine's clock is from those of the other masters. One that most masters say is wrong does not stand for election: the times in the journal are the
 * leader's. What was measured is written beside the replica's snapshots, where the master and `borg status` read it.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Looks } from "../looks.ts";

/** Clocks that differ by more than this differ. */
export const CLOCK_MS_MAX = 5000;

export interface ClockFile {
  /** Rises with every look: who reads it knows that somebody still looks. */
  readonly look: number;
  /** By replica: how far its clock is ahead of this one, in milliseconds. Those that do not answer are not there. */
  readonly aheadMs: Readonly<Record<string, number>>;
}

/** A clock that answered `theirMs` to a question sent at `sentMs` and answered at `heardMs`, on our own clock. */
export const aheadOf = (theirMs: number, sentMs: number, heardMs: number): number => Math.round(theirMs - (sentMs + heardMs) / 2);

/** Whether most of the cell's masters have a clock that differs from ours. Of two that differ nobody can tell which one is wrong. */
export function isClockWrong(aheadMs: Readonly<Record<string, number>>, masters: number): boolean {
  const differing = Object.values(aheadMs).filter((ahead) => Math.abs(ahead) > CLOCK_MS_MAX);
  return 2 * differing.length > masters;
}

const FILE = "clock.json";

/** `directory`: of this replica. */
export function writeClocks(directory: string, found: ClockFile): void {
  const path = join(directory, FILE);
  writeFileSync(`${path}.new`, JSON.stringify(found), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Undefined: nobody has looked. */
export function readClocks(directory: string): ClockFile | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, FILE), "utf8")) as ClockFile;
  } catch {
    return undefined;
  }
}

/** What a master asks before it stands for election. */
export class ClockEye {
  readonly #directory: string;
  readonly #masters: number;
  readonly #looks: Looks;

  /** `now`: of a clock that only goes forward. */
  constructor(directory: string, masters: number, now: () => number) {
    this.#directory = directory;
    this.#masters = masters;
    this.#looks = new Looks(now);
  }

  isWrong(): boolean {
    const found = readClocks(this.#directory);
    return !this.#looks.isOld(found?.look) && found !== undefined && isClockWrong(found.aheadMs, this.#masters);
  }
}
