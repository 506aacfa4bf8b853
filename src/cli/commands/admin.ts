/** `borg quota set`, `quota bounds`, `user grant`, `token create` and `token revoke`: what admins change. */

import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { MEASURES } from "../../base/dimension.ts";
import type { Changed } from "../../wire/gen/borg/v1/api_pb.ts";
import { CAPABILITY_WORDS, ROLE_WORDS, UNUSED_CAPABILITY, UNUSED_HINT } from "../../wire/grants.ts";
import { change } from "../change.ts";
import { failureOf } from "../client.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { bytesOf, choiceOf, countOf, durationMsOf, sizeOfText, whenMsOf } from "../input.ts";
import { plainName } from "../names.ts";
import { type LabelOptions, labelsSaid } from "../selection.ts";
import { BOUND, optionOf, sizeOf, sizeWords, toldOf } from "../text/resources.ts";
import { bytesText, clockText, durationText, iso, plural } from "../text/units.ts";
import { labelsText, quotaLimitPlain } from "../text/views.ts";
import { BAND_WORDS, GRANTABLE, numberOf, spoken } from "../text/words.ts";
import { ticketText } from "../ticket.ts";
import { whoProves, writeTicket } from "../who-proves.ts";

export interface QuotaOptions extends Readonly<Partial<Record<(typeof BOUND)[number], string>>> {
  readonly ports?: string;
  readonly unlimited?: boolean;
  readonly until?: string;
  readonly oversell?: boolean;
}

export async function quotaSet(context: Context, user: string, bandText: string, options: QuotaOptions): Promise<number> {
  const bandWord = choiceOf("BAND", bandText, spoken(BAND_WORDS));
  const band = numberOf(BAND_WORDS, bandWord)!;
  const limit = Object.fromEntries(
    BOUND.map((dimension) => [MEASURES[dimension].field, sizeOfText(dimension, optionOf(dimension), options[dimension] ?? "0")]),
  );
  const unlimited = options.unlimited ?? false;
  if (!unlimited && BOUND.every((dimension) => options[dimension] === undefined))
    throw new Failure("usage", "Cannot set a quota of nothing", "give --cpu, --ram and --disk, or --unlimited; --cpu 0 takes it away");
  const untilMs = options.until === undefined ? 0 : whenMsOf("--until", options.until, context.terminal.now());
  const quota = { limit, unlimited, untilMs, ...(options.ports === undefined ? {} : { ports: countOf("--ports", options.ports, 1e9) }) };
  plainName(user, "a user");
  const { position } = await change(context, `set the ${bandWord} quota of ${user}`, (client, requestId) =>
    client.setQuota({ requestId, user, band, quota, oversell: options.oversell ?? false }),
  );
  const amount = unlimited
    ? "no limit"
    : [
        ...toldOf(limit).map((dimension) => sizeWords(dimension, sizeOf(limit, dimension))),
        ...(options.ports === undefined ? [] : [plural(Number(options.ports), "port")]),
      ].join(", ");
  const end = untilMs === 0 ? "" : ` until ${clockText(untilMs)}`;
  context.tell(`User ${user} has ${amount} in band ${bandWord}${end}`, {
    user,
    band: bandWord,
    unlimited,
    limit: unlimited ? null : quotaLimitPlain(quota),
    until: iso(untilMs),
    position,
  });
  return EXIT.done;
}

export interface BoundsOptions {
  readonly jobs?: string;
  readonly tasks?: string;
  readonly specs?: string;
  readonly packages?: string;
  readonly packageBytes?: string;
  readonly calls?: string;
  readonly polls?: string;
  readonly work?: string;
}

export async function quotaBounds(context: Context, user: string, options: BoundsOptions): Promise<number> {
  const { jobs, tasks, specs, packages, packageBytes, calls, polls, work } = options;
  const bounds = {
    jobs: jobs === undefined ? 0 : countOf("--jobs", jobs, 1e6),
    tasks: tasks === undefined ? 0 : countOf("--tasks", tasks, 1e7),
    specBytes: specs === undefined ? 0 : bytesOf("--specs", specs),
    packages: packages === undefined ? 0 : countOf("--packages", packages, 2000),
    packageBytes: packageBytes === undefined ? 0 : bytesOf("--package-bytes", packageBytes),
    calls: calls === undefined ? 0 : countOf("--calls", calls, 500),
    polls: polls === undefined ? 0 : countOf("--polls", polls, 500),
    workPerSecond: work === undefined ? 0 : countOf("--work", work, 250),
  };
  plainName(user, "a user");
  const { position } = await change(context, `set the bounds of ${user}`, (client, requestId) =>
    client.setBounds({ requestId, user, bounds }),
  );
  const named = [
    jobs === undefined ? "" : `${bounds.jobs} jobs`,
    tasks === undefined ? "" : `${bounds.tasks} tasks`,
    specs === undefined ? "" : `${bytesText(bounds.specBytes)} of specs`,
    packages === undefined ? "" : `${bounds.packages} packages`,
    packageBytes === undefined ? "" : `${bytesText(bounds.packageBytes)} of packages`,
    calls === undefined ? "" : `${bounds.calls} calls in progress`,
    polls === undefined ? "" : `${bounds.polls} calls that wait for news`,
    work === undefined ? "" : `${bounds.workPerSecond} units of work a second`,
  ].filter((each) => each !== "");
  const words = named.length === 0 ? "as many jobs, tasks, specs, packages and calls as everybody" : `at most ${named.join(", ")}`;
  const most = (amount: number): number | null => (amount === 0 ? null : amount);
  context.tell(`User ${user} may have ${words}`, {
    user,
    bounds: {
      jobsMax: most(bounds.jobs),
      tasksMax: most(bounds.tasks),
      specBytesMax: most(bounds.specBytes),
      packagesMax: most(bounds.packages),
      packageBytesMax: most(bounds.packageBytes),
      callsMax: most(bounds.calls),
      pollsMax: most(bounds.polls),
      workPerSecondMax: most(bounds.workPerSecond),
    },
    position,
  });
  return EXIT.done;
}

export interface GrantOptions extends LabelOptions {
  readonly role?: readonly string[];
  readonly capability?: readonly string[];
  readonly only?: boolean;
}

/** Adds to what a user is and may do; with --only what is not named is taken away. */
export async function userGrant(context: Context, user: string, options: GrantOptions): Promise<number> {
  plainName(user, "a user");
  const { role = [], capability = [], only = false } = options;
  const labels = labelsSaid(options);
  if (role.length === 0 && capability.length === 0 && !only && labels === undefined)
    throw new Failure("usage", "Cannot grant nothing", "name a --role, a --capability or a --label; --only alone takes everything away");
  if (capability.includes(UNUSED_CAPABILITY)) throw new Failure("usage", `Capability ${UNUSED_CAPABILITY} allows nothing`, UNUSED_HINT);
  const roles = role.map((word) => numberOf(ROLE_WORDS, choiceOf("--role", word, spoken(ROLE_WORDS)))!);
  const capabilities = capability.map((word) => numberOf(CAPABILITY_WORDS, choiceOf("--capability", word, GRANTABLE))!);
  const { position } = await change(context, `grant ${user} what it may do`, (client, requestId) =>
    client.grantUser({ requestId, user, roles, capabilities, only, ...(labels === undefined ? {} : { labels }) }),
  );
  const may = [...role, ...capability];
  const granted =
    may.length === 0 && !only ? [] : [may.length === 0 ? "can do nothing now" : `is now${only ? "" : " also"}: ${may.join(", ")}`];
  const named =
    labels === undefined ? [] : [labels.labels.length === 0 ? "has no labels now" : `has the labels ${labelsText(labels.labels)}`];
  const sentence = `User ${user} ${[...granted, ...named].join("; ")}`;
  context.tell(sentence, { user, roles: role, capabilities: capability, only, position });
  return EXIT.done;
}

export interface TokenOptions {
  readonly user: string;
  readonly label?: string;
  readonly ttl?: string;
  readonly out?: string;
}

/**
 * The token is made here and only its hash is sent. The ticket with it goes to standard output, or into a file that only its owner can read; the file is
 * written first, so that a token the cell knows is never lost.
 */
export async function tokenCreate(context: Context, options: TokenOptions): Promise<number> {
  const user = plainName(options.user, "a user");
  const ttlMs = options.ttl === undefined ? 0 : durationMsOf("--ttl", options.ttl);
  const token = `borg_${randomBytes(32).toString("base64url")}`;
  const hash = createHash("sha256").update(token).digest("hex");
  const id = hash.slice(0, TOKEN_ID_DIGITS);
  const file = options.out === undefined ? undefined : resolve(context.terminal.cwd, options.out);
  const ticket = ticketText({ ...(await whoProves(context)), token });
  if (file !== undefined) writeTicket(file, ticket);
  const request = { user, hash, label: options.label ?? "", ttlMs };
  const { position, repeated } = await tokenSent(context, request, file);
  if (repeated && context.flags.requestId !== undefined) throw knownElsewhere(context, file);
  const life = ttlMs === 0 ? "until it is revoked" : `for ${durationText(ttlMs)}`;
  const plain = { user, id, ttlMs: ttlMs === 0 ? null : ttlMs, position };
  if (file !== undefined)
    context.tell(`Made token ${id} for user ${user}, ${life}; the ticket for borg login is in ${file}`, { ...plain, file });
  else if (context.json) context.printJson({ ...plain, token, ticket });
  else {
    context.terminal.complain(`Made token ${id} for user ${user}, ${life}; this ticket (borg login takes it) is shown only now:\n`);
    context.terminal.print(`${ticket}\n`);
  }
  return EXIT.done;
}

/** The cell's names of tokens are the first digits of their hash. */
const TOKEN_ID_DIGITS = 12;

interface TokenRequest {
  readonly user: string;
  readonly hash: string;
  readonly label: string;
  readonly ttlMs: number;
}

/** A file whose token the cell surely does not know is taken away again; where that is not sure, it stays. */
async function tokenSent(context: Context, request: TokenRequest, file: string | undefined): Promise<Changed> {
  try {
    return await change(context, `make a token for ${request.user}`, (client, requestId) => client.createToken({ requestId, ...request }));
  } catch (error) {
    if (file !== undefined && failureOf(error).exit !== "unreachable") rmSync(file, { force: true });
    throw error;
  }
}

function knownElsewhere(context: Context, file: string | undefined): Failure {
  if (file !== undefined) rmSync(file, { force: true });
  const message = `Request ${context.requestId} made its token before, and only that command knew it`;
  return new Failure("refused", message, "look for it with borg token ls, revoke it, and create another one");
}

export async function tokenRevoke(context: Context, id: string, options: { readonly user?: string }): Promise<number> {
  const user = options.user === undefined ? await context.user() : plainName(options.user, "a user");
  const { position } = await change(context, `revoke token ${id} of ${user}`, (client, requestId) =>
    client.revokeToken({ requestId, user, id }),
  );
  context.tell(`Revoked token ${id} of user ${user}`, { user, id, position });
  return EXIT.done;
}
