/** An archive that is not taken, with the reason in words. Whoever reads archives catches this, and nothing else. */
export class ArchiveRefusal extends Error {}

export function refuse(reason: string): never {
  throw new ArchiveRefusal(reason);
}

const SHOWN_LENGTH = 120;

/** A name out of an archive, as it may stand in a message: one line, and not longer than anyone reads. */
export function shown(name: string): string {
  const line = name.toWellFormed().replace(/[\p{Cc}\u2028\u2029]/gu, "?");
  return line.length <= SHOWN_LENGTH ? `"${line}"` : `"${line.slice(0, SHOWN_LENGTH)}..."`;
}
