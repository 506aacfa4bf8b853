/** What a Linux machine is made with. */
import type { KeptFile } from "../kept-file.ts";
import type { FromMachine } from "../message.ts";
import type { Cgroups } from "./cgroup.ts";
import type { LauncherOptions } from "./launcher.ts";
import type { Layout } from "./layout.ts";
import type { LogLimits } from "./log-files.ts";
import type { Uids } from "./uids.ts";

export interface HostOptions extends Omit<LauncherOptions, "holdings" | "runFiles" | "secrets" | "treeOf"> {
  readonly layout: Layout;
  readonly kept: KeptFile;
  readonly uids: Uids;
  readonly cgroups: Cgroups | undefined;
  readonly logLimits: LogLimits;
  /** Where tasks listen. */
  readonly healthHost: string;
  readonly deliver: (message: FromMachine) => void;
  readonly log: (line: string) => void;
}
