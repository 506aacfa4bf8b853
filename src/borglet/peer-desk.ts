/**
 * Gives packages to other machines: to whoever shows a ticket that the master announced, and of that ticket's package only. A ticket that nobody
 * used for a while is worth nothing any more. [S6]
 */
import { make } from "../wire/codec.ts";
import { type PackageChunk, PackageChunkSchema, type PackageGrant, type PeerRequest } from "../wire/gen/borg/v1/link_pb.ts";
import type { PackageFiles } from "./machine.ts";

/** Beyond it the one that was used longest ago goes: the master gives fewer at a time. */
export const TICKETS_MAX = 16;
export const TICKET_MS = 60_000;

interface Ticket {
  readonly digest: string;
  readonly usedMs: number;
}

export class PeerDesk {
  readonly #files: Pick<PackageFiles, "read">;
  readonly #now: () => number;
  /** The one used last comes last. */
  readonly #tickets = new Map<string, Ticket>();

  constructor(files: Pick<PackageFiles, "read">, now: () => number) {
    this.#files = files;
    this.#now = now;
  }

  grant({ digest, ticket }: Pick<PackageGrant, "digest" | "ticket">): void {
    this.#tickets.delete(ticket);
    this.#tickets.set(ticket, { digest, usedMs: this.#now() });
    const oldest = this.#tickets.size > TICKETS_MAX ? this.#tickets.keys().next().value : undefined;
    if (oldest !== undefined) this.#tickets.delete(oldest);
  }

  piece({ ticket, digest, offset, bytesMax }: PeerRequest): PackageChunk {
    const known = this.#tickets.get(ticket);
    const isGood = known !== undefined && known.digest === digest && this.#now() - known.usedMs <= TICKET_MS;
    if (!isGood) return make(PackageChunkSchema, { digest, offset, problem: "This machine was not told to give that" });
    this.grant({ ticket, digest });
    const found = this.#files.read(digest, offset, bytesMax);
    return make(
      PackageChunkSchema,
      found === undefined ? { digest, offset, problem: "The package is not here any more" } : { digest, offset, ...found },
    );
  }
}
