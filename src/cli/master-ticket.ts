/**
 * A master's ticket: what another machine needs to join a cell as one of its masters, on one line. `borg replica invite` hands it out and `borg join` takes it. Its token is good
 * once, and whoever uses it gets the cell's keys: it is a secret as long as it is good.
 */
import { isList, readTicketLine, type TicketKind, ticketLine } from "./ticket-line.ts";

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

const KIND: TicketKind<MasterTicket> = {
  prefix: MASTER_PREFIX,
  words: "master's ticket",
  from: "borg replica invite",
  read({ cell, hosts, port, authorities, token }) {
    if (typeof cell !== "string" || typeof port !== "number" || typeof token !== "string") return undefined;
    return isList(hosts) && isList(authorities) ? { cell, hosts, port, authorities, token } : undefined;
  },
};

export const masterTicketText = (ticket: MasterTicket): string => ticketLine(KIND, ticket);
export const masterTicketOf = (text: string): MasterTicket => readTicketLine(KIND, text);
