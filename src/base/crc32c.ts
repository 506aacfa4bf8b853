/**
 * CRC-32C (Castagnoli), eight bytes a step ("slicing by 8"): it guards every journal record and snapshot, and
 * recovery reads whole logs through it. It finds damage; it is no protection against someone who forges.
 */

/** The Castagnoli polynomial, bits reversed. */
const POLYNOMIAL = 0x82f63b78;

const TABLES = makeTables();
const [T0, T1, T2, T3, T4, T5, T6, T7] = TABLES as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

function makeTables(): Int32Array[] {
  const tables = Array.from({ length: 8 }, () => new Int32Array(256));
  const first = tables[0]!;
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    first[byte] = crc;
  }
  for (let step = 1; step < 8; step++) {
    for (let byte = 0; byte < 256; byte++) {
      const before = tables[step - 1]![byte]!;
      tables[step]![byte] = (before >>> 8) ^ first[before & 0xff]!;
    }
  }
  return tables;
}

/** The crc of bytes[start, end). `crc` is the result for what came before, or any number that seeds the check. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length, crc = 0): number {
  let c = ~crc;
  let i = start;
  for (const last = end - 7; i < last; i += 8) {
    const low = c ^ (bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
    c =
      T7[low & 0xff]! ^
      T6[(low >>> 8) & 0xff]! ^
      T5[(low >>> 16) & 0xff]! ^
      T4[low >>> 24]! ^
      T3[bytes[i + 4]!]! ^
      T2[bytes[i + 5]!]! ^
      T1[bytes[i + 6]!]! ^
      T0[bytes[i + 7]!]!;
  }
  for (; i < end; i++) c = (c >>> 8) ^ T0[(c ^ bytes[i]!) & 0xff]!;
  return ~c >>> 0;
}
