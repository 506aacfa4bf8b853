/** `borg init` and `borg join`: the first machine of a cell on several, and the next ones. Both make a directory and start nothing; `borg up` does. */
import { existsSync } from "node:fs";
import { join as joinPath, resolve } from "node:path";
import { type CellFile, DataDirectory, newCellId } from "../../daemon/data.ts";
import { Keys } from "../../daemon/keys.ts";
import { type Bundle, openFiles, type SharedFiles } from "../../daemon/peer/bundle.ts";
import { askPeer, PeerRefusal } from "../../daemon/peer/client.ts";
import { hostsOf } from "../../daemon/replicas.ts";
import { makeRequest } from "../../rpc/certificates.ts";
import { addressOf } from "../address.ts";
import { ownCell, readToken, saveOwnCell } from "../config.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { loginName } from "../login.ts";
import { MASTER_PREFIX, type MasterTicket, masterTicketOf } from "../master-ticket.ts";
import { plainName } from "../names.ts";
import type { BorgletOptions } from "./borglet.ts";

export interface InitOptions {
  readonly address: string;
  readonly data?: string;
  readonly port?: string;
  readonly machines?: string;
}

export interface JoinOptions extends BorgletOptions {
  readonly address?: string;
  readonly machines?: string;
}

const PORT_DEFAULT = 7878;
/** The last of its ports is 40 behind the first, and that of names 1000. */
const PORT_MAX = 64_000;
const MACHINES_MAX = 100;
const MASTER_KEY = joinPath("master", "master.key");

export async function init(context: Context, options: InitOptions): Promise<number> {
  const host = addressOf(options.address);
  const cell = plainName(context.flags.cell ?? "", "a cell (--cell)");
  const port = numberOf("--port", options.port, PORT_DEFAULT, 1024, PORT_MAX);
  const data = emptyDirectory(context, cell, options.data);
  const made: CellFile = {
    ...{ cell, id: newCellId(), owner: loginName(), host, port, linkPort: port + 1 },
    machines: numberOf("--machines", options.machines, 1, 1, MACHINES_MAX),
    replicas: 1,
    spread: { self: 1, masters: [{ replica: 1, host, key: "" }] },
  };
  const keys = new Keys(data, cell, 1);
  await keys.prepare(hostsOf(made), [], context.terminal.now());
  data.writeCell({ ...made, spread: { self: 1, masters: [{ replica: 1, host, key: keys.fingerprint() }] } });
  saveOwnCell(cell, data.path);
  context.tell(`Cell ${cell} is made in ${data.path}, with its first master at ${host}. Start it: borg up --detach`, {
    ...{ cell, data: data.path, address: host, port, replica: 1 },
  });
  return EXIT.done;
}

/** The ticket says as what: a master's, or a machine's. */
export async function join(context: Context, file: string, options: JoinOptions): Promise<number> {
  const text = file === "-" ? await context.terminal.input() : readToken(resolve(context.terminal.cwd, file));
  if (text.trim().startsWith(MASTER_PREFIX)) return joinMaster(context, masterTicketOf(text), options);
  const { address, machines: _, ...rest } = options;
  const { borglet } = await import("./borglet.ts");
  const host = address === undefined ? {} : { host: addressOf(address) };
  return borglet(context, { ...rest, ...host, join: file }, text);
}

async function joinMaster(context: Context, ticket: MasterTicket, options: JoinOptions): Promise<number> {
  if (options.address === undefined)
    throw new Failure("usage", "Cannot tell at which address this machine is reached", "as in: borg join FILE --address 10.0.0.2");
  const host = addressOf(options.address);
  const machines = numberOf("--machines", options.machines, 1, 1, MACHINES_MAX);
  const data = emptyDirectory(context, ticket.cell, options.data);
  // The key is made here and never leaves this machine; what comes back is sealed for it.
  const { key, request } = await makeRequest("master");
  const bundle = await asked(ticket, { token: ticket.token, request, host });
  const files = filesOf(bundle, key, ticket.cell);
  const { replica, masters, cluster, common } = bundle;
  const cell: CellFile = {
    ...common,
    id: newCellId(),
    host,
    machines,
    replicas: masters.length,
    spread: { self: replica, masters, cluster },
  };
  for (const [name, content] of Object.entries(files)) data.write(name, content);
  data.write(MASTER_KEY, key);
  await new Keys(data, cell.cell, replica).prepare(hostsOf(cell), [], context.terminal.now());
  data.writeCell(cell);
  saveOwnCell(cell.cell, data.path);
  context.tell(`This machine is master ${replica} of cell ${cell.cell}, in ${data.path}. Start it: borg up --detach`, {
    cell: cell.cell,
    data: data.path,
    address: host,
    replica,
  });
  return EXIT.done;
}

/** One master after the other, until one answers. A token that one of them heard may be used up, so a lost answer is said as it is. */
async function asked(ticket: MasterTicket, body: object): Promise<Bundle> {
  const { cell, port, authorities } = ticket;
  const problems: string[] = [];
  for (const host of ticket.hosts) {
    try {
      return await askPeer<Bundle>({ cell, host, port, authorities }, "/join", body);
    } catch (error) {
      if (error instanceof PeerRefusal)
        throw new Failure("refused", error.message, "borg replica ls shows the cell's masters", { cause: error });
      problems.push(`${host}:${port}: ${(error as Error).message}`);
    }
  }
  throw new Failure(
    "unreachable",
    `No master of cell "${cell}" answers (${problems.join("; ")})`,
    "is one of them up, and does the network let you there?",
  );
}

function filesOf(bundle: Bundle, key: string, cell: string): SharedFiles {
  const opened = bundle.common?.cell === cell ? openFiles(bundle, key) : undefined;
  if (opened?.ok === true) return opened.value;
  throw new Failure(
    "fault",
    opened === undefined ? "The answer is of another cell" : opened.reason,
    "nothing was kept; make another ticket",
  );
}

function emptyDirectory(context: Context, cell: string, wanted: string | undefined): DataDirectory {
  const { terminal } = context;
  const path = resolve(terminal.cwd, wanted ?? ownCell(cell, terminal.env).data);
  const data = existsSync(path) ? new DataDirectory(path) : undefined;
  if (data?.readCell() !== undefined)
    throw new Failure("usage", `"${data.path}" holds cell "${data.readCell()?.cell}" already`, "choose an empty directory with --data");
  return data ?? new DataDirectory(path);
}

function numberOf(flag: string, text: string | undefined, otherwise: number, least: number, most: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Failure("usage", `Cannot use "${text}" for ${flag}`, `a whole number from ${least} to ${most}`);
}
