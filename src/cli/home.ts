/** Where this openborg stands: the nearest directory above this file that is its package, whether it runs from sources or bundled. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** No bundle stands deeper in its repository. */
const ABOVE_MAX = 6;

export interface Home {
  readonly directory: string;
  readonly version: string;
}

export function home(): Home | undefined {
  let directory = import.meta.dirname;
  for (let above = 0; above < ABOVE_MAX; above++, directory = dirname(directory)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as { name?: unknown; version?: unknown };
      if (name === "openborg" && typeof version === "string") return { directory, version };
    } catch {
      // Not here; one further up.
    }
  }
  return undefined;
}
