/**
 * A ticket: everything that a user needs to reach a cell, on one line. `borg token create` hands it out, `borg login` takes it: where the cell is, the
 * certificates of its authority, so that nobody else can be taken for it, and a token. It is a secret.
 */
import { Failure } from "./exit.ts";

export interface Ticket {
  readonly cell: string;
  readonly url: string;
  /** PEM. */
  readonly authorities: readonly string[];
  readonly token: string;
}

const PREFIX = "borg-ticket-1:";
const LENGTH_MAX = 16_384;

export const ticketText = (ticket: Ticket): string => `${PREFIX}${Buffer.from(JSON.stringify(ticket)).toString("base64url")}`;

export function ticketOf(text: string): Ticket {
  const line = text.trim();
  const found = line.length <= LENGTH_MAX && line.startsWith(PREFIX) ? parsed(line.slice(PREFIX.length)) : undefined;
  if (found === undefined)
    throw new Failure("usage", "This is no ticket for a cell", `it is one line that begins with ${PREFIX}, as borg token create prints it`);
  return found;
}

function parsed(text: string): Ticket | undefined {
  try {
    const { cell, url, authorities, token } = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Partial<
      Record<string, unknown>
    >;
    if (typeof cell !== "string" || typeof url !== "string" || typeof token !== "string" || !isList(authorities)) return undefined;
    return { cell, url, authorities, token };
  } catch {
    return undefined;
  }
}

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
