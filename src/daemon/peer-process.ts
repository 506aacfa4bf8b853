/**
 * The process with which the masters of several machines reach each other: it answers at the port of masters, leads connections on to replicas elsewhere, compares
 * clocks, and fetches what this machine lacks. It reads every key that it needs as the owner, and is then nobody who could read another.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { keyOf, x509 } from "../rpc/certificates.ts";
import { EtcdClient } from "../store/etcd-client.ts";
import { EtcdCluster } from "../store/etcd-cluster.ts";
import { CHANGE_FILES } from "./authority-change.ts";
import { become, reached } from "./become.ts";
import type { CellFile, DataDirectory, MasterSeat, Spread } from "./data.ts";
import { inherited } from "./descriptors.ts";
import { EtcdKeys } from "./etcd-keys.ts";
import { hasKeys, KEY_FILE } from "./key-ring.ts";
import { Keys } from "./keys.ts";
import { admitMaster } from "./peer/admission.ts";
import { SHARED_FILES, type SharedFiles } from "./peer/bundle.ts";
import { askPeer, type PeerAddress } from "./peer/client.ts";
import { aheadOf, writeClocks } from "./peer/clocks.ts";
import { Doors } from "./peer/doors.ts";
import { fetchSnapshot, filesOf, gatherKeys, type MirrorParts, mirrorLeader, pathOf } from "./peer/mirror.ts";
import { PeerServer } from "./peer/server.ts";
import { etcdUrls, peerPort, replicaSocket } from "./replicas.ts";
import { type Listed, Roster } from "./roster.ts";

const LOOK_MS = 2000;
/** Every so many looks packages that the leader has are fetched. */
const MIRROR_EVERY = 3;

class PeerProcess {
  readonly #cell: CellFile;
  readonly #spread: Spread;
  readonly #parts: MirrorParts;
  readonly #roster: Roster;
  readonly #log: (line: string) => void;
  readonly #address: (seat: MasterSeat) => PeerAddress;
  #masters: readonly MasterSeat[];
  #looks = 0;
  #said = "";

  constructor(cell: CellFile, spread: Spread, parts: MirrorParts, roster: Roster, address: (seat: MasterSeat) => PeerAddress) {
    this.#cell = cell;
    this.#spread = spread;
    this.#parts = parts;
    this.#roster = roster;
    this.#log = parts.log;
    this.#address = address;
    this.#masters = spread.masters;
  }

  get masters(): readonly MasterSeat[] {
    return this.#masters;
  }

  get others(): ReadonlyMap<number, PeerAddress> {
    return new Map(this.#masters.flatMap((seat) => (seat.replica === this.#spread.self ? [] : [[seat.replica, this.#address(seat)]])));
  }

  /** Each part by itself: while etcd is away clocks are still compared. */
  async look(): Promise<void> {
    this.#looks += 1;
    await Promise.all([this.#clocks(), this.#keys()]);
    try {
      const listed = await this.#roster.read();
      if (listed.masters.length > 0) this.#masters = listed.masters;
      await fetchSnapshot(this.#parts, listed.first, this.others);
      if (this.#looks % MIRROR_EVERY === 1) await this.#mirror(listed);
      this.#said = "";
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      if (words !== this.#said) this.#log(`Cannot look after the other masters: ${words}`);
      this.#said = words;
    }
  }

  async #mirror({ leader }: Listed): Promise<void> {
    const at = leader === undefined ? undefined : this.others.get(leader);
    if (at !== undefined) await mirrorLeader(this.#parts, at);
  }

  async #keys(): Promise<void> {
    try {
      await gatherKeys(this.#parts, this.others, this.#looks);
    } catch (error) {
      this.#log(`Cannot write down the keys of the other masters: ${(error as Error).message}`);
    }
  }

  async #clocks(): Promise<void> {
    const measured = await Promise.all([...this.others].map(async ([replica, at]) => [replica, await aheadAt(at)] as const));
    const aheadMs = Object.fromEntries(measured.flatMap(([replica, ahead]) => (ahead === undefined ? [] : [[String(replica), ahead]])));
    try {
      writeClocks(join(this.#parts.replicas, String(this.#spread.self)), { look: this.#looks, aheadMs });
    } catch (error) {
      this.#log(`Cannot write down the clocks of cell ${this.#cell.cell}: ${(error as Error).message}`);
    }
  }
}

/** Undefined: it does not answer. */
async function aheadAt(at: PeerAddress): Promise<number | undefined> {
  try {
    const sentMs = Date.now();
    const { nowMs } = await askPeer<{ readonly nowMs: number }>(at, "/clock");
    return Number.isFinite(nowMs) ? aheadOf(nowMs, sentMs, Date.now()) : undefined;
  } catch {
    return undefined;
  }
}

/** The internal command: runs until it is told to stop. */
export async function runPeer(data: DataDirectory, uid: number | undefined): Promise<number> {
  const cell = data.readCell();
  const log = (line: string): void => void process.stderr.write(`${new Date().toISOString()} ${line}\n`);
  if (cell?.spread === undefined) {
    log(`There is no cell on several machines in "${data.path}": borg init makes one`);
    return 2;
  }
  const { spread } = cell;
  const keys = new Keys(data, cell.cell, spread.self);
  const [own, authorities, tls] = [keys.master(), keys.authorities(), new EtcdKeys(data).client()];
  const changing = CHANGE_FILES.flatMap((name) => [data.read(name)].flatMap((text) => (text === undefined ? [] : [[name, text]])));
  const shared = Object.fromEntries([...SHARED_FILES.map((name) => [name, data.read(name) ?? ""]), ...changing]);
  await x509();
  const [packages, secrets] = [reached(data.packages), reached(data.secrets)];
  const replicas = uid === undefined ? data.replicas : become(uid, data.replicas, data.packages, data.secrets);
  const parts: MirrorParts = { cell, self: spread.self, replicas, packages, secrets, log };
  const etcd = new EtcdClient({ urls: etcdUrls(cell), tls });
  const roster = new Roster(etcd, cell.cell);
  const address = ({ host, key }: MasterSeat): PeerAddress => ({ cell: cell.cell, host, port: peerPort(cell), authorities, key, own });
  const peer = new PeerProcess(cell, spread, parts, roster, address);
  const files = (): SharedFiles | undefined =>
    hasKeys(secrets) ? { ...shared, [join("secrets", KEY_FILE)]: readFileSync(join(secrets, KEY_FILE), "utf8") } : undefined;
  const cluster = new EtcdCluster(etcdUrls(cell), tls);
  const server = new PeerServer({
    ...{ cell: cell.cell, tls: own, authorities, log },
    masters: () => peer.masters,
    join: (request) => admitMaster({ cell, roster, cluster, files, now: Date.now }, request),
    list: (area) => filesOf(parts, area),
    file: (area, name) => pathOf(parts, area, name),
    socket: (name) => {
      const found = (["api", "link", "shard"] as const).find((each) => name === `/${each}`);
      return found === undefined ? undefined : replicaSocket(replicas, spread.self, found);
    },
  });
  const handed = inherited(process.env).find(({ name }) => name === "peer");
  await server.listen(handed === undefined ? { host: cell.host, port: peerPort(cell) } : { fd: handed.fd });
  const doors = new Doors(replicas);
  for (const [replica, at] of peer.others) await doors.open(replica, at);
  log(
    `Master ${spread.self} (${keyOf(new X509Certificate(own.certificate)).slice(0, 12)}) answers masters at ${cell.host}:${peerPort(cell)}`,
  );
  return untilStopped(peer, async () => {
    await server.close();
    doors.close();
    etcd.close();
  });
}

async function untilStopped(peer: PeerProcess, close: () => Promise<void>): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    void peer.look().finally(() => {
      isBusy = false;
    });
  }, LOOK_MS);
  // A second signal does not end it at once: somebody may still be let in.
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      clearInterval(timer);
      void close().then(() => resolve(0));
    });
  return promise;
}
