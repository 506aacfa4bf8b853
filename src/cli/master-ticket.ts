/**
 * A master's ticket: what another machine needs to join a cell as one of its masters, on one line. `borg replica invite` hands it out and `borg join` takes it. Its token is good
 * once, and whoever uses it gets the cell's keys: it is a secret as long as it is good.
 */
import { Failure } from "./exit.ts";

export interface MasterTicket {
  readonly cell: string;
  /** The addresses of the cell's masters, and the port at which they speak to each other. */
  readonly hosts: readonly string[];
  readonly port: number;
  /** PEM. */
  readonly authorities: readonly string[];
  readonly token: string;
}

export const MASTER_PREFIX = "borg-master-1:";
const LENGTH_MAX = 16_384;

export const masterTicketText = (ticket: MasterTicket): string =>
  `${MASTER_PREFIX}${Buffer.from(JSON.stringify(ticket)).toString("base64url")}`;

export function masterTicketOf(text: string): MasterTicket {
  const line = text.trim();
  const found = line.length <= LENGTH_MAX && line.startsWith(MASTER_PREFIX) ? parsed(line.slice(MASTER_PREFIX.length)) : undefined;
  if (found !== undefined) return found;
  throw new Failure(
    "usage",
    "This is no master's ticket",
    `it is one line that begins with ${MASTER_PREFIX}, as borg replica invite prints it`,
  );
}

function parsed(text: string): MasterTicket | undefined {
  try {
    const ticket = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Partial<Record<keyof MasterTicket, unknown>>;
    const { cell, hosts, port, authorities, token } = ticket;
    if (typeof cell !== "string" || typeof port !== "number" || typeof token !== "string") return undefined;
    return isList(hosts) && isList(authorities) ? { cell, hosts, port, authorities, token } : undefined;
  } catch {
    return undefined;
  }
}

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
