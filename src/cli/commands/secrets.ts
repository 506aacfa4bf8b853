/** `borg secret set`, `ls`, `rm` and `rotate-key`: what tasks need and nobody may read. A value goes in from a file or from standard input, and never comes out here. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import type { RotateSecretKeyResponse, SecretView } from "../../wire/gen/borg/v1/api_pb.ts";
import { SECRETS_PLACE } from "../../wire/spec-defaults.ts";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { plainName } from "../names.ts";
import {
  confirmed,
  each,
  type LabelOptions,
  labelsSaid,
  type ManyOptions,
  nameOr,
  type SelectionOptions,
  selectorOf,
  type Told,
} from "../selection.ts";
import { type Column, tableText } from "../text/table.ts";
import { agoText, bytesText, iso, plural } from "../text/units.ts";
import { labelsPlain, labelsText } from "../text/views.ts";

/** As the cell takes it. */
const VALUE_BYTES_MAX = 65_536;
/** Calls of one rotation: more than there can be secrets. */
const ROUNDS_MAX = 3000;
/** Masters fetch a key from each other every few seconds. */
const WAIT_MS = 1000;
const WAITS_MAX = 60;
const NEWLINE = 10;
/** Jobs that a row names; the rest are counted. */
const JOBS_SHOWN_MAX = 3;

export interface SecretOptions {
  readonly user?: string;
}

export interface SetSecretOptions extends SecretOptions, LabelOptions {
  readonly file?: string;
}

export async function secretSet(
  context: Context,
  text: string,
  more: readonly string[],
  { user, file, ...options }: SetSecretOptions,
): Promise<number> {
  const labels = labelsSaid(options);
  const name = plainName(text, "a secret");
  if (more.length > 0)
    throw new Failure(
      "usage",
      "Cannot take the value of a secret from the command line: others can see it there, and the shell remembers it",
      `type it (borg secret set ${name}), or give it from a file (borg secret set ${name} --file PATH) or a pipe; and change it where it was used, if it was the real one`,
    );
  const owner = user ?? (await context.user());
  const value =
    file === undefined ? await context.terminal.secret(`Value of ${name} (not shown): `, VALUE_BYTES_MAX) : readValue(context, file);
  if (value.length === 0)
    throw new Failure("usage", `Cannot set "${name}": its value is empty`, "type it, or give it with --file or from a pipe");
  if (value.length > VALUE_BYTES_MAX)
    throw new Failure(
      "usage",
      `Cannot set "${name}": a secret has at most ${VALUE_BYTES_MAX} bytes`,
      "keep what is larger elsewhere, and its key here",
    );
  const { position, repeated } = await change(context, `set secret ${owner}/${name}`, (client, requestId) =>
    client.setSecret({
      requestId,
      user: owner,
      name,
      value: value as Uint8Array<ArrayBuffer>,
      ...(labels === undefined ? {} : { labels }),
    }),
  );
  const newline = value.at(-1) === NEWLINE ? "; it ends with a newline, which is part of it" : "";
  const done = repeated
    ? `Secret ${owner}/${name} was set by this request before`
    : `Set secret ${owner}/${name} (${bytesText(value.length)}${newline})`;
  context.tell(`${done}; a task that names it finds it at ${SECRETS_PLACE}/${name} when it starts`, {
    secret: `${owner}/${name}`,
    user: owner,
    name,
    bytes: value.length,
    position,
  });
  return EXIT.done;
}

/** No more than could be taken, and from nothing that does not end. */
function readValue({ terminal }: Context, file: string): Uint8Array {
  const path = resolve(terminal.cwd, file);
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    if (!fstatSync(fd).isFile()) throw new Error("it is no file");
    const bytes = new Uint8Array(VALUE_BYTES_MAX + 1);
    return bytes.subarray(0, readSync(fd, bytes));
  } catch (cause) {
    const { message } = cause as Error;
    throw new Failure("usage", `Cannot read "${file}": ${message}`, "name a file that you can read", { cause });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

export async function secretLs(context: Context, options: SecretOptions & SelectionOptions): Promise<number> {
  const [user, selector] = [options.user ?? "", selectorOf(options)];
  const { secrets } = await context.ask((client) => client.listSecrets({ user, selector }));
  if (context.json) context.printJson(secrets.map(secretPlain));
  else if (secrets.length === 0)
    context.terminal.complain(selector === "" ? "No secrets: borg secret set NAME sets one\n" : `No secrets with ${selector}\n`);
  else context.terminal.print(tableText(columnsOf(context.terminal.now()), secrets, context.terminal));
  return EXIT.done;
}

const columnsOf = (nowMs: number): readonly Column<SecretView>[] => [
  { title: "SECRET", value: ({ user, name }) => `${user}/${name}`, whole: true },
  { title: "VERSION", value: ({ version }) => String(version), side: "right" },
  { title: "SIZE", value: ({ bytes }) => bytesText(bytes), side: "right" },
  { title: "CHANGED", value: ({ changedMs }) => agoText(changedMs, nowMs), side: "right" },
  { title: "USED BY", value: usedBy },
  { title: "LABELS", value: ({ labels }) => labelsText(labels), shrinks: 12, drops: 1 },
];

function usedBy({ jobs, lost }: SecretView): string {
  if (lost) return "its key is lost: set it again";
  const rest = jobs.length - JOBS_SHOWN_MAX;
  return jobs.length === 0 ? "-" : `${jobs.slice(0, JOBS_SHOWN_MAX).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const secretPlain = ({
  user,
  name,
  version,
  bytes,
  createdMs,
  changedMs,
  keyId,
  lost,
  jobs,
  labels,
}: SecretView): Readonly<Record<string, unknown>> => ({
  ...{ secret: `${user}/${name}`, user, name, secretVersion: version, bytes, created: iso(createdMs), changed: iso(changedMs) },
  ...{ keyId, isKeyLost: lost, jobs, labels: labelsPlain(labels) },
});

export async function secretRm(context: Context, named: string | undefined, options: ManyOptions): Promise<number> {
  const { user, ...others } = options;
  const text = nameOr(named, others);
  const owner = user ?? (await context.user());
  if (text === undefined || options.dryRun === true) return removeMany(context, owner, text, options);
  const { sentence, plain } = await removeOne(context, owner, plainName(text, "a secret"));
  context.tell(sentence, plain);
  return EXIT.done;
}

/** Those with such labels, or the one of that name. */
async function removeMany(context: Context, user: string, name: string | undefined, options: ManyOptions): Promise<number> {
  const selector = selectorOf(options);
  const found = await context.ask((client) => client.listSecrets({ user, selector }));
  const secrets = found.secrets.filter((secret) => name === undefined || secret.name === name);
  if (secrets.length === 0)
    throw new Failure(
      "notFound",
      name === undefined ? `There is no secret of ${user} with ${selector}` : `There is no secret ${user}/${name}`,
      "borg secret ls shows the labels of each",
    );
  const items = secrets.map((secret) => {
    const called = `${user}/${secret.name}`;
    return { line: called, plain: { secret: called, user, name: secret.name, position: null } };
  });
  if (!(await confirmed(context, { verb: "remove", total: plural(secrets.length, "secret"), items }, options))) return EXIT.done;
  return each(context, secrets, (secret) => removeOne(context, user, secret.name));
}

async function removeOne(context: Context, owner: string, name: string): Promise<Told> {
  const { position } = await change(context, `remove secret ${owner}/${name}`, (client, requestId) =>
    client.removeSecret({ requestId, user: owner, name }),
  );
  return { sentence: `Removed secret ${owner}/${name}`, plain: { secret: `${owner}/${name}`, user: owner, name, position } };
}

export async function secretRotateKey(context: Context): Promise<number> {
  let found = await context.ask((client) => client.rotateSecretKey({}));
  const { keyId } = found;
  let [waited, said] = [0, ""];
  // One that leads since may not have the new key yet.
  const waits = (): boolean => found.needed > 0 || found.keyId !== keyId;
  for (let rounds = 0; (found.left > 0 || waits()) && rounds < ROUNDS_MAX && waited < WAITS_MAX; rounds++) {
    const { left } = found;
    if (waits()) {
      if (heldText(found) !== said) context.terminal.complain(`Waiting until most masters have the new key: ${heldText(found)}\n`);
      said = heldText(found);
      waited += 1;
      await context.terminal.sleep(WAIT_MS);
    }
    found = await context.ask((client) => client.rotateSecretKey({ goOn: true }));
    if (found.left === left && !waits()) await context.terminal.sleep(200);
  }
  context.tell(waits() ? notUsedText(keyId, found) : usedText(found), {
    keyId,
    leftCount: found.left,
    lostCount: found.lost,
    isUsed: !waits(),
  });
  return found.left === 0 && !waits() ? EXIT.done : EXIT.refused;
}

type Rotated = Omit<RotateSecretKeyResponse, "$typeName">;

function usedText({ keyId, left, lost }: Rotated): string {
  const rest =
    left === 0
      ? "every secret is encrypted with it"
      : `${plural(left, "secret is", "secrets are")} still encrypted with an older one: ask again`;
  const gone =
    lost === 0
      ? ""
      : `; ${plural(lost, "secret", "secrets")} had lost ${lost === 1 ? "its" : "their"} key before and must be set again (borg secret ls)`;
  return `The key is ${keyId} now, and ${rest}${gone}`;
}

const heldText = ({ held, needed, masters }: Rotated): string =>
  needed === 0 ? "the one that leads now has not fetched it yet" : `${held} of ${masters} have it, ${needed} must`;

/** Nothing is lost by it, and nothing gained. */
const notUsedText = (keyId: string, found: Rotated): string =>
  `The new key ${keyId} is kept and not used: ${heldText(found)}. Secrets stay encrypted with the older one; see which master is away (borg status), and run borg secret rotate-key again when it is back`;
