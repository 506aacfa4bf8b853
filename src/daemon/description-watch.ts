/** Looks at a machine's description again whenever its file changes. One that is wrong is logged, once, and changes nothing. */
import { type StatsListener, unwatchFile, watchFile } from "node:fs";
import { type Described, type Description, DescriptionError, descriptionOf } from "./description.ts";

const LOOK_MS = 2000;

/** At a start: with a file that is wrong, or gone, the machine serves all the same, with what else is said of it. */
export function describedNow(described: Described, machine: string, log: (line: string) => void): Description {
  try {
    return descriptionOf(described, machine);
  } catch (error) {
    if (!(error instanceof DescriptionError)) throw error;
    log(`The file that describes ${machine} does not count: ${error.message}`);
    const { file: _, ...said } = described;
    return descriptionOf(said, machine);
  }
}

/** Answers how to stop. Without a file there is nothing to look at. */
export function watchDescription(
  described: Described,
  machine: string,
  heard: (description: Description) => void,
  log: (line: string) => void,
): () => void {
  const { file } = described;
  if (file === undefined) return () => {};
  const look: StatsListener = () => {
    try {
      heard(descriptionOf(described, machine));
    } catch (error) {
      if (!(error instanceof DescriptionError)) throw error;
      log(`The description of ${machine} stays as it was: ${error.message}`);
    }
  };
  watchFile(file, { interval: LOOK_MS, persistent: false }, look);
  return () => unwatchFile(file, look);
}
