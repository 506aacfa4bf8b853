/**
 * Which cells this user knows, how each proves itself, where their tokens are, and which one is meant: `config.json` and `tokens/` below the user's
 * configuration directory. Files are replaced whole and only their owner can read them. Never talks to a cell, and never
 * hands a cell's token to another address than the one it was saved with.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { CellAddress } from "../rpc/client.ts";
import { Failure } from "./exit.ts";
import { codeOf, whileLocked, writePrivate } from "./private-file.ts";
import { type Ticket, ticketOf } from "./ticket.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A cell of one's own on this machine, reached through its directory; or one that a ticket was taken for. */
export interface CellEntry {
  /** Where `borg up` keeps it. */
  readonly data?: string;
  readonly url?: string;
  /** What it calls itself, which is in its certificate. */
  readonly cell?: string;
  readonly authorities?: readonly string[];
  readonly tokenFile?: string;
}

export interface Config {
  readonly current?: string;
  readonly cells: Readonly<Record<string, CellEntry>>;
}

/** A cell as the flags, the environment and the configuration together say it. */
export interface ChosenCell {
  /** Undefined for an address that no configured cell has. */
  readonly name: string | undefined;
  readonly at: CellAddress;
  /** None is needed on the owner's socket. */
  readonly token: string | undefined;
  readonly data: string | undefined;
}

/** What a cell on this machine is called when nobody says. */
export const CELL_DEFAULT = "local";
/** What makes a directory a cell's. */
const CELL_FILE = "cell.json";
/** The socket of a cell's directory on which its owner needs no token. */
const SOCKET = "api.sock";
const UNIX = "unix:";

/** For people: where a cell is. */
export const whereIs = (at: CellAddress): string => (at.kind === "unix" ? `${UNIX}${at.path}` : at.url);

const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const TOKEN_BYTES_MAX = 16_384;

export const configDirectory = (env: Environment = process.env): string => join(baseDirectory(env, "XDG_CONFIG_HOME", ".config"), "borg");
export const configFile = (env: Environment = process.env): string => join(configDirectory(env), "config.json");

/** Where `borg up` keeps a cell unless it is told otherwise. */
export function stateDirectory(cell: string, env: Environment = process.env): string {
  return join(baseDirectory(env, "XDG_STATE_HOME", join(".local", "state")), "borg", checkedName(cell));
}

/** The specification of these variables says that relative paths are to be ignored. */
function baseDirectory(env: Environment, variable: string, otherwise: string): string {
  const given = env[variable];
  return given?.startsWith("/") ? given : join(env["HOME"] || homedir(), otherwise);
}

export function readConfig(env: Environment = process.env): Config {
  const file = configFile(env);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return { cells: {} };
    throw new Failure("usage", `Cannot read "${file}": ${codeOf(cause)}`, undefined, { cause });
  }
  const found = parsed(text);
  if (found === undefined) throw new Failure("usage", `Cannot understand "${file}"`, "mend it, or remove it and run borg up again");
  return found;
}

function parsed(text: string): Config | undefined {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(found)) return undefined;
  const { current, cells = {} } = found;
  if (current !== undefined && typeof current !== "string") return undefined;
  if (!isRecord(cells) || !Object.values(cells).every(isEntry)) return undefined;
  return { ...(current === undefined ? {} : { current }), cells: cells as Record<string, CellEntry> };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function isEntry(value: unknown): value is CellEntry {
  if (!isRecord(value)) return false;
  const { authorities = [] } = value;
  const areWords = ["url", "cell", "tokenFile", "data"].every((key) => value[key] === undefined || typeof value[key] === "string");
  if (!areWords || !Array.isArray(authorities) || !authorities.every((pem) => typeof pem === "string")) return false;
  return typeof value["data"] === "string" || (typeof value["url"] === "string" && typeof value["cell"] === "string");
}

/**
 * The name and the directory of the cell on this machine that `up` and `down` mean: the one that is named, else the current one if it is kept on this machine,
 * else the first one that anybody has.
 */
export function ownCell(wanted: string | undefined, env: Environment = process.env): { readonly name: string; readonly data: string } {
  const { current, cells } = readConfig(env);
  const isOwn = current !== undefined && cells[current]?.data !== undefined;
  const name = wanted ?? (isOwn ? current : CELL_DEFAULT);
  return { name, data: cells[name]?.data ?? stateDirectory(name, env) };
}

/** A name that means another cell already is not taken from it; one whose directory is gone means nothing. */
export function refuseTakenName(name: string, data: string, env: Environment = process.env): void {
  const known = readConfig(env).cells[name];
  const isFree = known === undefined || known.data === data || (known.data !== undefined && !existsSync(join(known.data, CELL_FILE)));
  if (isFree) return;
  throw new Failure(
    "usage",
    `You know another cell as "${name}", ${known.data === undefined ? `at ${known.url}` : `in ${known.data}`}`,
    existsSync(join(data, CELL_FILE))
      ? `forget that one first, which leaves it as it is: borg cell rm ${name}`
      : `choose another name with --cell, or forget that one: borg cell rm ${name}`,
  );
}

/** Makes a cell of one's own, kept in `data`, the current one. */
export function saveOwnCell(name: string, data: string, env: Environment = process.env): void {
  saveEntry(checkedName(name), { data }, env);
}

/** Takes a ticket: the cell becomes the current one, and its token is kept in a file of its own. */
export function saveTicket(name: string, { token, cell, url, authorities }: Ticket, env: Environment = process.env): void {
  const known = readConfig(env).cells[checkedName(name)];
  if (known !== undefined && (known.data !== undefined || known.url !== checkedUrl(url)))
    throw new Failure("usage", `You know another cell as "${name}"`, "choose another name for this one: --as NAME");
  const tokenFile = tokenPath(name, env);
  const entry = { url: checkedUrl(url), cell: checkedName(cell), authorities, tokenFile };
  writePrivate(tokenFile, `${token}\n`);
  saveEntry(name, entry, env);
}

function saveEntry(name: string, entry: CellEntry, env: Environment): void {
  changeConfig(env, (config) => ({ current: name, cells: { ...config.cells, [name]: entry } }));
}

export const tokenPath = (cell: string, env: Environment = process.env): string => join(configDirectory(env), "tokens", checkedName(cell));

/** Commands mean this cell from now on. */
export function useCell(name: string, env: Environment = process.env): void {
  changeConfig(env, (config) => {
    knownCell(config, name);
    return { ...config, current: name };
  });
}

/** Forgets a cell and the token that was saved for it; the cell itself goes on. */
export function forgetCell(name: string, env: Environment = process.env): void {
  changeConfig(env, (config) => {
    knownCell(config, name);
    const { [name]: _, ...cells } = config.cells;
    return { ...(config.current === undefined || config.current === name ? {} : { current: config.current }), cells };
  });
  rmSync(tokenPath(name, env), { force: true });
}

export function knownCell(config: Config, name: string): CellEntry {
  const entry = Object.hasOwn(config.cells, name) ? config.cells[name] : undefined;
  if (entry !== undefined) return entry;
  const names = Object.keys(config.cells);
  const hint = names.length === 0 ? "start one: borg up" : `there are ${names.join(", ")}`;
  throw new Failure("notFound", `Cannot find a cell "${name}" in your configuration`, hint);
}

export interface CellFlags {
  readonly cell?: string | undefined;
  readonly master?: string | undefined;
}

/** Flags come before the environment, and both before the configuration. */
export function currentCell(flags: CellFlags, env: Environment = process.env): ChosenCell {
  const config = readConfig(env);
  const master = flags.master ?? (flags.cell === undefined ? env["BORG_MASTER"] || undefined : undefined);
  if (master !== undefined) return byAddress(master, config, env);
  const ticket = flags.cell === undefined ? givenTicket(env) : undefined;
  if (ticket !== undefined) return { name: ticket.cell, at: ticketAddress(ticket), token: ticket.token, data: undefined };
  const name = flags.cell ?? config.current;
  if (name === undefined)
    throw new Failure(
      "unreachable",
      "Cannot tell which cell you mean",
      "start one (borg up), choose one (borg cell use NAME), or take a ticket (borg login FILE)",
    );
  return byEntry(name, knownCell(config, name), env);
}

export function addressOf({ data, url, cell, authorities }: CellEntry): CellAddress {
  if (data !== undefined) return { kind: "unix", path: join(data, SOCKET) };
  return { kind: "tls", url: checkedUrl(url ?? ""), cell: cell ?? "", authorities: authorities ?? [] };
}

export const ticketAddress = ({ url, cell, authorities }: Ticket): CellAddress => ({
  kind: "tls",
  url: checkedUrl(url),
  cell,
  authorities,
});

function byEntry(name: string, entry: CellEntry, env: Environment): ChosenCell {
  const token = env["BORG_TOKEN"]?.trim() || (entry.tokenFile === undefined ? undefined : readToken(entry.tokenFile));
  return { name, at: addressOf(entry), token, data: entry.data };
}

/** A Unix socket as unix:PATH, or the address of a cell whose ticket was taken: any other could not prove itself. */
function byAddress(master: string, config: Config, env: Environment): ChosenCell {
  const token = env["BORG_TOKEN"]?.trim() || undefined;
  if (master.startsWith(UNIX)) return { name: undefined, at: { kind: "unix", path: master.slice(UNIX.length) }, token, data: undefined };
  const url = checkedUrl(master);
  const found = Object.entries(config.cells).find(([, entry]) => entry.url !== undefined && checkedUrl(entry.url) === url);
  if (found !== undefined) return byEntry(found[0], found[1], env);
  const ticket = givenTicket(env);
  if (ticket !== undefined && checkedUrl(ticket.url) === url)
    return { name: ticket.cell, at: ticketAddress(ticket), token: ticket.token, data: undefined };
  throw new Failure(
    "notPermitted",
    `Cannot tell whether ${url} is the cell you mean: you have no ticket for it`,
    "ask its owner for one (borg token create --user NAME), and take it: borg login FILE",
  );
}

/** For programs that keep no configuration. */
function givenTicket(env: Environment): Ticket | undefined {
  const text = env["BORG_TICKET"]?.trim() || (env["BORG_TICKET_FILE"] ? readToken(env["BORG_TICKET_FILE"]) : undefined);
  return text === undefined ? undefined : ticketOf(text);
}

/** The mode is asked of the open file, so that what was looked at is what is read. */
export function readToken(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    throw new Failure(
      "notPermitted",
      `Cannot read the token in "${file}": ${codeOf(cause)}`,
      "ask the cell's owner: borg token create --user NAME",
      { cause },
    );
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > TOKEN_BYTES_MAX)
      throw new Failure("notPermitted", `Cannot use "${file}" as a token: it is not a small file`);
    if ((stat.mode & 0o077) !== 0)
      throw new Failure("notPermitted", `Cannot use the token in "${file}": others can read it`, `run: chmod 600 '${file}'`);
    const token = readFileSync(descriptor, "utf8").trim();
    if (token === "") throw new Failure("notPermitted", `Cannot use the token in "${file}": it is empty`);
    return token;
  } finally {
    closeSync(descriptor);
  }
}

/** A token goes nowhere but over TLS. */
export function checkedUrl(text: string): string {
  const url = URL.parse(text.includes("://") ? text : `https://${text}`);
  if (url === null || url.protocol !== "https:" || url.username !== "" || url.search !== "" || url.hash !== "")
    throw new Failure(
      "usage",
      `Cannot understand "${text}" as a cell's address`,
      "as in https://127.0.0.1:7878, or unix:PATH for its owner's socket",
    );
  return url.href.replace(/\/+$/, "");
}

export function checkedName(name: string): string {
  if (NAME.test(name)) return name;
  throw new Failure("usage", `Cannot use "${name}" as a cell's name`, "small letters, digits and dashes, as in my-cell");
}

function changeConfig(env: Environment, change: (config: Config) => Config): void {
  const file = configFile(env);
  whileLocked(file, () => writePrivate(file, `${JSON.stringify(change(readConfig(env)), null, 2)}\n`));
}
