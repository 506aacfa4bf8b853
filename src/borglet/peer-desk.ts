/**
 * Gives packages to other machines: to whoever shows a voucher that the master announced, and of that voucher's package only. A voucher that nobody
 * used for a while is worth nothing any more. [S6]
 */
import { make } from "../wire/codec.ts";
import { type PackageChunk, PackageChunkSchema, type PackageGrant, type PeerRequest } from "../wire/gen/borg/v1/link_pb.ts";
import type { PackageFiles } from "./machine.ts";

/** Beyond it the one that was used longest ago goes: the master gives fewer at a time. */
export const VOUCHERS_MAX = 16;
export const VOUCHER_MS = 60_000;

interface Voucher {
  readonly digest: string;
  readonly usedMs: number;
}

export class PeerDesk {
  readonly #files: Pick<PackageFiles, "read">;
  readonly #now: () => number;
  /** The one used last comes last. */
  readonly #vouchers = new Map<string, Voucher>();

  constructor(files: Pick<PackageFiles, "read">, now: () => number) {
    this.#files = files;
    this.#now = now;
  }

  grant({ digest, voucher }: Pick<PackageGrant, "digest" | "voucher">): void {
    this.#vouchers.delete(voucher);
    this.#vouchers.set(voucher, { digest, usedMs: this.#now() });
    const oldest = this.#vouchers.size > VOUCHERS_MAX ? this.#vouchers.keys().next().value : undefined;
    if (oldest !== undefined) this.#vouchers.delete(oldest);
  }

  piece({ voucher, digest, offset, bytesMax }: PeerRequest): PackageChunk {
    const known = this.#vouchers.get(voucher);
    const isGood = known !== undefined && known.digest === digest && this.#now() - known.usedMs <= VOUCHER_MS;
    if (!isGood) return make(PackageChunkSchema, { digest, offset, problem: "This machine was not told to give that" });
    this.grant({ voucher, digest });
    const found = this.#files.read(digest, offset, bytesMax);
    return make(
      PackageChunkSchema,
      found === undefined ? { digest, offset, problem: "The package is not here any more" } : { digest, offset, ...found },
    );
  }
}
