/** How large an image may be while its layers are read. What comes out of it has the bounds of every package (../bounds.ts). */
const [MIB, GIB] = [2 ** 20, 2 ** 30];

export interface ImageBounds {
  readonly layers: number;
  /** Of all layers together: entries, and bytes when they are decompressed. Layers may hide what others brought. */
  readonly entries: number;
  readonly bytes: number;
  /** Of a manifest, an index or a configuration. */
  readonly documentBytes: number;
}

export const IMAGE_BOUNDS: ImageBounds = { layers: 256, entries: 500_000, bytes: 16 * GIB, documentBytes: 4 * MIB };
