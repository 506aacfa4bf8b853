/**
 * Packages for borglets: pieces from the master, or another machine that has them. A machine gets only packages that its own tasks name. A machine that is to give
 * one is told first, with a voucher that nobody can guess; who is to fetch it there gets the voucher when the other has agreed. What a piece is worth the
 * borglet finds out by the hash of the whole.
 */
import type { Address, Env } from "../../base/env.ts";
import { type MachineId, machineId } from "../../base/id.ts";
import { make } from "../../wire/codec.ts";
import {
  PackageChunkSchema,
  type PackageGranted,
  PackageGrantSchema,
  type PackageRequest,
  PackageSourceSchema,
} from "../../wire/gen/borg/v1/link_pb.ts";
import type { MachineFacts } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { Framed, ToBorglet } from "../../wire/link-message.ts";
import type { Desired } from "./desired.ts";
import { PackageSources, type Source } from "./package-sources.ts";

/** Asked of whoever keeps the bytes. */
export interface PieceAsk {
  readonly type: "package-piece-ask";
  readonly id: string;
  readonly digest: string;
  readonly offset: number;
  readonly bytesMax: number;
}

export type PieceAnswer =
  | { readonly type: "package-piece"; readonly id: string; readonly total: number; readonly data: Uint8Array }
  | { readonly type: "package-missing"; readonly id: string; readonly reason: string };

/** A machine that has not agreed to give a package by then is passed over. */
export const GRANT_MS = 3000;

interface Asked {
  readonly id: string;
  readonly from: Address;
  readonly request: PackageRequest;
}

interface Waiting {
  readonly from: Address;
  readonly request: PackageRequest;
  /** The machine that was chosen, which has not agreed yet. */
  readonly grant?: { readonly voucher: string; readonly source: MachineId; readonly sinceMs: number };
}

/** Where a machine gives packages to others. */
interface Door {
  readonly address: Address;
  readonly host: string;
  readonly port: number;
}

const NOT_NAMED = "No task of this machine names that package";

export class PackageRequests {
  readonly #env: Env<Framed<ToBorglet> | PieceAsk>;
  readonly #keeper: Address;
  readonly #sources = new PackageSources();
  readonly #doors = new Map<MachineId, Door>();
  /** Each of these has at most one entry for each machine, so as many as there are links. */
  readonly #asked = new Map<MachineId, Asked>();
  readonly #waiting = new Map<MachineId, Waiting>();
  readonly #vouchers = new Map<string, MachineId>();
  #last = 0;

  constructor(env: Env<Framed<ToBorglet> | PieceAsk>, keeper: Address) {
    this.#env = env;
    this.#keeper = keeper;
  }

  /** A machine says hello; `port`: where it gives packages to others, 0: nowhere. */
  greet(address: Address, machine: MachineId, facts: MachineFacts, port: number): void {
    const { host } = facts;
    const gives = port > 0 && host !== "";
    if (gives) this.#doors.set(machine, { address, host, port });
    else this.#doors.delete(machine);
    this.#sources.gives(machine, gives);
    this.has(machine, facts);
  }

  /** What a machine says to have. */
  has(machine: MachineId, { packages }: MachineFacts): void {
    this.#sources.told(machine, packages);
  }

  gone(machine: MachineId): void {
    this.#sources.gone(machine);
    this.#doors.delete(machine);
    this.#asked.delete(machine);
    this.#stopWaiting(machine);
  }

  ask(from: Address, request: PackageRequest, desired: Desired): void {
    const machine = machineId(request.machine);
    if (!isNamed(desired, machine, request.digest)) {
      this.#sources.end(machine);
      this.#stopWaiting(machine);
      return this.#answer(from, request, { problem: NOT_NAMED });
    }
    const going = this.#sources.of(machine);
    const isSame = going?.digest === request.digest && going.source === request.from;
    const now = this.#env.now();
    if (isSame) this.#sources.heard(machine, now);
    // It only says from whom it has it: a new leader learns that so.
    else if (request.bytesMax === 0) this.#sources.begin(machine, request.digest, request.from as Source, now);
    if (request.bytesMax === 0) return;
    if (isSame) return this.#piece(from, machine, request);
    // One that asks again keeps its turn, and the machine that was chosen for it.
    if (this.#isAgain(machine, request)) return;
    this.#sources.end(machine);
    this.#stopWaiting(machine);
    this.#choose(machine, { from, request });
  }

  /** Whether a machine agreed to give what it was told to. */
  granted(from: Address, { voucher, has }: PackageGranted): void {
    const asker = this.#vouchers.get(voucher);
    const waiting = asker === undefined ? undefined : this.#waiting.get(asker);
    const source = waiting?.grant?.source;
    const door = source === undefined ? undefined : this.#doors.get(source);
    if (asker === undefined || waiting === undefined || source === undefined || door?.address !== from) return;
    const { digest } = waiting.request;
    if (!has) {
      this.#sources.lacks(source, digest);
      return this.#passOver(asker, waiting, source);
    }
    this.#stopWaiting(asker);
    const value = make(PackageSourceSchema, { digest, machine: source, host: door.host, port: door.port, voucher });
    this.#env.send(waiting.from, { type: "frame", frame: { case: "packageSource", value } });
  }

  /** Those that wait get what has become free since. */
  look(): void {
    const now = this.#env.now();
    this.#sources.endQuiet(now);
    const busy = new Set<string>();
    for (const [machine, waiting] of this.#waiting) {
      const { grant, request } = waiting;
      // Whoever has named machines that failed may have to wait where others have not.
      const what = `${request.digest} ${request.peers} ${request.failed.join(" ")}`;
      if (grant !== undefined) {
        if (now - grant.sinceMs > GRANT_MS) this.#passOver(machine, waiting, grant.source);
      } else if (!busy.has(what) && !this.#choose(machine, waiting)) busy.add(what);
    }
  }

  told(answer: PieceAnswer): void {
    const machine = answer.id.slice(0, answer.id.indexOf(" ")) as MachineId;
    const asked = this.#asked.get(machine);
    if (asked?.id !== answer.id) return;
    this.#asked.delete(machine);
    if (answer.type === "package-piece") return this.#answer(asked.from, asked.request, { data: answer.data, total: answer.total });
    this.#sources.end(machine);
    this.#answer(asked.from, asked.request, { problem: answer.reason });
  }

  #isAgain(machine: MachineId, { digest, failed }: PackageRequest): boolean {
    const { grant, request } = this.#waiting.get(machine) ?? {};
    return grant !== undefined && request?.digest === digest && !failed.includes(grant.source);
  }

  /** False: it has to wait. */
  #choose(machine: MachineId, { from, request }: Waiting): boolean {
    const { digest, peers, failed } = request;
    const source = this.#sources.choose({ machine, digest, peers, failed });
    if (source === undefined) this.#waiting.set(machine, { from, request });
    if (source === undefined) return false;
    const now = this.#env.now();
    this.#sources.begin(machine, digest, source, now);
    if (source === "") {
      this.#stopWaiting(machine);
      this.#piece(from, machine, request);
      return true;
    }
    const voucher = this.#env.id();
    this.#vouchers.set(voucher, machine);
    this.#waiting.set(machine, { from, request, grant: { voucher, source, sinceMs: now } });
    const value = make(PackageGrantSchema, { digest, voucher });
    this.#env.send(this.#doors.get(source)!.address, { type: "frame", frame: { case: "packageGrant", value } });
    return true;
  }

  #passOver(asker: MachineId, { from, request, grant }: Waiting, source: MachineId): void {
    this.#vouchers.delete(grant?.voucher ?? "");
    this.#sources.end(asker);
    this.#choose(asker, { from, request: { ...request, failed: [...request.failed, source] } });
  }

  #stopWaiting(machine: MachineId): void {
    this.#vouchers.delete(this.#waiting.get(machine)?.grant?.voucher ?? "");
    this.#waiting.delete(machine);
  }

  #piece(from: Address, machine: MachineId, request: PackageRequest): void {
    const { digest, offset, bytesMax } = request;
    this.#last += 1;
    const id = `${machine} ${this.#last}`;
    this.#asked.set(machine, { id, from, request });
    this.#env.send(this.#keeper, { type: "package-piece-ask", id, digest, offset, bytesMax });
  }

  #answer(to: Address, { digest, offset }: PackageRequest, more: { data?: Uint8Array; total?: number; problem?: string }): void {
    const value = make(PackageChunkSchema, { digest, offset, ...more });
    this.#env.send(to, { type: "frame", frame: { case: "packageChunk", value } });
  }
}

/** Whether an instance that the cell has there runs a spec with this package. */
function isNamed(desired: Desired, machine: MachineId, digest: string): boolean {
  for (const wanted of desired.on(machine).values())
    if (desired.specOf(wanted)?.task?.packages.some(({ version }) => version === digest) === true) return true;
  return false;
}
