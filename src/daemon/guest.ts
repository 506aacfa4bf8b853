/**
 * A machine from elsewhere: one borglet with a directory of its own, which asks a cell to join and then serves it over TLS. The directory keeps the machine's key,
 * its certificate, and how the cell proves itself; whoever owns it owns the machine. SIGTERM ends the borglet and leaves its tasks running; SIGUSR2 ends them too.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BorgletProcessOptions, runBorglet } from "../borglet/linux/machine.ts";
import { derOf, isFresh, type KeyAndCertificate, makeRequest, pemOf } from "../rpc/certificates.ts";
import { askToJoin, type JoinOutcome } from "../rpc/link-join.ts";
import type { DataDirectory } from "./data.ts";
import type { Described } from "./description.ts";
import { describedNow, watchDescription } from "./description-watch.ts";
import { idsOf } from "./host-ids.ts";
import { abilityOptions, type MachineShare } from "./machine-share.ts";
import { takeSite } from "./site.ts";

/** What `borg borglet --join` decided when the machine asked first. */
export interface GuestFile {
  readonly cell: string;
  readonly machine: string;
  /** Drawn then: what belongs to it on this host is known by it. */
  readonly id: string;
  /** Where the cell's masters take links, and the authorities (PEM) that prove them. */
  readonly host: string;
  readonly port: number;
  /** Where else; one after the other is dialled until a master answers. */
  readonly others?: readonly string[];
  readonly authorities: string[];
  /** What its owner says of it. */
  readonly described?: Described;
}

const FILE = "guest.json";

export const readGuest = (data: DataDirectory): GuestFile | undefined => data.readJson<GuestFile>(FILE);
export const writeGuest = (data: DataDirectory, guest: GuestFile): void => data.write(FILE, `${JSON.stringify(guest, null, 2)}\n`);

/** Between two questions: of a machine that waits for its approval, and where nobody answers. */
const AGAIN_MS = 3000;
/** Whether its certificate is old or not: the cell may have another authority meanwhile, and says so with the new one. */
const RENEW_MS = 6 * 3_600_000;
const KILL_NOTICE_MS = 5_000;

export interface GuestOptions {
  readonly data: DataDirectory;
  readonly guest: GuestFile;
  readonly share: MachineShare;
  /** Under which the ports of its tasks are reached. */
  readonly host: string;
  /** Shown once; empty: somebody has to approve it. */
  readonly token: string;
  /** Whose jobs alone may run where nothing keeps a task from this user; undefined: everybody's. */
  readonly onlyUser: string | undefined;
  /** It takes over a directory that came from elsewhere. */
  readonly adopt: boolean;
  readonly signal: AbortSignal;
  /** For people. */
  readonly say: (line: string) => void;
  readonly log: (line: string) => void;
}

/** The cell said no; asking again does not help. */
export class JoinError extends Error {}

export async function runGuest(options: GuestOptions): Promise<number> {
  const { data, guest, share, say, log, signal } = options;
  takeSite(data, guest, options.adopt);
  const had = data.read(`${nameOf(guest)}.pem`);
  const identity = await identityOf(options);
  if (identity === undefined) return 0;
  const ended = Promise.withResolvers<number>();
  const { cpuMilli, ramBytes, diskBytes, portFirst, portLast } = share;
  const borglet = await runBorglet({
    machine: guest.machine,
    cell: guest.cell,
    directory: data.machine(guest.machine),
    name: join(guest.id, "machines", guest.machine),
    master: atOf(guest),
    identity,
    authorities: guest.authorities,
    capacity: { cpuMilli, ramBytes, diskBytes },
    ports: { first: portFirst, last: portLast },
    host: options.host,
    cgroupParent: `borg-${createHash("sha256").update(guest.id).digest("hex").slice(0, 8)}-${guest.machine}`,
    ...uidsOf(guest, data),
    abilities: abilityOptions(process.env),
    description: describedNow(guest.described ?? {}, guest.machine, log),
    ...(options.onlyUser === undefined ? {} : { onlyUser: options.onlyUser }),
    log,
    crash: (error) => {
      log(`The borglet failed: ${error instanceof Error ? error.stack : String(error)}`);
      ended.resolve(70);
    },
  });
  const unwatch = watchDescription(guest.described ?? {}, guest.machine, (description) => borglet.describe(description), log);
  say(`Machine ${guest.machine} serves cell ${guest.cell}; Ctrl-C ends it, and its tasks go on`);
  const renewal = setInterval(() => void renewed(options, identity), RENEW_MS);
  if (identity.certificate === had) void renewed(options, identity);
  const stop = (): void => void borglet.stop().then(() => ended.resolve(0));
  signal.addEventListener("abort", stop);
  process.once("SIGTERM", stop);
  process.once("SIGUSR2", () => void borglet.killAll(KILL_NOTICE_MS).then(() => ended.resolve(0)));
  try {
    return await ended.promise;
  } finally {
    clearInterval(renewal);
    unwatch();
  }
}

function uidsOf({ id }: GuestFile, data: DataDirectory): Pick<BorgletProcessOptions, "uids"> {
  if (process.getuid?.() !== 0) return {};
  const { first, last } = idsOf(id, data.path);
  return { uids: { first: first + 1, last } };
}

/** A certificate may be replaced while its link is open: the next dial shows the new one. */
type Identity = { -readonly [K in keyof KeyAndCertificate]: KeyAndCertificate[K] };

/** Asks until the cell has decided. Undefined: it was told to stop before. */
async function identityOf(options: GuestOptions): Promise<Identity | undefined> {
  const { data, guest, say, signal } = options;
  const { key, request } = await requestOf(data, guest.machine);
  const kept = data.read(`${nameOf(guest)}.pem`);
  if (kept !== undefined && isFresh(kept, Date.now())) return { key, certificate: kept };
  let said = "";
  const sayOnce = (line: string): void => {
    if (line !== said) say(line);
    said = line;
  };
  while (!signal.aborted) {
    const answer = await askAny(options, request);
    if (answer.type === "joined") return { key, certificate: keep(options, answer) };
    if (answer.type === "refused") throw new JoinError(answer.reason);
    if (answer.type === "waiting") sayOnce(waitingWords(options, answer.key));
    else sayOnce(`Cannot reach a master of cell ${guest.cell} at ${guest.host}:${guest.port}: ${answer.reason}; trying again`);
    await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** With the key it has, which is approved: nobody has to be asked again. */
async function renewed(options: Pick<GuestOptions, "data" | "guest" | "token" | "share" | "log">, identity: Identity): Promise<void> {
  const { request } = await requestOf(options.data, options.guest.machine);
  const answer = await askAny(options, request);
  if (answer.type === "joined") identity.certificate = keep(options, answer);
  else options.log(`Its certificate could not be renewed: ${answer.type === "waiting" ? "it is no longer approved" : answer.reason}`);
}

const atOf = ({ host, others = [], port, cell, authorities }: GuestFile) =>
  ({ kind: "tls", host, others, port, cell, authorities }) as const;

type Asking = Pick<GuestOptions, "guest" | "token" | "share">;
type Joined = Extract<JoinOutcome, { readonly type: "joined" }>;

/** The first master that answers decides. */
async function askAny(options: Asking, request: string): Promise<JoinOutcome> {
  const { host, others = [] } = options.guest;
  let answer = await ask(options, host, request);
  for (const other of others) {
    if (answer.type !== "unreachable") return answer;
    answer = await ask(options, other, request);
  }
  return answer;
}

function ask({ guest, token, share }: Asking, host: string, request: string): Promise<JoinOutcome> {
  const { cpuMilli, ramBytes, diskBytes } = share;
  return askToJoin(
    { ...atOf(guest), host },
    { machine: guest.machine, request: derOf(request), token, capacity: { cpuMilli, ramBytes, diskBytes } },
  );
}

/** Both are used from the next dial on: whoever dials has the same list. */
function keep({ data, guest }: Pick<GuestOptions, "data" | "guest">, { certificate, authorities }: Joined): string {
  const believed = authorities.map((der) => pemOf(der, "CERTIFICATE"));
  if (believed.length > 0 && JSON.stringify(believed) !== JSON.stringify(guest.authorities)) {
    guest.authorities.splice(0, guest.authorities.length, ...believed);
    writeGuest(data, guest);
  }
  const pem = pemOf(certificate, "CERTIFICATE");
  data.write(`${nameOf(guest)}.pem`, pem);
  return pem;
}

const nameOf = ({ machine }: Pick<GuestFile, "machine">): string => join("machines", machine, "identity");

/** Made once, and kept: whoever approved it approved this key. */
async function requestOf(data: DataDirectory, machine: string): Promise<{ readonly key: string; readonly request: string }> {
  const name = nameOf({ machine });
  const [key, request] = [data.read(`${name}.key`), data.read(`${name}.csr`)];
  if (key !== undefined && request !== undefined) return { key, request };
  const made = await makeRequest(machine);
  data.write(`${name}.key`, made.key);
  data.write(`${name}.csr`, made.request);
  return made;
}

function waitingWords({ guest, share }: GuestOptions, key: string): string {
  const mib = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)}MiB`;
  const size = `--cpu ${share.cpuMilli / 1000} --ram ${mib(share.ramBytes)} --disk ${mib(share.diskBytes)}`;
  return `Machine ${guest.machine} waits for an approval: borg machine approve ${guest.machine} --fingerprint ${key} ${size}`;
}
