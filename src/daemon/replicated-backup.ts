/**
 * A backup of a cell whose journal is in etcd, and back. The state is built as a replica builds it: from a snapshot on this machine's disk and the entries behind it. A restore
 * makes an etcd that begins behind the backup's position, with one member for each replica of this machine; of a cell on several machines the others join anew.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { constants, existsSync, lchownSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { applyEntry, newState } from "../cell/cell.ts";
import { encodeCheckpoint } from "../cell/checkpoint/checkpoint.ts";
import { decodeCheckpoint } from "../cell/checkpoint/decode.ts";
import { decodeEntry, encodeEntry, makeEntry } from "../cell/op.ts";
import type { CellState } from "../cell/state.ts";
import { CERTIFICATE_MS, SHORT_MS } from "../rpc/certificates.ts";
import { newNativeSha256 } from "../shell/native-sha256.ts";
import { Keys as EtcdNames, encodeFirst, encodeHead, encodeTermed } from "../store/etcd/keys.ts";
import type { Answer, Etcd } from "../store/etcd/port.ts";
import { type Page, readPage } from "../store/etcd/reading.ts";
import { EtcdClient } from "../store/etcd-client.ts";
import { FilesDisk } from "../store/files.ts";
import { Snapshots } from "../store/log/snapshot.ts";
import { type End, keysIn } from "./backup.ts";
import type { Backup } from "./backup-file.ts";
import { type CellFile, type DataDirectory, newCellId } from "./data.ts";
import { DataError } from "./data-error.ts";
import { FIRST_DESCRIPTOR } from "./descriptors.ts";
import { EtcdKeys } from "./etcd-keys.ts";
import { ETCD, memberArgs } from "./etcd-member.ts";
import { idsOf } from "./host-ids.ts";
import { Keys } from "./keys.ts";
import { etcdUrls, hostsOf, ownReplicasOf, replicasOf, snapshotsOf } from "./replicas.ts";
import { type Above, aboveOf, type Restored, refuseOther, restoringOps, stateOf } from "./restore.ts";

const PAGE_BYTES = 8 * 2 ** 20;
const TRIES_MAX = 3;
const ETCD_MS = 60_000;
const STOP_MS = 10_000;
/** Machines elsewhere may have obeyed later terms, and run later instances, than the backup knows; nobody asks them, so there is room for more than there can be. */
const AHEAD = 1_000_000;
/** Of the machine that the backup was taken on. */
const OWN_KEYS = ["master/master.key", "master/master.pem"];

export async function takeReplicatedBackup(data: DataDirectory, cell: CellFile, end: End, nowMs: number): Promise<Backup> {
  const etcd = new EtcdClient({ urls: etcdUrls(cell), tls: new EtcdKeys(data).client(), deadlineMs: STOP_MS });
  try {
    const state = await stateAt(data, cell, end.position, etcd);
    const { bytes, hash } = encodeCheckpoint(state, newNativeSha256);
    if (end.hash !== undefined && end.hash !== hash)
      throw new DataError(
        `The journal in etcd makes another state than the cell has at position ${end.position}`,
        "take the backup on another machine of the cell, and look at this one's snapshots",
      );
    return { cell, position: end.position, term: end.term, hash, takenMs: nowMs, keys: keysIn(data), checkpoint: bytes };
  } finally {
    etcd.close();
  }
}

/** Entries may be trimmed while they are read; a newer snapshot is there then. */
async function stateAt(data: DataDirectory, cell: CellFile, position: number, etcd: Etcd): Promise<CellState> {
  let reason = "";
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const state = newestBefore(data, cell, position);
    const page = await caughtUp(state, cell, position, etcd);
    if (page === undefined) return state;
    reason = page;
  }
  throw new DataError(`Cannot read the journal in etcd: ${reason}`, "try again; borg status shows how etcd is");
}

/** Undefined when the state is there; else why not. */
async function caughtUp(state: CellState, cell: CellFile, position: number, etcd: Etcd): Promise<string | undefined> {
  const names = new EtcdNames(cell.cell);
  while (state.position < position) {
    const page = await new Promise<Page>((then) => readPage(etcd, names, state.position + 1, PAGE_BYTES, then));
    if (page.type !== "page") return page.reason;
    if (page.entries.length === 0) return `it ends at position ${state.position}, not at ${position}`;
    for (const { position: at, payload } of page.entries.filter((entry) => entry.position <= position)) {
      const entry = decodeEntry(payload);
      if (!entry.ok) return entry.reason;
      applyEntry(state, at, entry.value);
    }
  }
  return undefined;
}

function newestBefore(data: DataDirectory, cell: CellFile, position: number): CellState {
  const found = replicasOf(cell).flatMap((replica) => {
    const directory = snapshotsOf(data.replicas, replica);
    return existsSync(directory) ? inDirectory(directory, cell.cell, position) : [];
  });
  return found.sort((a, b) => b.position - a.position)[0] ?? newState();
}

function inDirectory(directory: string, cell: string, atMost: number): readonly CellState[] {
  const disk = new FilesDisk(directory);
  try {
    const snapshots = new Snapshots(disk, cell);
    for (const position of snapshots.positions().filter((each) => each <= atMost)) {
      const loaded = snapshots.load(position);
      const decoded = loaded.ok ? decodeCheckpoint(loaded.value.payload, newNativeSha256) : undefined;
      if (decoded?.ok === true) return [decoded.value];
    }
    return [];
  } finally {
    disk.close();
  }
}

/** `address`: of this machine, for a cell on several. Whoever calls holds the directory's lock. */
export async function restoreReplicated(
  data: DataDirectory,
  backup: Backup,
  address: string | undefined,
  mayStop: boolean,
): Promise<Restored> {
  const state = stateOf(backup);
  refuseOther(data, backup);
  if (ownReplicasOf(backup.cell).some((member) => existsSync(join(data.path, "etcd", String(member), "data"))))
    throw new DataError(`"${data.path}" holds an etcd, which a restore would forget`, "choose an empty directory with --data");
  const { unknown, ...least } = aboveOf(data, backup, state, mayStop);
  const above: Above = { term: least.term + AHEAD, incarnations: least.incarnations + AHEAD };
  const own = backup.cell.spread === undefined ? [] : OWN_KEYS;
  for (const [name, text] of Object.entries(backup.keys)) if (!own.includes(name) && data.read(name) === undefined) data.write(name, text);
  const cell = await cellFor(data, backup.cell, address);
  await makeKeys(data, cell);
  for (const replica of ownReplicasOf(cell)) saveSnapshot(data, cell, replica, backup);
  await makeEtcd(data, cell, backup.position, above, state);
  data.writeCell(cell);
  return { position: backup.position, hash: backup.hash, term: above.term, unknown };
}

/** Of several machines this one is the first again, under the address that it has now. */
async function cellFor(data: DataDirectory, was: CellFile, address: string | undefined): Promise<CellFile> {
  const id = data.readCell()?.id ?? newCellId();
  if (was.spread === undefined || address === undefined) return { ...was, id };
  const spread = { self: 1, masters: [{ replica: 1, host: address, key: "" }] };
  const cell = { ...was, id, host: address, replicas: 1, spread };
  const keys = new Keys(data, cell.cell, 1);
  await keys.prepare(hostsOf(cell), [], Date.now());
  return { ...cell, spread: { self: 1, masters: [{ replica: 1, host: address, key: keys.fingerprint() }] } };
}

async function makeKeys(data: DataDirectory, cell: CellFile): Promise<void> {
  const lifeMs = cell.spread === undefined ? CERTIFICATE_MS : SHORT_MS;
  await new EtcdKeys(data).prepare({ cell: cell.cell, host: cell.host, lifeMs }, ownReplicasOf(cell), Date.now());
}

function saveSnapshot(data: DataDirectory, cell: CellFile, replica: number, { position, checkpoint }: Backup): void {
  const directory = snapshotsOf(data.replicas, replica);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const disk = new FilesDisk(directory);
  const saved = new Snapshots(disk, cell.cell).save({ position, payload: checkpoint });
  disk.close();
  if (!saved.ok) throw new DataError(`Cannot write the state: ${saved.reason}`, "make room and try again");
  const uid = uidOf(data, cell);
  if (uid === undefined) return;
  for (const path of [data.replica(replica), directory, ...readdirSync(directory).map((name) => join(directory, name))])
    lchownSync(path, uid, uid);
}

const uidOf = (data: DataDirectory, cell: CellFile): number | undefined =>
  process.getuid?.() === 0 ? idsOf(cell.id, data.path).first : undefined;

/** Its members run only while the beginning of the journal is written. */
async function makeEtcd(data: DataDirectory, cell: CellFile, position: number, above: Above, state: CellState): Promise<void> {
  const members = ownReplicasOf(cell).map((member) => startMember(data, cell, member));
  const etcd = new EtcdClient({ urls: etcdUrls(cell), tls: new EtcdKeys(data).client() });
  try {
    await begin(etcd, cell, position, above, state);
  } finally {
    etcd.close();
    await Promise.all(members.map(ended));
  }
}

function startMember(data: DataDirectory, cell: CellFile, member: number): ChildProcess {
  const directory = data.etcdMember(member);
  const uid = uidOf(data, cell);
  if (uid !== undefined)
    for (const path of [directory, ...readdirSync(directory).map((name) => join(directory, name))]) lchownSync(path, uid, uid);
  const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  const log = openSync(join(data.logs, `etcd-${member}.log`), "a", 0o600);
  const user = uid === undefined ? {} : { uid, gid: uid };
  return spawn(ETCD, [...memberArgs(cell, member, `/proc/self/fd/${FIRST_DESCRIPTOR}`)], {
    stdio: ["ignore", log, log, fd],
    cwd: "/",
    ...user,
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await gone;
  clearTimeout(timer);
}

/** One transaction, guarded by an empty journal: asked again until it is answered, it is done once. */
async function begin(etcd: Etcd, cell: CellFile, position: number, { term, incarnations }: Above, state: CellState): Promise<void> {
  const names = new EtcdNames(cell.cell);
  const [at, led] = [position + 1, term + 1];
  const entry = encodeEntry(makeEntry(state.timeMs, restoringOps(state, incarnations)));
  const puts = [
    { type: "put", key: names.entry(at), value: encodeTermed(led, entry) },
    { type: "put", key: names.first, value: encodeFirst(at) },
    { type: "put", key: names.head, value: encodeHead({ term: led, position: at }) },
  ] as const;
  const question = { type: "txn", guards: [{ key: names.head, created: 0 }], ops: puts, otherwise: [] } as const;
  for (const until = Date.now() + ETCD_MS; Date.now() < until; await sleep(500)) {
    const answer = await new Promise<Answer>((then) => etcd.ask(question, then));
    if (answer.type === "txn") return;
  }
  throw new DataError("The cell's etcd does not start", "its log is in the directory log of the cell: etcd-1.log");
}
