/**
 * Pieces of packages for borglets. A machine gets only packages that its own tasks name, one piece at a time: its next request replaces one that is not answered.
 * What a piece is worth the borglet finds out by the hash of the whole.
 */
import type { Address, Env } from "../../base/env.ts";
import { type MachineId, machineId } from "../../base/id.ts";
import { make } from "../../wire/codec.ts";
import { PackageChunkSchema, type PackageRequest } from "../../wire/gen/borg/v1/link_pb.ts";
import type { Framed, ToBorglet } from "../../wire/link-message.ts";
import type { Desired } from "./desired.ts";

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

interface Asked {
  readonly id: string;
  readonly from: Address;
  readonly request: PackageRequest;
}

const NOT_NAMED = "No task of this machine names that package";

export class PackageRequests {
  readonly #env: Env<Framed<ToBorglet> | PieceAsk>;
  readonly #keeper: Address;
  /** One for each machine, so as many as there are links. */
  readonly #asked = new Map<MachineId, Asked>();
  #last = 0;

  constructor(env: Env<Framed<ToBorglet> | PieceAsk>, keeper: Address) {
    this.#env = env;
    this.#keeper = keeper;
  }

  ask(from: Address, request: PackageRequest, desired: Desired): void {
    const machine = machineId(request.machine);
    const { digest, offset, bytesMax } = request;
    if (!isNamed(desired, machine, digest)) return this.#answer(from, request, { problem: NOT_NAMED });
    this.#last += 1;
    const id = `${machine} ${this.#last}`;
    this.#asked.set(machine, { id, from, request });
    this.#env.send(this.#keeper, { type: "package-piece-ask", id, digest, offset, bytesMax });
  }

  told(answer: PieceAnswer): void {
    const machine = answer.id.slice(0, answer.id.indexOf(" ")) as MachineId;
    const asked = this.#asked.get(machine);
    if (asked?.id !== answer.id) return;
    this.#asked.delete(machine);
    if (answer.type === "package-piece") this.#answer(asked.from, asked.request, { data: answer.data, total: answer.total });
    else this.#answer(asked.from, asked.request, { problem: answer.reason });
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
