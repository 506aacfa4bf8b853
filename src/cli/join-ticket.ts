/**
 * A join ticket: everything that a machine from elsewhere needs to ask a cell to join, on one line. `borg machine invite` hands it out, `borg borglet --join` takes it:
 * where the cell's masters take links and the certificates of its authority; and for a machine that was invited by name, a one-time token, which is a secret.
 */
import { Failure } from "./exit.ts";

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

const PREFIX = "borg-join-1:";
const LENGTH_MAX = 16_384;

export const joinTicketText = (ticket: JoinTicket): string => `${PREFIX}${Buffer.from(JSON.stringify(ticket)).toString("base64url")}`;

export function joinTicketOf(text: string): JoinTicket {
  const line = text.trim();
  const found = line.length <= LENGTH_MAX && line.startsWith(PREFIX) ? parsed(line.slice(PREFIX.length)) : undefined;
  if (found !== undefined) return found;
  throw new Failure(
    "usage",
    "This is no ticket to join a cell",
    `it is one line that begins with ${PREFIX}, as borg machine invite prints it`,
  );
}

function parsed(text: string): JoinTicket | undefined {
  try {
    const ticket = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Partial<Record<keyof JoinTicket, unknown>>;
    const { cell, host, port, authorities, invited, others } = ticket;
    if (typeof cell !== "string" || typeof host !== "string" || typeof port !== "number" || !isList(authorities)) return undefined;
    if (others !== undefined && !isList(others)) return undefined;
    const where = { cell, host, port, authorities, ...(others === undefined ? {} : { others }) };
    if (invited === undefined) return where;
    return isInvited(invited) ? { ...where, invited } : undefined;
  } catch {
    return undefined;
  }
}

function isInvited(value: unknown): value is NonNullable<JoinTicket["invited"]> {
  const { machine, token } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof machine === "string" && typeof token === "string";
}

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
