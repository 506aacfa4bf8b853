/** The options with which people say what a machine is; described.ts reads them. */
import type { Command } from "commander";
import { several } from "./catalogue.ts";

/** How people describe machines (described.ts). */
export const describedFlags = (command: Command): Command =>
  command
    .option("--rack <name>", "the rack it stands in; tasks of a job are spread over racks")
    .option("--power-domain <name>", "what it loses its power with")
    .option("--attribute <key=value>", "what jobs can ask for by a constraint (again for more)", several)
    .option("--core-speed <n>", "of a core, 1 for a normal one; measured: find it out now (default: 1)")
    .option(
      "--disk-bandwidth <bytes>",
      "a second that tasks may read and write on its disk together, as in 200MiB (default: none is offered)",
    )
    .option(
      "--reserve <resource=amount>",
      "left to the system, no task is given it: cpu=0.5, ram=2GiB, disk=10GiB (again for more)",
      several,
    )
    .option(
      "--volume <user/name=path>",
      "a directory for the tasks of a user's jobs that name it, which outlives them (again for more)",
      several,
    )
    .option("--extra <name=count>", "what else can be counted there and jobs ask for with extras: gpu=2 (again for more)", several)
    .option(
      "--device <name=count>",
      "devices that jobs ask for whole or in parts, and are given by number: gpu=4, or gpu=8x250 for eight of 250 thousandths (again for more)",
      several,
    )
    .option("--machine-file <file>", "JSON that says the same for each machine by its name; looked at again when it changes");
