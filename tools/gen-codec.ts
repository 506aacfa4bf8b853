/**
 * Straight-line code that makes, reads and writes each message of proto/, for src/wire/codec.ts. The library walks a list of fields for every message and
 * adds them one by one; an object that is written down whole is made at once, and that is most of what decoding costs.
 */
import { type DescField, type DescMessage, type DescOneof, type FileRegistry, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";

const HEAD = `/** Made by tools/gen.ts from proto/: how each message is made, read and written. */
import type { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

type Any = any;

export interface MessageCodec {
  /** A whole message of what is given; what is not is as the wire leaves it out. */
  readonly make: (init: Any) => Any;
  readonly zero: () => Any;
  /** Reads up to \`end\`, into a message that may have been begun. */
  readonly read: (message: Any, reader: BinaryReader, end: number) => Any;
  readonly write: (writer: BinaryWriter, message: Any) => void;
}

const NONE = new Uint8Array();
const GROUP_DEPTH_MAX = 16;

/** What is not known is kept, so that whoever checks the message can say its number. */
function unknown(message: Any, reader: BinaryReader, tag: number): void {
  const no = tag >>> 3;
  const wireType = tag & 7;
  if (no === 0 || wireType > 5) throw new Error(\`no field has number \${no} and wire type \${wireType}\`);
  message.$unknown ??= [];
  message.$unknown.push({ no, wireType, data: reader.skip(wireType, no, GROUP_DEPTH_MAX) });
}

function end(reader: BinaryReader, expected: number): void {
  if (reader.pos !== expected) throw new RangeError("a field reaches beyond its message");
}

function rest(writer: BinaryWriter, unknown: Any): void {
  for (const { no, wireType, data } of unknown) writer.tag(no, wireType).raw(data);
}
`;

const [VARINT, BIT64, DELIMITED] = [0, 1, 2];

interface Scalar {
  readonly wireType: number;
  /** The method of reader and writer. */
  readonly method: string;
  readonly zero: string;
  readonly isSet: (value: string) => string;
}

const notZero = (value: string): string => `${value} !== 0`;
const SCALARS: ReadonlyMap<ScalarType, Scalar> = new Map([
  [ScalarType.DOUBLE, { wireType: BIT64 as number, method: "double", zero: "0", isSet: (value) => `!Object.is(${value}, 0)` }],
  [ScalarType.UINT32, { wireType: VARINT as number, method: "uint32", zero: "0", isSet: notZero }],
  [ScalarType.INT32, { wireType: VARINT as number, method: "int32", zero: "0", isSet: notZero }],
  [ScalarType.INT64, { wireType: VARINT as number, method: "int64", zero: "0n", isSet: (value) => `${value} !== 0n` }],
  [ScalarType.UINT64, { wireType: VARINT as number, method: "uint64", zero: "0n", isSet: (value) => `${value} !== 0n` }],
  [ScalarType.BOOL, { wireType: VARINT as number, method: "bool", zero: "false", isSet: (value) => value }],
  [ScalarType.STRING, { wireType: DELIMITED as number, method: "string", zero: '""', isSet: (value) => `${value} !== ""` }],
  [ScalarType.BYTES, { wireType: DELIMITED as number, method: "bytes", zero: "NONE", isSet: (value) => `${value}.length > 0` }],
]);

/** An enum travels like an int32. */
function scalarOf(field: DescField): Scalar {
  const type = field.fieldKind === "enum" || (field.fieldKind === "list" && field.listKind === "enum") ? ScalarType.INT32 : field.scalar;
  const scalar = type === undefined ? undefined : SCALARS.get(type);
  if (scalar === undefined) throw new Error(`Field "${field}" has a type that this vocabulary does not use`);
  return scalar;
}

/** The packages whose messages get code; those of the first stand without its name. */
const PACKAGES = ["borg.v1.", "mesos.v1."] as const;

const nameOf = (desc: DescMessage): string => desc.typeName.replace(PACKAGES[0], "").replaceAll(".", "_");
const tagOf = (field: DescField, wireType: number): number => ((field.number << 3) | wireType) >>> 0;
const isExplicit = (field: DescField): boolean => field.presence === FeatureSet_FieldPresence.EXPLICIT;
const readScalar = ({ method }: Scalar): string => (method === "string" ? "r.string(true)" : `r.${method}()`);

/** Every message of the registry, in the order in which the files name them. */
export function codecText(registry: FileRegistry): string {
  const all = [...registry]
    .filter((type): type is DescMessage => type.kind === "message" && PACKAGES.some((name) => type.typeName.startsWith(name)))
    .sort((a, b) => (a.typeName < b.typeName ? -1 : 1));
  const lines = all.map((desc) => `  ${JSON.stringify(desc.typeName)}: ${record(desc)},`);
  const table = `export const CODECS: Readonly<Record<string, MessageCodec>> = {\n${lines.join("\n")}\n};\n`;
  return [HEAD, ...all.map((desc) => `${[zero(desc), make(desc), read(desc), write(desc)].join("\n\n")}\n`), table].join("\n");
}

function record(desc: DescMessage): string {
  const name = nameOf(desc);
  return `{ make: make${name}, zero: zero${name}, read: read${name}, write: write${name} }`;
}

// Made

/** The members that every message of the type has, as properties with the value that \`of\` gives. */
function literal(desc: DescMessage, of: (member: DescField | DescOneof) => string): string {
  const parts = desc.members.filter((member) => member.kind === "oneof" || !isExplicit(member));
  return `{ $typeName: ${JSON.stringify(desc.typeName)}${parts.map((member) => `, ${member.localName}: ${of(member)}`).join("")} }`;
}

function zeroOf(member: DescField | DescOneof): string {
  if (member.kind === "oneof") return "{ case: undefined }";
  return member.fieldKind === "list" ? "[]" : scalarOf(member).zero;
}

const zero = (desc: DescMessage): string => `const zero${nameOf(desc)} = (): Any => (${literal(desc, zeroOf)});`;

function make(desc: DescMessage): string {
  const name = nameOf(desc);
  const oneofs = desc.members.filter((member) => member.kind === "oneof");
  const lines = oneofs.map((oneof) => {
    const cases = oneof.fields.map((field) => `${field.localName}: ${converter(field)}`);
    return `const ${oneof.localName}Of${name}: Record<string, (value: Any) => Any> = { ${cases.join(", ")} };\n`;
  });
  const made = literal(desc, (member) => madeOf(name, member));
  lines.push(`function make${name}(i: Any): Any {`, "  if (i.$typeName !== undefined) return i;", `  const m: Any = ${made};`);
  for (const member of desc.members) {
    if (member.kind === "oneof" || !isExplicit(member)) continue;
    const value = `i.${member.localName}`;
    const converted = member.fieldKind === "message" ? `make${nameOf(member.message)}(${value})` : value;
    lines.push(`  if (${value} !== undefined) m.${member.localName} = ${converted};`);
  }
  lines.push("  return m;", "}");
  return lines.join("\n");
}

const converter = (field: DescField): string => (field.fieldKind === "message" ? `make${nameOf(field.message)}` : "(value) => value");

function madeOf(name: string, member: DescField | DescOneof): string {
  const value = `i.${member.localName}`;
  if (member.kind === "oneof") {
    const made = `{ case: ${value}.case, value: ${member.localName}Of${name}[${value}.case]!(${value}.value) }`;
    return `${value}?.case === undefined ? { case: undefined } : ${made}`;
  }
  if (member.fieldKind === "list" && member.listKind === "message") return `${value}?.map(make${nameOf(member.message)}) ?? []`;
  return `${value} ?? ${zeroOf(member)}`;
}

// Read

function read(desc: DescMessage): string {
  const name = nameOf(desc);
  return [
    `function read${name}(m: Any, r: BinaryReader, to: number): Any {`,
    "  while (r.pos < to) {",
    "    const tag = r.uint32();",
    "    switch (tag) {",
    ...desc.fields.flatMap(readCases).map((line) => `      ${line}`),
    "      default:",
    "        unknown(m, r, tag);",
    "    }",
    "  }",
    "  end(r, to);",
    "  return m;",
    "}",
  ].join("\n");
}

function readCases(field: DescField): readonly string[] {
  const at = `m.${field.localName}`;
  const one = (wireType: number, does: string): string[] => [`case ${tagOf(field, wireType)}:`, `  ${does}`, "  break;"];
  if (field.fieldKind === "message") {
    const into = (before: string): string =>
      `read${nameOf(field.message)}(${before} ?? zero${nameOf(field.message)}(), r, r.uint32() + r.pos)`;
    if (field.oneof === undefined) return one(DELIMITED as number, `${at} = ${into(at)};`);
    const oneof = `m.${field.oneof.localName}`;
    const before = `(${oneof}.case === "${field.localName}" ? ${oneof}.value : undefined)`;
    return one(DELIMITED as number, `${oneof} = { case: "${field.localName}", value: ${into(before)} };`);
  }
  if (field.fieldKind === "list") return readList(field, at, one);
  const scalar = scalarOf(field);
  const target = field.oneof === undefined ? `${at} = ${readScalar(scalar)};` : "";
  return one(scalar.wireType, target || `m.${field.oneof?.localName} = { case: "${field.localName}", value: ${readScalar(scalar)} };`);
}

function readList(
  field: DescField & { fieldKind: "list" },
  at: string,
  one: (wireType: number, does: string) => string[],
): readonly string[] {
  if (field.listKind === "message") {
    const name = nameOf(field.message);
    return one(DELIMITED as number, `${at}.push(read${name}(zero${name}(), r, r.uint32() + r.pos));`);
  }
  const scalar = scalarOf(field);
  const single = one(scalar.wireType, `${at}.push(${readScalar(scalar)});`);
  if (scalar.wireType === DELIMITED) return single;
  const packed = `for (const stop = r.uint32() + r.pos; r.pos < stop; ) ${at}.push(${readScalar(scalar)});`;
  return [...single, ...one(DELIMITED as number, packed)];
}

// Written

function write(desc: DescMessage): string {
  const fields = [...desc.fields].sort((a, b) => a.number - b.number);
  const lines = [`function write${nameOf(desc)}(w: BinaryWriter, m: Any): void {`];
  for (let i = 0; i < fields.length; ) {
    const { oneof } = fields[i] as DescField;
    const below = fields.findIndex((field, j) => j > i && (oneof === undefined || field.oneof !== oneof));
    const run = fields.slice(i, below === -1 ? (oneof === undefined ? i + 1 : fields.length) : below);
    lines.push(...(oneof === undefined ? writeField(run[0] as DescField) : writeOneof(oneof, run)).map((line) => `  ${line}`));
    i += run.length;
  }
  lines.push("  if (m.$unknown !== undefined) rest(w, m.$unknown);", "}");
  return lines.join("\n");
}

/** Cases whose numbers stand together. */
function writeOneof(oneof: DescOneof, fields: readonly DescField[]): readonly string[] {
  const lines = [`switch (m.${oneof.localName}.case) {`];
  for (const field of fields)
    lines.push(`  case "${field.localName}":`, `    ${writeValue(field, `m.${oneof.localName}.value`)}`, "    break;");
  return [...lines, "}"];
}

function writeField(field: DescField): readonly string[] {
  const at = `m.${field.localName}`;
  if (field.fieldKind === "list") return writeList(field, at);
  const isSet = isExplicit(field) || field.fieldKind === "message" ? `${at} !== undefined` : scalarOf(field).isSet(at);
  return [`if (${isSet}) ${writeValue(field, at)}`];
}

function writeValue(field: DescField, value: string): string {
  if (field.fieldKind === "message" || (field.fieldKind === "list" && field.listKind === "message"))
    return `{ w.uint32(${tagOf(field, DELIMITED as number)}).fork(); write${nameOf(field.message)}(w, ${value}); w.join(); }`;
  const { wireType, method } = scalarOf(field);
  return `w.uint32(${tagOf(field, wireType)}).${method}(${value});`;
}

function writeList(field: DescField & { fieldKind: "list" }, at: string): readonly string[] {
  if (field.listKind === "message" || !field.packed) return [`for (const each of ${at}) ${writeValue(field, "each")}`];
  const { method } = scalarOf(field);
  return [
    `if (${at}.length > 0) {`,
    `  w.uint32(${tagOf(field, DELIMITED as number)}).fork();`,
    `  for (const each of ${at}) w.${method}(each);`,
    "  w.join();",
    "}",
  ];
}
