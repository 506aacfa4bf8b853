/** Why a log refuses to open or to be read. Nothing here is retried: a person has to look. */

/** The exit code of a process whose journal is damaged (EX_CONFIG of sysexits.h, so that supervisors do not restart it). */
export const JOURNAL_DAMAGED_EXIT = 78;

export interface FilePoint {
  readonly file: string;
  readonly offset: number;
  /** The first entry that cannot be trusted. */
  readonly position: number;
}

/** Something that was acknowledged is damaged or missing: the log refuses to guess what it was. */
export class DamagedError extends Error {
  readonly file: string;
  readonly offset: number;
  readonly position: number;
  readonly exitCode = JOURNAL_DAMAGED_EXIT;

  constructor(point: FilePoint, why: string) {
    super(
      `Journal damaged in "${point.file}" at byte ${point.offset}, record position ${point.position}: ${why}. ` +
        "Nothing was changed. Restore this directory from a replica or from a backup with a snapshot, then start again",
    );
    this.file = point.file;
    this.offset = point.offset;
    this.position = point.position;
  }
}

/** The files are whole but not for this process: another cell's, a newer version's, or with no snapshot to begin from. */
export class UnusableError extends Error {
  readonly exitCode = JOURNAL_DAMAGED_EXIT;
}
