/** `borg machine invite`, `approve`, `deny` and `pending`: which machines from elsewhere may join the cell, and as what. */
import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { MEASURES } from "../../base/dimension.ts";
import type { InvitationView, JoinRequest } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Resources } from "../../wire/gen/borg/v1/resource_pb.ts";
import { change } from "../change.ts";
import { failureOf } from "../client.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { durationMsOf, sizeOfText } from "../input.ts";
import { type JoinTicket, joinTicketText } from "../join-ticket.ts";
import { plainName } from "../names.ts";
import { ASKED, BOUND, optionOf, sizeOf, sizeText, sizeWords } from "../text/resources.ts";
import { safeLine } from "../text/safe.ts";
import { type Column, tableText } from "../text/table.ts";
import { agoText, durationText, iso } from "../text/units.ts";
import { resourcesPlain } from "../text/views.ts";
import { whoProves, writeTicket } from "../who-proves.ts";

export type SizeOptions = Readonly<Partial<Record<(typeof BOUND)[number], string>>>;

export interface InviteOptions extends SizeOptions {
  readonly ttl?: string;
  readonly out?: string;
}

export interface ApproveOptions extends SizeOptions {
  readonly fingerprint?: string;
}

/** Long enough to carry it to the machine, and short enough to be forgotten there. */
const TTL_DEFAULT_MS = 3_600_000;
const KEY = /^[0-9a-f]{64}$/;

type Sizes = Record<string, number>;

/** The token is made here and only its hash is sent; the ticket with it is shown once, or written where only its owner reads it. */
export async function machineInvite(context: Context, text: string | undefined, options: InviteOptions): Promise<number> {
  const file = options.out === undefined ? undefined : resolve(context.terminal.cwd, options.out);
  if (text === undefined) return openInvitation(context, options, file);
  const machine = plainName(text, "a machine");
  const capacity = capacityOf(options);
  const ttlMs = options.ttl === undefined ? TTL_DEFAULT_MS : durationMsOf("--ttl", options.ttl);
  const token = randomBytes(32).toString("base64url");
  const tokenHash = createHash("sha256").update(token).digest("hex");
  const ticket = joinTicketText({ ...(await whereToJoin(context)), invited: { machine, token } });
  if (file !== undefined) writeTicket(file, ticket);
  const { position } = await invited(context, { machine, approval: { capacity }, tokenHash, ttlMs }, file);
  const plain = { machine, capacity: resourcesPlain(capacity), ttlMs, position };
  const sentence = `Machine ${machine} may join within ${durationText(ttlMs)}, with up to ${words(capacity)}`;
  if (file !== undefined) context.tell(`${sentence}; the ticket for borg borglet --join is in ${file}`, { ...plain, file });
  else if (context.json) context.printJson({ ...plain, ticket });
  else {
    context.terminal.complain(`${sentence}; this ticket (borg borglet --join takes it) is shown only now:\n`);
    context.terminal.print(`${ticket}\n`);
  }
  return EXIT.done;
}

/** Nothing in it is secret: who has it knows where the cell is and how it proves itself, and waits for an approval. */
async function openInvitation(context: Context, options: InviteOptions, file: string | undefined): Promise<number> {
  if (BOUND.some((dimension) => options[dimension] !== undefined) || options.ttl !== undefined)
    throw new Failure("usage", "Cannot approve a machine without its name", "name it, or leave the amounts out: borg machine invite");
  const ticket = joinTicketText(await whereToJoin(context));
  if (file !== undefined) writeTicket(file, ticket);
  if (file !== undefined) context.tell(`Whoever joins with ${file} waits for an approval: borg machine pending`, { file });
  else if (context.json) context.printJson({ ticket });
  else context.terminal.print(`${ticket}\n`);
  return EXIT.done;
}

interface Invited {
  readonly machine: string;
  readonly approval: { readonly capacity: Sizes };
  readonly tokenHash: string;
  readonly ttlMs: number;
}

/** A file whose token the cell surely does not know is taken away again; where that is not sure, it stays. */
async function invited(context: Context, request: Invited, file: string | undefined): Promise<{ readonly position: number }> {
  try {
    return await change(context, `invite machine ${request.machine}`, (client, requestId) =>
      client.approveMachine({ requestId, ...request }),
    );
  } catch (error) {
    if (file !== undefined && failureOf(error).exit !== "unreachable") rmSync(file, { force: true });
    throw error;
  }
}

/** Links are taken at the port behind the API's. */
async function whereToJoin(context: Context): Promise<Omit<JoinTicket, "invited">> {
  const { cell, url, authorities, others } = await whoProves(context);
  const { hostname, port } = new URL(url);
  return { cell, host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) + 1, authorities, ...(others === undefined ? {} : { others }) };
}

export async function machineApprove(context: Context, text: string, options: ApproveOptions): Promise<number> {
  const machine = plainName(text, "a machine");
  const capacity = capacityOf(options);
  const key = options.fingerprint ?? "";
  if (key !== "" && !KEY.test(key))
    throw new Failure(
      "usage",
      `Cannot understand "${key}" as a fingerprint`,
      "64 hex digits, as the machine shows them: borg machine pending",
    );
  const { position } = await change(context, `approve machine ${machine}`, (client, requestId) =>
    client.approveMachine({ requestId, machine, approval: { capacity, key } }),
  );
  context.tell(`Machine ${machine} may be in the cell with up to ${words(capacity)}`, {
    machine,
    capacity: resourcesPlain(capacity),
    fingerprint: key === "" ? null : key,
    position,
  });
  return EXIT.done;
}

export async function machineDeny(context: Context, text: string, options: { readonly fingerprint?: string }): Promise<number> {
  const machine = plainName(text, "a machine");
  const { denied } = await context.ask((client) => client.denyMachine({ machine, key: options.fingerprint ?? "" }));
  if (denied === 0) throw new Failure("notFound", `No machine "${machine}" asks to join`, "borg machine pending shows those that do");
  context.tell(`Machine ${machine} was denied, and is not heard for ten minutes`, { machine, denied });
  return EXIT.done;
}

export async function machinePending(context: Context): Promise<number> {
  const { requests, invitations } = await context.ask((client) => client.listJoins({}));
  if (context.json) {
    context.printJson({ waiting: requests.map(requestPlain), invited: invitations.map(invitationPlain) });
    return EXIT.done;
  }
  const { terminal } = context;
  if (requests.length + invitations.length === 0) {
    terminal.print("No machine asks to join, and none was invited: borg machine invite NAME --cpu 4 --ram 8GiB --disk 50GiB\n");
    return EXIT.done;
  }
  if (requests.length > 0) terminal.print(tableText(requestColumns(terminal.now()), requests, terminal));
  if (invitations.length > 0) terminal.print(tableText(invitationColumns(terminal.now()), invitations, terminal));
  const [first] = requests;
  if (first !== undefined)
    terminal.print(
      `Approve one: borg machine approve ${safeLine(first.machine)} --fingerprint ${safeLine(first.key)} ${asOptions(first.capacity)}\n`,
    );
  return EXIT.done;
}

const requestColumns = (nowMs: number): readonly Column<JoinRequest>[] => [
  { title: "ASKS TO JOIN", value: ({ machine }) => machine, whole: true },
  ...sizeColumns(({ capacity }: JoinRequest) => capacity),
  { title: "FROM", value: ({ address }) => address },
  { title: "SINCE", value: ({ sinceMs }) => agoText(sinceMs, nowMs), side: "right" },
  { title: "FINGERPRINT", value: ({ key }) => key, whole: true },
];

const invitationColumns = (nowMs: number): readonly Column<InvitationView>[] => [
  { title: "MAY JOIN", value: ({ machine }) => machine, whole: true },
  ...sizeColumns(({ approval }: InvitationView) => approval?.capacity),
  { title: "FOR", value: ({ untilMs }) => leftWords(untilMs, nowMs), side: "right" },
  { title: "BY", value: ({ approval }) => (approval?.key ? approval.key : "one-time token"), whole: true },
];

const sizeColumns = <Row>(of: (row: Row) => Resources | undefined): readonly Column<Row>[] =>
  ASKED.map((dimension) => ({
    title: dimension.toUpperCase(),
    value: (row: Row) => sizeText(dimension, sizeOf(of(row), dimension)),
    side: "right" as const,
  }));

const leftWords = (untilMs: number, nowMs: number): string =>
  untilMs === 0 ? "any time" : untilMs <= nowMs ? "ended" : durationText(untilMs - nowMs);

const asOptions = (capacity: Resources | undefined): string =>
  ASKED.map((dimension) => `${optionOf(dimension)} ${sizeText(dimension, sizeOf(capacity, dimension)).replace(" ", "")}`).join(" ");

const requestPlain = ({ machine, key, capacity, address, sinceMs }: JoinRequest): object => ({
  machine,
  fingerprint: key,
  capacity: resourcesPlain(capacity),
  address,
  since: iso(sinceMs),
});

const invitationPlain = ({ machine, approval, untilMs }: InvitationView): object => ({
  machine,
  fingerprint: approval?.key || null,
  capacity: resourcesPlain(approval?.capacity),
  until: untilMs === 0 ? null : iso(untilMs),
});

/** What is not named is nothing, so the three that every task asks for must be. */
function capacityOf(options: SizeOptions): Sizes {
  const missing = ASKED.filter((dimension) => options[dimension as keyof SizeOptions] === undefined);
  if (missing.length > 0)
    throw new Failure(
      "usage",
      `Cannot approve a machine without ${missing.map(optionOf).join(", ")}`,
      "say how much may count at most: --cpu 4 --ram 8GiB --disk 50GiB",
    );
  return Object.fromEntries(
    BOUND.map((dimension) => [MEASURES[dimension].field, sizeOfText(dimension, optionOf(dimension), options[dimension] ?? "0")]),
  );
}

const words = (capacity: Sizes): string => ASKED.map((dimension) => sizeWords(dimension, sizeOf(capacity, dimension))).join(", ");
