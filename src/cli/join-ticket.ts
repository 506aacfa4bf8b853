/**
 * A join ticket: everything that a machine from elsewhere needs to ask a cell to join, on one line. `borg machine invite` hands it out, `borg borglet --join` takes it:
 * where the cell's masters take links and the certificates of its authority; and for a machine that was invited by name, a one-time token, which is a secret.
 */
import { isList, readTicketLine, type TicketKind, ticketLine } from "./ticket-line.ts";

export interface JoinTicket {
  readonly cell: string;
  readonly host: string;
  readonly port: number;
  /** Where else masters of the cell take links, at the same port. */
  readonly others?: readonly string[];
  /** PEM. */
  readonly authorities: readonly string[];
  /** Absent: it chooses its own name, and waits for an approval. */
  readonly invited?: { readonly machine: string; readonly token: string };
}

const KIND: TicketKind<JoinTicket> = {
  prefix: "borg-join-1:",
  words: "ticket to join a cell",
  from: "borg machine invite",
  read({ cell, host, port, authorities, invited, others }) {
    if (typeof cell !== "string" || typeof host !== "string" || typeof port !== "number" || !isList(authorities)) return undefined;
    if (others !== undefined && !isList(others)) return undefined;
    const where = { cell, host, port, authorities, ...(others === undefined ? {} : { others }) };
    if (invited === undefined) return where;
    return isInvited(invited) ? { ...where, invited } : undefined;
  },
};

export const joinTicketText = (ticket: JoinTicket): string => ticketLine(KIND, ticket);
export const joinTicketOf = (text: string): JoinTicket => readTicketLine(KIND, text);

function isInvited(value: unknown): value is NonNullable<JoinTicket["invited"]> {
  const { machine, token } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof machine === "string" && typeof token === "string";
}
