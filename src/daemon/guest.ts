/**
 * A machine from elsewhere: one borglet with a directory of its own, which asks a cell to join and then serves it over TLS. The directory keeps the machine's key,
 * its certificate, and how the cell proves itself; whoever owns it owns the machine. SIGTERM ends the borglet and leaves its tasks running; SIGUSR2 ends them too.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type BorgletProcessOptions, runBorglet } from "../borglet/linux/machine.ts";
import type { DataDirectory } from "./data.ts";
import { describedNow, watchDescription } from "./description-watch.ts";
import { atOf, type GuestFile } from "./guest-file.ts";
import { GuestIdentity, type GuestIdentityOptions, nameOf } from "./guest-identity.ts";
import { idsOf } from "./host-ids.ts";
import { abilityOptions } from "./machine-share.ts";
import { takeSite } from "./site.ts";

const KILL_NOTICE_MS = 5_000;

export interface GuestOptions extends Omit<GuestIdentityOptions, "nowMs"> {
  /** Under which the ports of its tasks are reached. */
  readonly host: string;
  /** Whose jobs alone may run where nothing keeps a task from this user; undefined: everybody's. */
  readonly onlyUser: string | undefined;
  /** It takes over a directory that came from elsewhere. */
  readonly adopt: boolean;
}

export async function runGuest(options: GuestOptions): Promise<number> {
  const { data, guest, share, say, log, signal } = options;
  takeSite(data, guest, options.adopt);
  const had = data.read(`${nameOf(guest)}.pem`);
  const keeper = new GuestIdentity({ ...options, nowMs: Date.now });
  const identity = await keeper.take();
  if (identity === undefined) return 0;
  const ended = Promise.withResolvers<number>();
  const { cpuMilli, ramBytes, diskBytes, portFirst, portLast } = share;
  const borglet = await runBorglet({
    machine: guest.machine,
    cell: guest.cell,
    directory: data.machine(guest.machine),
    name: join(guest.id, "machines", guest.machine),
    master: atOf(guest),
    hasOtherMasters: (guest.others ?? []).length > 0,
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
  keeper.keepNew(identity, identity.certificate === had);
  const stop = (): void => void borglet.stop().then(() => ended.resolve(0));
  signal.addEventListener("abort", stop);
  process.once("SIGTERM", stop);
  process.once("SIGUSR2", () => void borglet.killAll(KILL_NOTICE_MS).then(() => ended.resolve(0)));
  try {
    return await ended.promise;
  } finally {
    keeper.stop();
    unwatch();
  }
}

function uidsOf({ id }: GuestFile, data: DataDirectory): Pick<BorgletProcessOptions, "uids"> {
  if (process.getuid?.() !== 0) return {};
  const { first, last } = idsOf(id, data.path);
  return { uids: { first: first + 1, last } };
}
