/** `borg cell`: the cells this user knows, the one that commands mean, and what it holds. */

import { resolve } from "node:path";
import { MEASURES, type Sized } from "../../base/dimension.ts";
import type { CellView } from "../../wire/gen/borg/v1/api_pb.ts";
import type { OfferModule, Reclamation } from "../../wire/gen/borg/v1/op_pb.ts";
import { ROLE_WORDS } from "../../wire/grants.ts";
import { change } from "../change.ts";
import { addressOf, forgetCell, knownCell, readConfig, readToken, saveTicket, ticketAddress, useCell, whereIs } from "../config.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { choiceOf, durationMsOf } from "../input.ts";
import { plainName } from "../names.ts";
import { sizeOf, sizeText, toldOf } from "../text/resources.ts";
import { safeLine } from "../text/safe.ts";
import { fieldsText, tableText } from "../text/table.ts";
import { bytesText, clockText, durationText, plural } from "../text/units.ts";
import { cellPlain, shortMsOf } from "../text/views.ts";
import { OFFER_WORDS, RECLAMATION_WORDS, spoken, wordOf } from "../text/words.ts";
import { ticketOf } from "../ticket.ts";

export async function cellLs(context: Context): Promise<number> {
  const { terminal } = context;
  const { current, cells } = readConfig(terminal.env);
  const rows = Object.entries(cells).map(([name, entry]) => ({
    name,
    url: whereIs(addressOf(entry)),
    data: entry.data ?? null,
    current: name === current,
  }));
  if (context.json) context.printJson(rows);
  else if (rows.length === 0) terminal.complain("You know no cell yet; borg up starts one\n");
  else
    terminal.print(
      tableText(
        [
          { title: "CELL", value: (row) => `${row.name}${row.current ? " *" : ""}` },
          { title: "URL", value: (row) => row.url },
          { title: "DATA", value: (row) => row.data ?? "", shrinks: true },
        ],
        rows,
        terminal,
      ),
    );
  return EXIT.done;
}

export async function cellUse(context: Context, name: string): Promise<number> {
  useCell(name, context.terminal.env);
  const url = whereIs(addressOf(knownCell(readConfig(context.terminal.env), name)));
  context.tell(`Commands now mean cell ${name} at ${url}`, { cell: name, url });
  return EXIT.done;
}

export interface LoginOptions {
  readonly as?: string;
}

/** A ticket comes from a file that only its owner can read, or from standard input: never from the command line, which others can see. */
export async function login(context: Context, file: string, options: LoginOptions): Promise<number> {
  const { terminal } = context;
  const ticket = ticketOf(file === "-" ? await terminal.input() : readToken(resolve(terminal.cwd, file)));
  const name = plainName(options.as ?? ticket.cell, "a cell");
  const client = await context.reach(ticketAddress(ticket), ticket.token);
  const { user } = await client.getCell({});
  client.close?.();
  saveTicket(name, ticket, terminal.env);
  context.tell(`You are ${user} in cell ${name} at ${ticket.url}; commands now mean it`, { cell: name, url: ticket.url, user });
  return EXIT.done;
}

export async function cellRm(context: Context, name: string): Promise<number> {
  forgetCell(name, context.terminal.env);
  context.tell(`Forgot cell ${name} and its token; the cell itself goes on`, { cell: name });
  return EXIT.done;
}

export async function cellShow(context: Context, options: { readonly hash?: boolean }): Promise<number> {
  const url = whereIs(context.cell().at);
  const cell = await context.ask((client) => client.getCell({ hash: options.hash ?? false }));
  const master = await context.ask((client) => client.getMaster({}));
  if (context.json) {
    const { role, term, pid, upMs, cpuMs, rssBytes, links, longestStepMs } = master;
    context.printJson({ ...cellPlain(cell), url, master: { role, term, pid, upMs, cpuMs, rssBytes, links, longestStepMs } });
    return EXIT.done;
  }
  const of = (dimension: Sized): string => {
    const [capacity, limit, reserved, used] = [cell.capacity, cell.limit, cell.reservation, cell.usage].map((one) =>
      sizeText(dimension, sizeOf(one, dimension)),
    );
    return `${capacity} (limits ${limit}, reserved ${reserved}, used ${used})`;
  };
  context.terminal.print(
    fieldsText([
      ["cell", safeLine(cell.name)],
      ["url", url],
      ["you are", `${safeLine(cell.user)} (${cell.roles.map((role) => wordOf(ROLE_WORDS, role)).join(", ") || "no role"})`],
      [
        "machines",
        `${cell.machines}${cell.machinesReachable === cell.machines ? "" : `, ${cell.machines - cell.machinesReachable} do not answer`}`,
      ],
      ["jobs", `${cell.jobs} with ${plural(cell.tasks, "task")}: ${cell.running} running, ${cell.pending} pending`],
      ...toldOf(cell.capacity, cell.limit).map((dimension) => [MEASURES[dimension].noun, of(dimension)] as const),
      ["keeps", `what has ended for ${durationText(cell.config?.deadJobKeepMs ?? 0)}`],
      ["reclamation", wordOf(RECLAMATION_WORDS, cell.config?.reclamation ?? 0)],
      ["offers", offersText(cell)],
      ["time", clockText(cell.timeMs)],
      ["journal", `position ${cell.position}, version ${cell.version}`],
      [
        "master",
        `${safeLine(master.role)} in term ${master.term}, pid ${master.pid}, up ${durationText(master.upMs)}, ${bytesText(master.rssBytes)} of memory`,
      ],
      ["hash", safeLine(cell.hash)],
    ]),
  );
  return EXIT.done;
}

/** How room is offered to frameworks. */
export function offersText(cell: CellView): string {
  const { module = 0, shortPermille = 0 } = cell.config?.offers ?? {};
  const kept = shortPermille === 0 ? "" : `, ${shortPermille / 10} % of the machines for tasks of at most ${durationText(shortMsOf(cell))}`;
  return `by ${wordOf(OFFER_WORDS, module)}${kept}`;
}

export interface CellSetOptions {
  readonly reclamation?: string;
  readonly offers?: string;
  readonly shortMachines?: string;
  readonly shortDuration?: string;
}

export async function cellSet(context: Context, options: CellSetOptions): Promise<number> {
  const offers = offersOf(options);
  const { reclamation } = options;
  if (reclamation === undefined && offers === undefined)
    throw new Failure(
      "usage",
      "Cannot set nothing",
      `name --reclamation ${spoken(RECLAMATION_WORDS).join(", ")}, or --offers ${ORDERS.join(", ")}`,
    );
  if (reclamation !== undefined && offers !== undefined)
    throw new Failure("usage", "Cannot set reclamation and offers in one change", "say borg cell set once for each");
  return reclamation === undefined ? setOffers(context, offers ?? {}) : setReclamation(context, reclamation);
}

async function setReclamation(context: Context, asked: string): Promise<number> {
  const word = choiceOf("--reclamation", asked, spoken(RECLAMATION_WORDS));
  const reclamation = numberOf(RECLAMATION_WORDS, word) as Reclamation;
  const { position } = await change(context, `set reclamation to ${word}`, (client, requestId) =>
    client.setReclamation({ requestId, reclamation }),
  );
  context.tell(`Reclamation is now ${word}`, { reclamation: word, position });
  return EXIT.done;
}

interface OffersAsked {
  readonly module?: OfferModule;
  readonly shortPermille?: number;
  readonly shortMs?: number;
}

const ORDERS = spoken(OFFER_WORDS);
const DAY_MS = 86_400_000;

function offersOf({ offers, shortMachines, shortDuration }: CellSetOptions): OffersAsked | undefined {
  if (offers === undefined && shortMachines === undefined && shortDuration === undefined) return undefined;
  return {
    ...(offers === undefined ? {} : { module: numberOf(OFFER_WORDS, choiceOf("--offers", offers, ORDERS)) as OfferModule }),
    ...(shortMachines === undefined ? {} : { shortPermille: permilleOf(shortMachines) }),
    ...(shortDuration === undefined ? {} : { shortMs: shortMsAsked(shortDuration) }),
  };
}

function permilleOf(text: string): number {
  const percent = /^\d{1,3}(?:\.\d)?%?$/.test(text) ? Number.parseFloat(text) : -1;
  if (percent >= 0 && percent <= 100) return Math.round(percent * 10);
  throw new Failure(
    "usage",
    `Cannot parse --short-machines "${text}"`,
    "name a part of the machines in percent, 0 to 100, such as 10 or 2.5",
  );
}

function shortMsAsked(text: string): number {
  const ms = durationMsOf("--short-duration", text);
  if (ms >= 1000 && ms <= DAY_MS) return ms;
  throw new Failure("usage", `Cannot take --short-duration "${text}"`, "name one from a second to a day, such as 10m");
}

async function setOffers(context: Context, asked: OffersAsked): Promise<number> {
  const { position } = await change(context, "set how room is offered", (client, requestId) => client.setOffers({ requestId, ...asked }));
  const cell = await context.ask((client) => client.getCell({}));
  const { offers, shortShare, shortMs } = cellPlain(cell);
  context.tell(`Room is now offered ${offersText(cell)}`, { offers, shortShare, shortMs, position });
  return EXIT.done;
}

/** The last one that is so called: the first says what a cell does that was told nothing. */
const numberOf = (words: Readonly<Record<number, string>>, word: string): number => Object.values(words).lastIndexOf(word);
