/** Reads the wire as the library does, but knows the names that it has read before. */
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { Names } from "./names.ts";

/** What is remembered changes nothing but how long reading takes. */
const NAMES = new Names();

export class Reader extends BinaryReader {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.#bytes = bytes;
  }

  override string(strict?: boolean): string {
    const before = this.pos;
    const length = this.uint32();
    const known = this.pos + length <= this.len ? NAMES.at(this.#bytes, this.pos, length) : undefined;
    if (known !== undefined) {
      this.pos += length;
      return known;
    }
    this.pos = before;
    return super.string(strict);
  }
}
