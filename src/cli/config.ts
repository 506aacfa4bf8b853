/**
 * Which cells this user knows, where their tokens are, and which one is meant: `config.json` and `tokens/` below the user's
 * configuration directory. Files are replaced whole and only their owner can read them. Never talks to a cell, and never
 * hands a cell's token to another address than the one it was saved with.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Failure } from "./exit.ts";
import { codeOf, whileLocked, writePrivate } from "./private-file.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface CellEntry {
  readonly url: string;
  readonly tokenFile?: string;
  /** Where `borg up` keeps this cell, when it runs on this machine. */
  readonly data?: string;
}

export interface Config {
  readonly current?: string;
  readonly cells: Readonly<Record<string, CellEntry>>;
}

/** A cell as the flags, the environment and the configuration together say it. */
export interface ChosenCell {
  /** Undefined for an address that no configured cell has. */
  readonly name: string | undefined;
  readonly url: string;
  readonly token: string;
  readonly data: string | undefined;
}

const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const TOKEN_BYTES_MAX = 4096;

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
  if (!isRecord(value) || typeof value["url"] !== "string") return false;
  return ["tokenFile", "data"].every((key) => value[key] === undefined || typeof value[key] === "string");
}

export interface CellToSave {
  readonly name: string;
  readonly url: string;
  /** Kept in a file of its own; without it, `tokenFile` or the one saved earlier stays. */
  readonly token?: string;
  readonly tokenFile?: string;
  readonly data?: string;
  /** Makes it the cell that commands mean. */
  readonly current?: boolean;
}

/** Adds a cell, or changes what is known of it. */
export function saveCell(cell: CellToSave, env: Environment = process.env): void {
  const name = checkedName(cell.name);
  const url = checkedUrl(cell.url);
  if (cell.token !== undefined) writePrivate(tokenPath(name, env), `${cell.token}\n`);
  changeConfig(env, (config) => {
    const known = config.cells[name];
    const tokenFile = cell.token === undefined ? (cell.tokenFile ?? known?.tokenFile) : tokenPath(name, env);
    const data = cell.data ?? known?.data;
    const entry: CellEntry = { url, ...(tokenFile === undefined ? {} : { tokenFile }), ...(data === undefined ? {} : { data }) };
    const current = cell.current === true ? name : config.current;
    return { ...(current === undefined ? {} : { current }), cells: { ...config.cells, [name]: entry } };
  });
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
  const { name, url, entry } = chosenAddress(flags, env);
  return { name, url, token: tokenFor(url, entry, env), data: entry?.data };
}

interface Address {
  readonly name: string | undefined;
  readonly url: string;
  readonly entry: CellEntry | undefined;
}

export function chosenAddress(flags: CellFlags, env: Environment = process.env): Address {
  const config = readConfig(env);
  const master = flags.master ?? (flags.cell === undefined ? env["BORG_MASTER"] || undefined : undefined);
  if (master !== undefined) {
    const url = checkedUrl(master);
    const found = Object.entries(config.cells).find(([, entry]) => sameUrl(entry.url, url));
    return { name: found?.[0], url, entry: found?.[1] };
  }
  const name = flags.cell ?? config.current;
  if (name === undefined)
    throw new Failure(
      "unreachable",
      "Cannot tell which cell you mean",
      "start one (borg up), choose one (borg cell use NAME), or give --master URL",
    );
  const entry = knownCell(config, name);
  return { name, url: checkedUrl(entry.url), entry };
}

function tokenFor(url: string, entry: CellEntry | undefined, env: Environment = process.env): string {
  const given = env["BORG_TOKEN"]?.trim();
  if (given !== undefined && given !== "") return given;
  const file = env["BORG_TOKEN_FILE"] || entry?.tokenFile;
  if (file === undefined)
    throw new Failure(
      "notPermitted",
      `Cannot find a token for ${url}`,
      "set BORG_TOKEN_FILE, or save one: borg cell add NAME --url URL --token-file FILE",
    );
  return readToken(file);
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

/** A token over a plain connection is anyone's on the way: only to this machine. */
export function checkedUrl(text: string): string {
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url === null || url.protocol !== "http:" || url.username !== "" || url.search !== "" || url.hash !== "")
    throw new Failure("usage", `Cannot understand "${text}" as a cell's address`, "as in http://127.0.0.1:7878");
  if (!isLoopback(url.hostname))
    throw new Failure(
      "usage",
      `Cannot send a token to "${url.host}": the way there is not encrypted`,
      "use a tunnel to that machine, as ssh -L makes one",
    );
  return url.href.replace(/\/+$/, "");
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);

function sameUrl(a: string, b: string): boolean {
  try {
    return checkedUrl(a) === b;
  } catch {
    return false;
  }
}

function checkedName(name: string): string {
  if (NAME.test(name)) return name;
  throw new Failure("usage", `Cannot use "${name}" as a cell's name`, "small letters, digits and dashes, as in my-cell");
}

function changeConfig(env: Environment, change: (config: Config) => Config): void {
  const file = configFile(env);
  whileLocked(file, () => writePrivate(file, `${JSON.stringify(change(readConfig(env)), null, 2)}\n`));
}
