/**
 * What a master needs on its own disk and another one has: the keys of secrets from any, the bytes of packages from the one that leads, and a snapshot from any when its
 * own are older than the journal in etcd goes back. Everything is checked before it gets its name, and nothing that is there is written over.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FilesDisk } from "../../store/files.ts";
import { SNAPSHOT_BYTES_MAX, Snapshots } from "../../store/log/snapshot.ts";
import type { CellFile } from "../data.ts";
import { KEY_FILE, NO_KEYS, ringOf } from "../key-ring.ts";
import { type PeerKeys, type PeerRing, readPeerKeys, writePeerKeys } from "../peer-keys.ts";
import { snapshotsOf } from "../replicas.ts";
import { askPeer, fetchFile, type PeerAddress, PeerRefusal } from "./client.ts";

export interface MirrorParts {
  readonly cell: CellFile;
  readonly self: number;
  /** Directories, as this process reaches them. */
  readonly replicas: string;
  readonly packages: string;
  readonly secrets: string;
  readonly log: (line: string) => void;
}

const DIGEST = /^[0-9a-f]{64}$/;
const SNAPSHOT = /^[0-9]{16}\.snap$/;
const PACKAGE_BYTES_MAX = 64 * 2 ** 30;
const NOT_FOUND = 404;
/** Packages that are fetched at one look. */
const PACKAGES_AT_ONCE = 16;
const TEMPORARY = ".fetched";

/** What others may fetch here; undefined: there is no such thing. */
export function filesOf(parts: MirrorParts, area: string): readonly string[] | undefined {
  const { packages, replicas, self } = parts;
  const names = (directory: string, pattern: RegExp): readonly string[] =>
    existsSync(directory) ? readdirSync(directory).filter((name) => pattern.test(name)) : [];
  if (area === "packages") return names(packages, DIGEST);
  if (area === "snapshots") return names(snapshotsOf(replicas, self), SNAPSHOT);
  return area === "secrets" ? [KEY_FILE] : undefined;
}

export function pathOf(parts: MirrorParts, area: string, name: string): string | undefined {
  const { packages, replicas, secrets, self } = parts;
  if (area === "packages" && DIGEST.test(name)) return join(packages, name);
  if (area === "snapshots" && SNAPSHOT.test(name)) return join(snapshotsOf(replicas, self), name);
  return area === "secrets" && name === KEY_FILE ? join(secrets, KEY_FILE) : undefined;
}

/** From the one that leads: only it takes packages. */
export async function mirrorLeader(parts: MirrorParts, leader: PeerAddress): Promise<void> {
  const [there, here] = [await askPeer<readonly string[]>(leader, "/files/packages"), new Set(filesOf(parts, "packages"))];
  for (const digest of there.filter((name) => DIGEST.test(name) && !here.has(name)).slice(0, PACKAGES_AT_ONCE)) {
    const fetched = join(parts.packages, `${digest}${TEMPORARY}`);
    rmSync(fetched, { force: true });
    const found = await fetchFile(leader, `/files/packages/${digest}`, fetched, PACKAGE_BYTES_MAX);
    if (found === digest) renameSync(fetched, join(parts.packages, digest));
    else rmSync(fetched, { force: true });
  }
}

/**
 * From every other master: the one that leads may be new, and not have what another one made before. They are put beside the own keys; the vault, which alone writes those,
 * takes from there what it lacks.
 */
export async function gatherKeys({ secrets }: MirrorParts, peers: ReadonlyMap<number, PeerAddress>, look: number): Promise<void> {
  const known: PeerKeys["peers"] = readPeerKeys(secrets)?.peers ?? new Map();
  const rings = await Promise.all([...peers].map(async ([replica, peer]) => [replica, await keysAt(peer, known.get(replica))] as const));
  writePeerKeys(secrets, { look, masters: peers.size + 1, peers: new Map(rings) });
}

/** Keys of one that does not answer are kept: it may never answer again. */
async function keysAt(peer: PeerAddress, known: PeerRing | undefined): Promise<PeerRing> {
  try {
    const ring = ringOf(await askPeer<unknown>(peer, `/files/secrets/${KEY_FILE}`));
    if (ring !== undefined) return { ...ring, answers: true };
  } catch (error) {
    if (error instanceof PeerRefusal && error.status === NOT_FOUND) return { ...NO_KEYS, answers: true };
  }
  return { ...(known ?? NO_KEYS), answers: false };
}

/** Undefined: none that goes on from where the journal in etcd begins is needed, or there. */
export async function fetchSnapshot(
  parts: MirrorParts,
  first: number,
  peers: ReadonlyMap<number, PeerAddress>,
): Promise<number | undefined> {
  const own = [parts.self, ...peers.keys()].flatMap((replica) => positionsIn(parts, replica));
  if (first === 1 || own.some((position) => position + 1 >= first)) return undefined;
  for (const [replica, peer] of peers) {
    const names = await askPeer<readonly string[]>(peer, "/files/snapshots").catch(() => []);
    const newest = names
      .filter((name) => SNAPSHOT.test(name) && Number.parseInt(name, 10) + 1 >= first)
      .sort()
      .at(-1);
    if (newest !== undefined && (await fetchOne(parts, replica, peer, newest))) return Number.parseInt(newest, 10);
  }
  return undefined;
}

/** Kept under the replica that it is from; its shelf is asked when this replica's own has nothing. */
async function fetchOne(parts: MirrorParts, replica: number, peer: PeerAddress, name: string): Promise<boolean> {
  const directory = snapshotsOf(parts.replicas, replica);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const fetched = join(directory, `${name}${TEMPORARY}`);
  rmSync(fetched, { force: true });
  await fetchFile(peer, `/files/snapshots/${name}`, fetched, SNAPSHOT_BYTES_MAX + 4096);
  renameSync(fetched, join(directory, name));
  const disk = new FilesDisk(directory);
  try {
    const loaded = new Snapshots(disk, parts.cell.cell).load(Number.parseInt(name, 10));
    if (loaded.ok) parts.log(`Fetched the snapshot at ${Number.parseInt(name, 10)} from replica ${replica}`);
    else rmSync(join(directory, name));
    return loaded.ok;
  } finally {
    disk.close();
  }
}

function positionsIn({ replicas }: MirrorParts, replica: number): readonly number[] {
  const directory = snapshotsOf(replicas, replica);
  return existsSync(directory)
    ? readdirSync(directory)
        .filter((name) => SNAPSHOT.test(name))
        .map((name) => Number.parseInt(name, 10))
    : [];
}
