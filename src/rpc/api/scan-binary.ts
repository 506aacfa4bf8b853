/**
 * Looks at a protobuf message before it is decoded, along its descriptor. Four megabytes can hold two million empty messages, each an
 * object once decoded; here they are counted first. Unknown fields, groups, wire types that do not fit and text that is not UTF-8
 * are refused at the same time, so that what passes can be decoded.
 */
import { isUtf8 } from "node:buffer";
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";

const VARINT = 0;
const BIT64 = 1;
const LENGTH = 2;
const BIT32 = 5;
const VARINT_BYTES_MAX = 10;

/** What a field number of a message may hold. */
interface Field {
  readonly wire: number;
  /** A list of numbers may stand in one piece. */
  readonly packed: boolean;
  readonly text: boolean;
  readonly message: Fields | undefined;
}
type Fields = ReadonlyMap<number, Field>;

/** What a field that nobody here knows may hold, by its wire type: groups it may not. */
const UNKNOWN: Fields = new Map(
  [VARINT, BIT64, LENGTH, BIT32].map((wire) => [wire, { wire, packed: false, text: false, message: undefined }]),
);

export type BinaryScan = (bytes: Uint8Array, fieldsMax: number) => string | undefined;

/**
 * Makes the scan of one message type. Message types are not recursive (wire/check.ts), so depth is bounded by the schema. `takesUnknown`: fields that the
 * type does not have are counted and passed over, for words of others that grow.
 */
export function binaryScan(schema: DescMessage, takesUnknown = false): BinaryScan {
  const plan = planOf(schema);
  return (bytes, fieldsMax) => {
    const scan = new Scan(bytes, fieldsMax, takesUnknown);
    const problem = scan.message(plan, bytes.length);
    return problem === undefined ? undefined : `Cannot decode ${schema.name}: ${problem}`;
  };
}

function planOf(schema: DescMessage): Fields {
  return new Map(schema.fields.map((field) => [field.number, slotOf(field)]));
}

function slotOf(field: DescField): Field {
  if (field.fieldKind === "message" || (field.fieldKind === "list" && field.listKind === "message"))
    return { wire: LENGTH, packed: false, text: false, message: planOf(field.message) };
  const scalar = "scalar" in field ? field.scalar : undefined;
  const wire = scalar === undefined ? VARINT : wireOf(scalar);
  return { wire, packed: field.fieldKind === "list" && wire !== LENGTH, text: scalar === ScalarType.STRING, message: undefined };
}

function wireOf(scalar: ScalarType): number {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return LENGTH;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return BIT64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return BIT32;
    default:
      return VARINT;
  }
}

class Scan {
  readonly #bytes: Uint8Array;
  readonly #fieldsMax: number;
  readonly #takesUnknown: boolean;
  #at = 0;
  #fields = 0;

  constructor(bytes: Uint8Array, fieldsMax: number, takesUnknown: boolean) {
    this.#bytes = bytes;
    this.#fieldsMax = fieldsMax;
    this.#takesUnknown = takesUnknown;
  }

  message(plan: Fields, end: number): string | undefined {
    while (this.#at < end) {
      if (++this.#fields > this.#fieldsMax) return this.#tooMany();
      const tag = this.#varint(end);
      if (tag === undefined || tag > 0xffffffff) return "a field tag is malformed";
      const number = tag >>> 3;
      const slot = plan.get(number) ?? (this.#takesUnknown && number > 0 ? UNKNOWN.get(tag & 7) : undefined);
      if (slot === undefined) return `there is no field number ${number}`;
      const problem = this.#field(slot, number, tag & 7, end);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #field(slot: Field, number: number, wire: number, end: number): string | undefined {
    if (wire === slot.wire && wire !== LENGTH) return this.#skip(wire, end) ? undefined : `field number ${number} is cut off`;
    if (wire !== LENGTH || (slot.wire !== LENGTH && !slot.packed)) return `field number ${number} has wire type ${wire}`;
    const length = this.#varint(end);
    if (length === undefined || length > end - this.#at) return `field number ${number} is cut off`;
    const inner = this.#at + length;
    if (slot.message !== undefined) return this.message(slot.message, inner);
    if (slot.wire !== LENGTH) return this.#packed(slot, number, inner);
    if (slot.text && !isUtf8(this.#bytes.subarray(this.#at, inner))) return `field number ${number} is not UTF-8`;
    this.#at = inner;
    return undefined;
  }

  #tooMany(): string {
    return `expected at most ${this.#fieldsMax} fields, found more; ask in several calls`;
  }

  #packed(slot: Field, number: number, end: number): string | undefined {
    while (this.#at < end) {
      if (++this.#fields > this.#fieldsMax) return this.#tooMany();
      if (!this.#skip(slot.wire, end)) return `field number ${number} is cut off`;
    }
    return undefined;
  }

  #skip(wire: number, end: number): boolean {
    if (wire === VARINT) return this.#varint(end) !== undefined;
    this.#at += wire === BIT64 ? 8 : 4;
    return this.#at <= end;
  }

  /** Exact below 2^53, which is all that anyone here compares. */
  #varint(end: number): number | undefined {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < VARINT_BYTES_MAX && this.#at < end; i++) {
      const byte = this.#bytes[this.#at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    return undefined;
  }
}
