/** How large an archive may be, packed and unpacked. What is beyond any of these is refused with the bound in words. */
const [KIB, MIB, GIB] = [2 ** 10, 2 ** 20, 2 ** 30];

export interface ArchiveBounds {
  /** Of all files together, as they are unpacked. */
  readonly bytes: number;
  readonly entries: number;
  /** Of a path, and of what a link leads to, as UTF-8. */
  readonly pathBytes: number;
  readonly nameBytes: number;
  /** Directories inside each other. */
  readonly depth: number;
  /** Of what says more about one entry: long names, extended headers. */
  readonly extraBytes: number;
}

export const ARCHIVE_BOUNDS: ArchiveBounds = {
  bytes: 4 * GIB,
  entries: 100_000,
  pathBytes: KIB,
  nameBytes: 255,
  depth: 64,
  extraBytes: 64 * KIB,
};

/** Of a package as it is kept and sent, compressed. */
export const PACKED_BYTES_MAX = 1024 * MIB;
