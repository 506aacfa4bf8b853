/**
 * What a task of a machine is told when it asks for a name: the cell's own names by a master of the cell, all others by the machine's own resolvers. It remembers
 * nothing, so that nobody is believed in for longer than the master's answer lives; and it changes nothing in an answer but what a datagram has no room for.
 */
import { Packet } from "dns2";
import { datagramBytesMax, type Reply } from "./answer.ts";
import { zoneOf, zonesOf } from "./zone.ts";

export interface ResolverOptions {
  readonly cell: string;
  /** Behind `cc.borg`; empty: nothing. */
  readonly domain: string;
  /** Undefined: no answer. Both get the question as it came. */
  readonly askCell: (bytes: Buffer) => Promise<Buffer | undefined>;
  readonly askOthers: (bytes: Buffer, isDatagram: boolean) => Promise<Buffer | undefined>;
  readonly limits?: Partial<ResolverLimits>;
}

/** Questions that wait at a time; further ones are told that they cannot be answered now. Who floods one kind leaves the other alone. */
export interface ResolverLimits {
  readonly cell: number;
  readonly others: number;
}

export const RESOLVER_LIMITS: ResolverLimits = { cell: 48, others: 200 };

const { TYPE, RCODE } = Packet;
const IXFR = 251;
const QUERY = 0;
/** Loopback takes more than a network does. */
const DATAGRAM_BYTES_MAX = 4096;
const HEADER_BYTES = 12;
const TYPE_AND_CLASS_BYTES = 4;
/** In the header: the answer is cut off; this server asks others. */
const TRUNCATED = 0x02;
const RECURSION = 0x80;

export function resolverReply(options: ResolverOptions): Reply {
  const { askCell, askOthers } = options;
  const limits = { ...RESOLVER_LIMITS, ...options.limits };
  const zones = zonesOf(options.cell, options.domain);
  const open = { cell: 0, others: 0 };
  const asked = async (whom: keyof ResolverLimits, ask: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> => {
    if (open[whom] >= limits[whom]) return undefined;
    open[whom] += 1;
    try {
      return await ask();
    } finally {
      open[whom] -= 1;
    }
  };
  return async (question, isDatagram, bytes) => {
    const [{ name, type }] = question.questions as [(typeof question.questions)[0]];
    if (question.header.opcode !== QUERY) return refusal(question, RCODE.NOTIMP);
    if (type === TYPE.AXFR || type === IXFR) return refusal(question, RCODE.REFUSED);
    const isOwn = zoneOf(name.toLowerCase().replace(/\.$/, ""), zones) !== undefined;
    const answer = isOwn ? await asked("cell", () => askCell(bytes)) : await asked("others", () => askOthers(bytes, isDatagram));
    if (answer === undefined) return refusal(question, RCODE.SERVFAIL);
    answer[3]! |= RECURSION;
    return isDatagram && answer.length > datagramBytesMax(question, DATAGRAM_BYTES_MAX) ? cutOff(answer) : answer;
  };
}

function refusal(question: Packet, rcode: number): Buffer {
  const response = Packet.createResponseFromRequest(question);
  response.header.rcode = rcode;
  response.header.ra = 1;
  response.additionals = [];
  return response.toBuffer();
}

/** Only the question, and that there is more: TCP gives it whole. */
function cutOff(answer: Buffer): Buffer {
  const bare = Buffer.from(answer.subarray(0, questionEnd(answer)));
  bare[2]! |= TRUNCATED;
  bare.fill(0, 6, HEADER_BYTES);
  return bare;
}

/** Behind the one question of a message; at the header's end where it has none. */
export function questionEnd(bytes: Buffer): number {
  if (bytes.length < HEADER_BYTES || bytes.readUInt16BE(4) !== 1) return HEADER_BYTES;
  let at = HEADER_BYTES;
  while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1;
  return Math.min(bytes.length, at + 1 + TYPE_AND_CLASS_BYTES);
}
