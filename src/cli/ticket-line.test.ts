import assert from "node:assert/strict";
import { test } from "node:test";
import { joinTicketOf, joinTicketText } from "./join-ticket.ts";
import { masterTicketOf, masterTicketText } from "./master-ticket.ts";
import { ticketOf, ticketText } from "./ticket.ts";

const line = (prefix: string, value: unknown): string => `${prefix}${Buffer.from(JSON.stringify(value)).toString("base64url")}`;

test("Each kind of ticket is read back as it was written, and no other text is taken for one [KB1] [KA2]", () => {
  const authorities = ["pem"];
  const ticket = { cell: "cc", url: "https://h:1", authorities, token: "t" };
  const join = { cell: "cc", host: "h", port: 1, authorities, others: ["i"], invited: { machine: "m", token: "t" } };
  const master = { cell: "cc", hosts: ["h"], port: 1, authorities, token: "t" };
  assert.deepEqual(ticketOf(` ${ticketText(ticket)}\n`), ticket);
  assert.deepEqual(joinTicketOf(joinTicketText(join)), join);
  assert.deepEqual(masterTicketOf(masterTicketText(master)), master);
  const wrong = [
    "",
    "{}",
    line("borg-ticket-1:", null),
    line("borg-ticket-1:", { ...ticket, token: 1 }),
    joinTicketText(join),
    `${ticketText(ticket)}${"A".repeat(16_384)}`,
  ];
  for (const text of wrong) assert.throws(() => ticketOf(text), /This is no ticket for a cell/, text.slice(0, 40));
  assert.throws(() => joinTicketOf(line("borg-join-1:", { ...join, others: [] })), /This is no ticket to join a cell/);
  assert.throws(() => masterTicketOf(line("borg-master-1:", { ...master, hosts: "h" })), /This is no master's ticket/);
});
