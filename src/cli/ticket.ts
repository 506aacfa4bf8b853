/**
 * A ticket: everything that a user needs to reach a cell, on one line. `borg token create` hands it out, `borg login` takes it: where the cell is, the
 * certificates of its authority, so that nobody else can be taken for it, and a token. It is a secret.
 */
import { isList, readTicketLine, type TicketKind, ticketLine } from "./ticket-line.ts";

export interface Ticket {
  readonly cell: string;
  readonly url: string;
  /** PEM. */
  readonly authorities: readonly string[];
  readonly token: string;
}

const KIND: TicketKind<Ticket> = {
  prefix: "borg-ticket-1:",
  words: "ticket for a cell",
  from: "borg token create",
  read({ cell, url, authorities, token }) {
    if (typeof cell !== "string" || typeof url !== "string" || typeof token !== "string" || !isList(authorities)) return undefined;
    return { cell, url, authorities, token };
  },
};

export const ticketText = (ticket: Ticket): string => ticketLine(KIND, ticket);
export const ticketOf = (text: string): Ticket => readTicketLine(KIND, text);
