/** How this program is started again: the arguments for Node, before those of the command. */
import { fileURLToPath } from "node:url";

export const entryPoint = (): readonly string[] => [
  "--disable-warning=ExperimentalWarning",
  fileURLToPath(new URL("./borg.ts", import.meta.url)),
];
