/** `borg authority show`, `renew` and `retire`: whose certificates the cell believes, and how that is exchanged. Its owner says so on the machine of a master. */
import { createPublicKey, X509Certificate } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AuthorityChange, type AuthorityStep, authorityId } from "../../daemon/authority-change.ts";
import { type AuthorityNote, beginNote } from "../../daemon/authority-note.ts";
import { type CellFile, type DataDirectory, isAlive, type MasterSeat, type Spread } from "../../daemon/data.ts";
import { EtcdKeys } from "../../daemon/etcd-keys.ts";
import { Keys } from "../../daemon/keys.ts";
import { certificateOf, type PeerAddress } from "../../daemon/peer/client.ts";
import { etcdUrls, peerPort } from "../../daemon/replicas.ts";
import { Roster } from "../../daemon/roster.ts";
import { isOf, makeAuthority } from "../../rpc/certificates.ts";
import { EtcdClient } from "../../store/etcd-client.ts";
import { cellHere } from "../cell-here.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { fieldsText } from "../text/table.ts";
import { iso } from "../text/units.ts";

export interface AuthorityOptions {
  readonly data?: string;
}

export interface RetireOptions extends AuthorityOptions {
  readonly anyway?: boolean;
}

/** Masters start anew one after the other. */
const TURNED_MS = 180_000;
const HERE_MS = 30_000;
/** So long a retirement waits for machines before it is refused. */
const SETTLED_MS = 90_000;
const LOOK_MS = 1000;
const PATIENCE_MS = 5000;
const SHOWN_DIGITS = 16;

interface Here {
  readonly data: DataDirectory;
  readonly cell: CellFile;
  readonly keys: Keys;
  readonly change: AuthorityChange;
}

/** What else a cell on several machines has. */
interface Several extends Here {
  readonly spread: Spread;
  readonly roster: Roster;
}

export async function authorityShow(context: Context, options: AuthorityOptions): Promise<number> {
  const here = hereAt(context, options);
  const { cell, keys, change } = here;
  const [newest] = keys.authorities();
  const { validFrom, validTo } = new X509Certificate(newest!);
  const left = change.step === "one" ? undefined : await leftIn(context, here);
  const plain = {
    ...{ cell: cell.cell, step: change.step, id: authorityId(newest!) },
    since: iso(Date.parse(validFrom)),
    until: iso(Date.parse(validTo)),
    machinesLeft: left?.machines ?? null,
    machinesAway: left?.away ?? null,
  };
  if (context.json) context.printJson(plain);
  else
    context.terminal.print(
      fieldsText([
        ["cell", plain.cell],
        ["authority", `${plain.id.slice(0, SHOWN_DIGITS)}, good until ${plain.until}`],
        ["state", stepWords(change.step, left)],
      ]),
    );
  return EXIT.done;
}

/** The first step: from now on both are believed, and machines get certificates of the new one. */
export async function authorityRenew(context: Context, options: AuthorityOptions): Promise<number> {
  const here = hereAt(context, options);
  const { cell, change, data } = here;
  if (change.step !== "one") throw busy(change.step);
  const next = await makeAuthority(cell.cell, context.terminal.now());
  if (cell.spread === undefined) {
    change.take(next);
    readAnew(data);
  } else
    await several(here, cell.spread, async ({ roster, spread }) => {
      const { authority, masters } = await roster.read();
      if (authority !== undefined && authority.step !== "one") throw busy(authority.step);
      const note = beginNote(cell.cell, next, await keysOf(here, spread, masters));
      await roster.write(note);
      await untilHere(context, here, note.id);
    });
  context.tell(
    `Cell ${cell.cell} gets a new authority. Both are believed now, and machines ask for their new certificates by themselves within six hours: borg authority show. Give users new tickets (borg token create), then end the old one: borg authority retire`,
    { cell: cell.cell, id: authorityId(next.certificate) },
  );
  return EXIT.done;
}

/** The `borg up` of every machine looks every few seconds what the note says. */
async function untilHere(context: Context, { change }: Here, id: string): Promise<void> {
  for (const end = context.terminal.now() + HERE_MS; context.terminal.now() < end; await sleep(LOOK_MS))
    if (change.newest !== undefined && authorityId(change.newest) === id) return;
  throw new Failure(
    "unreachable",
    "The new authority was handed out, and this machine has not taken it",
    "is borg up running here? Its log says more; borg authority show says how far it is",
  );
}

/** The last steps: the new one signs everything, and then nothing of the old one is believed. */
export async function authorityRetire(context: Context, options: RetireOptions): Promise<number> {
  const here = hereAt(context, options);
  const { cell, change, data } = here;
  if (change.step === "one")
    throw new Failure(
      "refused",
      `Cell "${cell.cell}" has one authority, which nothing takes the place of`,
      "borg authority renew makes the next one",
    );
  if (options.anyway !== true && isUp(data)) await untilNobodyIsLeft(context, here);
  if (cell.spread === undefined) {
    change.turn();
    change.end();
    readAnew(data);
  } else await several(here, cell.spread, (there) => retireTogether(context, there));
  context.tell(`The old authority of cell ${cell.cell} is not believed any more; tickets that were made before the new one open nothing`, {
    cell: cell.cell,
    id: authorityId(here.keys.authorities()[0]!),
  });
  return EXIT.done;
}

/** Only when every master shows a certificate of the new one, the old one goes. */
async function retireTogether(context: Context, { roster, keys, spread, cell }: Several): Promise<void> {
  const { authority: note, masters } = await roster.read();
  const newest = keys.authorities()[0]!;
  if (note === undefined || note.id !== authorityId(newest))
    throw new Failure("refused", "This machine does not have the cell's new authority yet", "ask again in some seconds");
  await roster.write({ ...note, step: "ending" } satisfies AuthorityNote);
  let late: readonly number[] = [];
  for (const end = context.terminal.now() + TURNED_MS; context.terminal.now() < end; await sleep(LOOK_MS)) {
    late = await notTurned(keys, cell, spread, masters, newest);
    if (late.length === 0) return roster.write({ step: "one", id: note.id, sealed: {} });
  }
  throw new Failure(
    "unreachable",
    `Master ${late.join(", ")} shows no certificate of the new authority yet; both are still believed`,
    "borg status says who is away: bring it back or borg replica remove it, and ask again",
  );
}

async function notTurned(
  keys: Keys,
  cell: CellFile,
  spread: Spread,
  masters: readonly MasterSeat[],
  newest: string,
): Promise<readonly number[]> {
  const asked = masters.map(async (seat) => {
    if (seat.replica === spread.self) return isOf(keys.master().certificate, newest) ? [] : [seat.replica];
    const shown = await certificateOf(addressOf(keys, cell, seat)).catch(() => undefined);
    return shown !== undefined && isOf(shown, newest) ? [] : [seat.replica];
  });
  return (await Promise.all(asked)).flat();
}

/** The public keys that masters of the roster show: all must be there, or who is away would be left out for good. */
async function keysOf({ keys, cell }: Here, spread: Spread, masters: readonly MasterSeat[]): Promise<ReadonlyMap<number, Uint8Array>> {
  const all = masters.map(async (seat): Promise<readonly [number, Uint8Array]> => {
    if (seat.replica === spread.self) return [seat.replica, spki(keys.master().key)];
    const shown = await certificateOf(addressOf(keys, cell, seat)).catch((cause: unknown) => {
      throw new Failure(
        "unreachable",
        `Master ${seat.replica} at ${seat.host} does not answer, and could not be handed the new authority`,
        "bring it back, or take it out first: borg replica remove",
        { cause },
      );
    });
    return [seat.replica, shown.publicKey.export({ type: "spki", format: "der" })];
  });
  return new Map(await Promise.all(all));
}

const spki = (key: string): Uint8Array => createPublicKey(key).export({ type: "spki", format: "der" });

const addressOf = (keys: Keys, cell: CellFile, { host, key }: MasterSeat): PeerAddress => ({
  ...{ cell: cell.cell, host, key, port: peerPort(cell) },
  authorities: keys.authorities(),
  own: keys.master(),
});

/** Linked machines whose certificate the old one signed, and those that are away; undefined: the master that leads does not know the new one yet. */
interface Left {
  readonly machines: number | undefined;
  readonly away: number;
}

async function leftIn(context: Context, { keys }: Here): Promise<Left> {
  const [master, cell] = [await context.ask((client) => client.getMaster({})), await context.ask((client) => client.getCell({}))];
  const isKnown = master.authority === authorityId(keys.authorities()[0]!);
  return { machines: isKnown ? master.linksFormer : undefined, away: cell.machines - cell.machinesReachable };
}

/** Right after `renew` masters and their own machines are just being started anew. */
async function untilNobodyIsLeft(context: Context, here: Here): Promise<void> {
  let problem = "";
  for (const end = context.terminal.now() + SETTLED_MS; context.terminal.now() < end; await sleep(LOOK_MS)) {
    problem = problemOf(await leftIn(context, here));
    if (problem === "") return;
  }
  throw new Failure(
    "refused",
    problem,
    "machines ask by themselves within six hours: borg authority show. Or leave them out, and give them new tickets then: --anyway",
  );
}

function problemOf({ machines, away }: Left): string {
  if (machines === undefined) return "The master that leads does not know the new authority yet";
  if (machines > 0) return `${machines} machines have certificates of the old authority only`;
  return away > 0 ? `${away} machines are away, and may have certificates of the old authority only` : "";
}

function stepWords(step: AuthorityStep, left: Left | undefined): string {
  if (step === "one") return "it is the only one";
  const machines =
    left?.machines === undefined ? "the leader does not know it yet" : `${left.machines} linked machines have not asked for theirs yet`;
  const away = left === undefined || left.away === 0 ? "" : `, ${left.away} are away`;
  return `${step === "both" ? "it is new, and the old one is believed too" : "the old one is being retired"}: ${machines}${away}`;
}

const busy = (step: AuthorityStep): Failure =>
  new Failure(
    "refused",
    `The cell exchanges its authority already (${step === "both" ? "both are believed" : "the old one is being retired"})`,
    "borg authority retire ends the old one",
  );

const isUp = (data: DataDirectory): boolean => {
  const run = data.readRun();
  return run !== undefined && isAlive(run.supervisor);
};

/** Of a cell that is down the next `borg up` does it. */
function readAnew(data: DataDirectory): void {
  if (isUp(data)) process.kill(data.readRun()!.supervisor.pid, "SIGHUP");
}

async function several(here: Here, spread: Spread, act: (there: Several) => Promise<void>): Promise<void> {
  const { data, cell } = here;
  const etcd = new EtcdClient({ urls: etcdUrls(cell), tls: new EtcdKeys(data).client(), deadlineMs: PATIENCE_MS });
  try {
    await act({ ...here, spread, roster: new Roster(etcd, cell.cell) });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("unreachable", (error as Error).message, "a majority of the cell's masters must be up: borg status", {
      cause: error,
    });
  } finally {
    etcd.close();
  }
}

function hereAt(context: Context, options: AuthorityOptions): Here {
  const { data, cell } = cellHere(context, options.data);
  return { data, cell, keys: new Keys(data, cell.cell, cell.spread?.self), change: new AuthorityChange(data) };
}
