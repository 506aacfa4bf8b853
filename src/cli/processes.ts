/** The processes that a cell is made of, as internal commands of the same program. People never type these; the supervisor does. */
import { parseArgs } from "node:util";
import { DataDirectory } from "../daemon/data.ts";
import type { MachineShare } from "../daemon/machine-share.ts";

export async function runProcess(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  // A log that cannot be written, on a full disk, ends nobody.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const { values } = parseArgs({
    args: rest,
    options: {
      data: { type: "string" },
      share: { type: "string" },
      attached: { type: "boolean" },
      uid: { type: "string" },
      replica: { type: "string" },
      "end-tasks": { type: "boolean" },
    },
    strict: true,
  });
  if (values.data === undefined) throw new Error(`${command ?? "A process"} needs --data`);
  const data = new DataDirectory(values.data);
  switch (command) {
    case "internal-master":
      return (await import("../daemon/master-process.ts")).runMaster(data, numberOf(values.uid), numberOf(values.replica));
    case "internal-borglet":
      return (await import("../daemon/borglet-process.ts")).runBorgletProcess(
        data,
        JSON.parse(values.share ?? "{}") as MachineShare,
        values["end-tasks"] === true,
      );
    case "internal-infrastore":
      return (await import("../daemon/infrastore-process.ts")).runInfrastore(
        data,
        values.uid === undefined ? undefined : Number(values.uid),
      );
    case "internal-names":
      return (await import("../daemon/names-process.ts")).runNames(data, numberOf(values.uid));
    case "internal-peer":
      return (await import("../daemon/peer-process.ts")).runPeer(data, numberOf(values.uid));
    case "internal-supervisor":
      return (await import("./up.ts")).runSupervisor(data, values.attached === true);
    default:
      throw new Error(`There is no process "${command ?? ""}"`);
  }
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
