/** `borg borglet`: this host as a machine of a cell that is kept elsewhere. */
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { DataDirectory, newCellId } from "../../daemon/data.ts";
import { runGuest } from "../../daemon/guest.ts";
import { type GuestFile, readGuest, writeGuest } from "../../daemon/guest-file.ts";
import { JoinError } from "../../daemon/guest-identity.ts";
import { type MachineShare, machineShares } from "../../daemon/machine-share.ts";
import { readToken, stateDirectory } from "../config.ts";
import type { Context } from "../context.ts";
import { type DescribedOptions, describedOf } from "../described.ts";
import { Failure } from "../exit.ts";
import { sizeOfText } from "../input.ts";
import { type JoinTicket, joinTicketOf } from "../join-ticket.ts";
import { loginName } from "../login.ts";
import { plainName } from "../names.ts";

export interface BorgletOptions extends DescribedOptions {
  readonly join?: string;
  readonly name?: string;
  readonly data?: string;
  readonly host?: string;
  readonly cpu?: string;
  readonly ram?: string;
  readonly disk?: string;
  readonly trustAllUsers?: boolean;
  readonly adopt?: boolean;
}

/** `text`: of the ticket, if it was read already. */
export async function borglet(context: Context, options: BorgletOptions, text?: string): Promise<number> {
  const { terminal } = context;
  const ticket = options.join === undefined ? undefined : joinTicketOf(text ?? (await ticketTextAt(context, options.join)));
  const machine = nameOf(ticket, options.name);
  const path = resolve(terminal.cwd, options.data ?? stateDirectory(machine ?? "machine", terminal.env));
  const data = directoryAt(path, ticket);
  const lock = data.lock();
  if (lock === undefined) throw new Failure("refused", `Another process uses "${data.path}"`, "choose a directory of its own with --data");
  try {
    const guest = describedAs(data, guestFor(data, ticket, machine), options, terminal.cwd);
    return await runGuest({
      data,
      guest,
      share: shareOf(guest, data.path, options),
      host: options.host ?? hostname(),
      token: ticket?.invited?.token ?? "",
      onlyUser: options.trustAllUsers === true ? undefined : loginName(),
      adopt: options.adopt === true,
      signal: terminal.interrupted(),
      say: (line) => terminal.print(`${line}\n`),
      log: (line) => terminal.complain(`${new Date(terminal.now()).toISOString()} ${line}\n`),
    });
  } catch (error) {
    if (error instanceof JoinError)
      throw new Failure("refused", error.message, "the cell's admin invites it: borg machine invite", { cause: error });
    throw error;
  } finally {
    lock.release();
  }
}

async function ticketTextAt(context: Context, file: string): Promise<string> {
  return file === "-" ? context.terminal.input() : readToken(resolve(context.terminal.cwd, file));
}

function nameOf(ticket: JoinTicket | undefined, wanted: string | undefined): string | undefined {
  const invited = ticket?.invited?.machine;
  if (invited !== undefined && wanted !== undefined && wanted !== invited)
    throw new Failure("usage", `The ticket is for machine "${invited}", not for "${wanted}"`, "leave --name out");
  const name = invited ?? wanted;
  if (name === undefined && ticket !== undefined)
    throw new Failure("usage", "The ticket names no machine", "choose what this one is called in the cell: --name NAME");
  return name === undefined ? undefined : plainName(name, "a machine");
}

/** Without a ticket it must have joined before. */
function directoryAt(path: string, ticket: JoinTicket | undefined): DataDirectory {
  if (ticket === undefined && (!existsSync(path) || !statSync(path).isDirectory()))
    throw new Failure("notFound", `No machine is kept in "${path}"`, "a machine joins with a ticket: borg borglet --join FILE");
  const data = new DataDirectory(path);
  if (data.readCell() !== undefined) throw new Failure("usage", `"${data.path}" holds a cell`, "choose another directory with --data");
  return data;
}

/** What it was when it first asked stays; the same ticket may be shown again. */
function guestFor(data: DataDirectory, ticket: JoinTicket | undefined, machine: string | undefined): GuestFile {
  const known = readGuest(data);
  if (known === undefined && (ticket === undefined || machine === undefined))
    throw new Failure("notFound", `No machine is kept in "${data.path}"`, "a machine joins with a ticket: borg borglet --join FILE");
  if (known !== undefined && ((machine ?? known.machine) !== known.machine || (ticket?.cell ?? known.cell) !== known.cell))
    throw new Failure(
      "usage",
      `"${data.path}" is machine "${known.machine}" of cell "${known.cell}"`,
      "choose another directory with --data",
    );
  if (ticket === undefined) return known!;
  const { cell, host, port, authorities, others = [] } = ticket;
  const guest = { ...known, cell, host, port, others, authorities: [...authorities], machine: machine!, id: known?.id ?? newCellId() };
  writeGuest(data, guest);
  return guest;
}

function describedAs(data: DataDirectory, guest: GuestFile, options: BorgletOptions, cwd: string): GuestFile {
  const described = { ...guest, described: describedOf(options, guest.described, cwd) };
  writeGuest(data, described);
  return described;
}

/** All of this host but for what is left to the system, unless less is given. */
function shareOf({ id, machine }: GuestFile, path: string, options: BorgletOptions): MachineShare {
  const slot = createHash("sha256").update(id).digest().readUInt16BE(0);
  const [whole] = machineShares(1, path, slot) as [MachineShare];
  const given = (dimension: "cpu" | "ram" | "disk", otherwise: number): number => {
    const text = options[dimension];
    return text === undefined ? otherwise : sizeOfText(dimension, `--${dimension}`, text);
  };
  return {
    ...whole,
    machine,
    cpuMilli: given("cpu", whole.cpuMilli),
    ramBytes: given("ram", whole.ramBytes),
    diskBytes: given("disk", whole.diskBytes),
  };
}
