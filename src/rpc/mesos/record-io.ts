/** RecordIO: a record is its length in decimal digits, a line feed, and so many bytes. */
import type { ServerResponse } from "node:http";

/** One record, ready to be written in one go: clients take one piece of what they receive for one record. */
export function framed(record: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${record.length}\n`, "latin1"), record]);
}

/**
 * As a chunk of its own: Node puts pieces that are written in one turn into one chunk, unless somebody else holds the socket back meanwhile, and clients that
 * take a chunk for a record then read nonsense. HTTP/2 has no chunks.
 */
export function writePiece(response: ServerResponse, piece: Uint8Array): void {
  const socket = "stream" in response ? null : response.socket;
  socket?.cork();
  response.write(piece);
  socket?.uncork();
}

const LINE_FEED = 0x0a;
const [ZERO, NINE] = [0x30, 0x39];

/** Cuts a stream of bytes into its records. Throws at the first byte that cannot be part of one, and at a record above the bound. */
export class RecordReader {
  readonly #bytesMax: number;
  readonly #digitsMax: number;
  #chunks: Uint8Array[] = [];
  /** Of the record that is being read; undefined while its length is. */
  #missing: number | undefined;
  #digits = "";

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#digitsMax = String(bytesMax).length;
  }

  /** The records that these bytes complete. */
  push(bytes: Uint8Array): readonly Buffer[] {
    const records: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      if (this.#missing === undefined) {
        this.#header(bytes[at] as number);
        at += 1;
      } else {
        const part = bytes.subarray(at, at + this.#missing);
        this.#chunks.push(part);
        this.#missing -= part.length;
        at += part.length;
      }
      if (this.#missing === 0) records.push(this.#take());
    }
    return records;
  }

  #header(byte: number): void {
    if (byte === LINE_FEED && this.#digits !== "") {
      const length = Number(this.#digits);
      if (length > this.#bytesMax) throw new Error(`Expected a record of at most ${this.#bytesMax} bytes, found ${length}`);
      this.#missing = length;
      this.#digits = "";
      return;
    }
    if (byte < ZERO || byte > NINE || this.#digits.length === this.#digitsMax)
      throw new Error("Expected a record's length and a line feed");
    this.#digits += String.fromCharCode(byte);
  }

  #take(): Buffer {
    const record = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#missing = undefined;
    return record;
  }
}
