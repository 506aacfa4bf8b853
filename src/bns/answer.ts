/**
 * From a question to an answer (RFC 1034, 1035, 2308, 2782, 6891, 8482): pure but for the addresses of hosts, which may have to be looked up. What is not
 * there is said with the zone's SOA, so that who asks knows for how long. Never answers for a name outside its zones.
 */
import { isIP } from "node:net";
import { Packet } from "dns2";
import { type Directory, type Found, find, type ServedTask, zoneOf, zonesOf } from "./zone.ts";

export interface AnswerOptions {
  readonly directory: Directory;
  /** Behind `cc.borg`; empty: nothing. */
  readonly domain: string;
  /** A name's addresses; an address is its own. */
  readonly addressesOf: (host: string) => Promise<readonly string[]>;
  /** From 0 on, below 1: where a list that is too long begins, and which record stands first. */
  readonly random: () => number;
}

type Resource = ConstructorParameters<typeof Packet.Resource>[0] & object;

/** No dead task is believed in for longer than this and one report of its machine; the same for names that are not there. */
export const TTL_S = 5;
/** A list that is longer is told in part, another part each time. */
export const RECORDS_MAX = 200;
/** What goes through nearly every network in one piece. */
export const UDP_BYTES_MAX = 1232;
const UDP_BYTES_PLAIN = 512;
const { TYPE, CLASS, RCODE } = Packet;
const QUERY = 0;
const TEXT_BYTES_MAX = 255;

/** What is said to a question. `bytes`: the question as it came. */
export type Reply = (question: Packet, isDatagram: boolean, bytes: Buffer) => Promise<Buffer>;

/** By a directory of the cell. */
export const replyBy =
  (options: AnswerOptions): Reply =>
  async (question, isDatagram) => {
    const response = await answer(question, options);
    return isDatagram ? datagramOf(question, response) : response.toBuffer();
  };

/** Undefined: it is no question that could be answered, and nothing is said. */
export function questionOf(bytes: Buffer): Packet | undefined {
  if (!isQuestion(bytes)) return undefined;
  try {
    const packet = Packet.parse(bytes);
    return packet.errors.length === 0 && packet.questions.length === 1 ? packet : undefined;
  } catch {
    return undefined;
  }
}

const HEADER_BYTES = 12;
/** A name of 255 bytes, type and class, and some options. */
const QUESTION_BYTES_MAX = 512;

/** One question, no answers, and at most the record of EDNS: looked at before anything is taken apart. */
function isQuestion(bytes: Buffer): boolean {
  if (bytes.length < HEADER_BYTES || bytes.length > QUESTION_BYTES_MAX) return false;
  const isAnswer = (bytes[2]! & 0x80) !== 0;
  return (
    !isAnswer && bytes.readUInt16BE(4) === 1 && bytes.readUInt16BE(6) === 0 && bytes.readUInt16BE(8) === 0 && bytes.readUInt16BE(10) <= 1
  );
}

interface Said {
  readonly rcode: number;
  readonly answers: readonly Resource[];
  readonly additionals: readonly Resource[];
  /** Whose SOA stands beside an answer that is empty. */
  readonly zone: string | undefined;
}

export async function answer(question: Packet, options: AnswerOptions): Promise<Packet> {
  const edns = question.additionals.find(({ type }) => type === TYPE.EDNS) as { readonly version?: number } | undefined;
  const isOdd = edns !== undefined && (edns.version ?? 0) !== 0;
  const said = isOdd ? only(RCODE.BADVERS) : await say(question, options);
  const response = Packet.createResponseFromRequest(question);
  response.header.rcode = said.rcode;
  response.header.aa = said.zone === undefined ? 0 : 1;
  response.answers = said.answers as never;
  response.additionals = [...said.additionals] as never;
  const { zone } = said;
  if (zone !== undefined && said.answers.length === 0) response.authorities = [soaOf(zone)] as never;
  if (edns !== undefined) response.additionals.push(Packet.Resource.EDNS([], { udpPayloadSize: UDP_BYTES_MAX }));
  return response;
}

const only = (rcode: number, zone?: string): Said => ({ rcode, answers: [], additionals: [], zone });

async function say({ header, questions }: Packet, options: AnswerOptions): Promise<Said> {
  const [{ name, type, class: kind }] = questions as [(typeof questions)[0]];
  if (header.opcode !== QUERY) return only(RCODE.NOTIMP);
  const { directory, domain } = options;
  // A copy that has not heard of its cell yet knows nothing, which is not to say that there is nothing.
  if (directory.cell === "") return only(RCODE.SERVFAIL);
  const asked = name.toLowerCase();
  const zone = zoneOf(asked, zonesOf(directory.cell, domain));
  // There is no list of all names, for nobody.
  if (zone === undefined || kind !== CLASS.IN || type === TYPE.AXFR) return only(RCODE.REFUSED);
  const found = find(directory, asked, zone);
  if (found.kind === "absent") return only(RCODE.NXDOMAIN, zone);
  const { answers, additionals = [] } = await recordsOf(found, { name, type, zone }, options);
  return { rcode: RCODE.NOERROR, answers, additionals, zone };
}

interface Wanted {
  /** As it was asked: who asks may have mixed the letters to know its answer again. */
  readonly name: string;
  readonly type: number;
  readonly zone: string;
}

interface Records {
  readonly answers: readonly Resource[];
  readonly additionals?: readonly Resource[];
}

async function recordsOf(found: Found, wanted: Wanted, options: AnswerOptions): Promise<Records> {
  const { name, type, zone } = wanted;
  if (found.kind === "apex") return { answers: type === TYPE.SOA || type === TYPE.ANY ? [{ ...soaOf(zone), name }] : [] };
  if (found.kind === "port") return type === TYPE.SRV || type === TYPE.ANY ? services(found.tasks, wanted, options, found.port) : NONE;
  if (found.kind !== "job" && found.kind !== "task") return NONE;
  switch (type) {
    case TYPE.A:
      return { answers: await addresses(found.tasks, name, 4, options) };
    case TYPE.AAAA:
      return { answers: await addresses(found.tasks, name, 6, options) };
    // One kind of record is enough for who asks for any (RFC 8482).
    case TYPE.ANY:
      return { answers: await addresses(found.tasks, name, 0, options) };
    case TYPE.SRV:
      return services(found.tasks, wanted, options, undefined);
    case TYPE.TXT:
      return { answers: textOf(found, name) };
    default:
      return NONE;
  }
}

const NONE: Records = { answers: [] };

/** Each address once, however many tasks are there. */
async function addresses(tasks: readonly ServedTask[], name: string, family: 0 | 4 | 6, options: AnswerOptions): Promise<Resource[]> {
  const hosts = [...new Set(tasks.map(({ host }) => host))];
  const all = new Set((await Promise.all(hosts.map(options.addressesOf))).flat());
  const meant = [...all].filter((address) => family === 0 || isIP(address) === family);
  return turned(meant, options.random).map((address) => addressRecord(name, address));
}

const addressRecord = (name: string, address: string): Resource => ({
  name,
  type: isIP(address) === 6 ? TYPE.AAAA : TYPE.A,
  class: CLASS.IN,
  ttl: TTL_S,
  address,
});

/** The port of each task at the task's own name, whose address comes along. */
async function services(
  tasks: readonly ServedTask[],
  { name, zone }: Wanted,
  options: AnswerOptions,
  port: string | undefined,
): Promise<Records> {
  const listening = tasks.flatMap((task) => {
    const found = port === undefined ? task.ports[0] : task.ports.find((each) => each.name === port);
    return found === undefined ? [] : [{ task, number: found.number }];
  });
  const told = turned(listening, options.random);
  const target = ({ index, job, user }: ServedTask): string => `${index}.${job}.${user}.${zone}`;
  const answers = told.map(({ task, number }) => ({
    ...{ name, type: TYPE.SRV, class: CLASS.IN, ttl: TTL_S },
    ...{ priority: 0, weight: 1, port: number, target: target(task) },
  }));
  const additionals = await Promise.all(
    told.map(async ({ task }) => (await options.addressesOf(task.host)).map((address) => addressRecord(target(task), address))),
  );
  return { answers, additionals: additionals.flat() };
}

/** How large the job is, or which ports the task has; for who looks with plain tools. */
function textOf(found: Extract<Found, { readonly kind: "job" | "task" }>, name: string): readonly Resource[] {
  const base = { name, type: TYPE.TXT, class: CLASS.IN, ttl: TTL_S };
  if (found.kind === "job") return [{ ...base, data: [`size=${found.size}`, `ready=${found.tasks.length}`] as never }];
  return found.tasks.map(({ ports }) => {
    const words = ports.map((port) => `${port.name}=${port.number}`.slice(0, TEXT_BYTES_MAX));
    return { ...base, data: (words.length === 0 ? ["ready"] : words) as never };
  });
}

/** Begins anywhere, so that the first is not always the same. */
function turned<T>(items: readonly T[], random: () => number): readonly T[] {
  const from = Math.floor(random() * items.length);
  return [...items.slice(from), ...items.slice(0, from)].slice(0, RECORDS_MAX);
}

/** Nobody transfers this zone: the numbers for that are what others say too. */
const soaOf = (zone: string): Resource => ({
  ...{ name: zone, type: TYPE.SOA, class: CLASS.IN, ttl: TTL_S },
  ...{ primary: zone, admin: `hostmaster.${zone}`, serial: 1, refresh: 3600, retry: 600, expiration: 86_400, minimum: TTL_S },
});

/** What who asked can take in one datagram, and not more than `bound`. */
export function datagramBytesMax(question: Packet, bound: number): number {
  const edns = question.additionals.find(({ type }) => type === TYPE.EDNS);
  return Math.min(bound, Math.max(UDP_BYTES_PLAIN, edns?.class ?? 0));
}

/** What fits a datagram; else what comes beside the answer is left out, and then the answer: with TCP all of it comes. */
export function datagramOf(question: Packet, response: Packet): Buffer {
  const most = datagramBytesMax(question, UDP_BYTES_MAX);
  const whole = response.toBuffer();
  if (whole.length <= most) return whole;
  response.additionals = response.additionals.filter(({ type }) => type === TYPE.EDNS);
  const bare = response.toBuffer();
  if (bare.length <= most) return bare;
  response.answers = [];
  response.header.tc = 1;
  return response.toBuffer();
}
