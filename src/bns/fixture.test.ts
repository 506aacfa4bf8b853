/** A cell that a test makes up, and questions to it. */
import { Packet } from "dns2";
import { type AnswerOptions, answer } from "./answer.ts";
import type { Directory, Served, ServedTask } from "./zone.ts";

export const task = (
  job: string,
  index: number,
  host: string,
  ports: Readonly<Record<string, number>> = { http: 20_000 + index },
): ServedTask => ({
  ...{ user: "ubar", job, index, host },
  ports: Object.entries(ports).map(([name, number]) => ({ name, number })),
});

/** Job jfoo with 60 tasks, of which 50, 51 and 52 are ready; job idle with none; the service site. */
export class FakeDirectory implements Directory {
  cell = "cc";
  readonly jobs = new Map<string, Served>([
    ["ubar/jfoo", { size: 60, tasks: [task("jfoo", 50, "10.0.0.1"), task("jfoo", 51, "10.0.0.2"), task("jfoo", 52, "10.0.0.1")] }],
    ["ubar/idle", { size: 2, tasks: [] }],
    ["ubar/six", { size: 1, tasks: [task("six", 0, "fd00::7", { http: 20_100, debug: 20_101 })] }],
    ["ubar/named", { size: 1, tasks: [task("named", 0, "host-7")] }],
  ]);

  hasUser(user: string): boolean {
    return user === "ubar";
  }

  job(user: string, job: string): Served | undefined {
    return this.jobs.get(`${user}/${job}`);
  }

  service(user: string, service: string): Served | undefined {
    return service === "site" ? this.job(user, "jfoo") : undefined;
  }
}

export const optionsFor = (directory: Directory, domain = ""): AnswerOptions => ({
  directory,
  domain,
  addressesOf: async (host) => (host === "host-7" ? ["10.0.0.7", "fd00::77"] : [host]),
  random: () => 0,
});

export function questionFor(
  name: string,
  type: number,
  more: { readonly udpPayloadSize?: number; readonly version?: number } = {},
): Packet {
  const packet = new Packet();
  packet.header = new Packet.Header({ id: 7, rd: 1 });
  packet.questions.push(new Packet.Question(name, type, Packet.CLASS.IN));
  if (Object.keys(more).length > 0) packet.additionals.push(Packet.Resource.EDNS([], more));
  // As it comes from the wire.
  return Packet.parse(packet.toBuffer());
}

const RCODES = new Map<number, string>(Object.entries(Packet.RCODE).map(([name, code]) => [code, name]));

const recordText = (record: Packet["answers"][number]): string => {
  const data = record as typeof record & { data?: unknown; target?: string; port?: number; minimum?: number };
  if (record.type === Packet.TYPE.SRV) return `SRV ${data.target}:${data.port}`;
  if (record.type === Packet.TYPE.TXT) return `TXT ${[data.data].flat().join(" ")}`;
  if (record.type === Packet.TYPE.SOA) return `SOA ${record.name} ${data.minimum}`;
  return `${Packet.typeName(record.type)} ${record.address}`;
};

/** What was answered, in one line: the code, the records, and behind `;` the authority. */
export function textOf(response: Packet): string {
  const answers = response.answers.map(recordText).join(", ");
  const authority = response.authorities.map(recordText).join(", ");
  return `${RCODES.get(response.header.rcode)}${answers === "" ? "" : ` ${answers}`}${authority === "" ? "" : `; ${authority}`}`;
}

export async function ask(options: AnswerOptions, name: string, type: number): Promise<string> {
  return textOf(Packet.parse((await answer(questionFor(name, type), options)).toBuffer()));
}
