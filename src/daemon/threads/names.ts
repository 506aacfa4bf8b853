/** DNS beside the API: the names room answers from the API's own copy of the cell. It is loaded when it is wanted, and tries again while somebody else has its port. */
import type { DnsServer } from "../../bns/server.ts";
import type { Directory, Served } from "../../bns/zone.ts";
import { meantBy, namedPorts, serves } from "../../borgmaster/api/resolve.ts";
import type { CellState } from "../../cell/state.ts";

export interface DnsData {
  readonly host: string;
  readonly port: number;
  readonly domain: string;
}

/** What was looked at is believed for so long: a job of ten thousand tasks is not gone through for every question. */
const LOOKED_MS = 500;
/** More are looked at anew. */
const LOOKED_MAX = 1000;
const AGAIN_MS = 5000;

/** The cell as the names room sees it. */
export class CellDirectory implements Directory {
  readonly #state: () => CellState;
  readonly #now: () => number;
  readonly #looked = new Map<string, { readonly untilMs: number; readonly served: Served | undefined }>();

  constructor(state: () => CellState, now: () => number = () => performance.now()) {
    this.#state = state;
    this.#now = now;
  }

  get cell(): string {
    return this.#state().name;
  }

  hasUser(user: string): boolean {
    return this.#state().users.has(user as never);
  }

  job(user: string, job: string): Served | undefined {
    return this.#look(`${user}/${job}`, { name: `${user}/${job}`, user: "", service: "" });
  }

  service(user: string, service: string): Served | undefined {
    return this.#look(`${user} ${service}`, { name: "", user, service });
  }

  #look(key: string, asked: Parameters<typeof meantBy>[1]): Served | undefined {
    const nowMs = this.#now();
    const before = this.#looked.get(key);
    if (before !== undefined && before.untilMs > nowMs) return before.served;
    if (this.#looked.size >= LOOKED_MAX) this.#looked.clear();
    const served = servedBy(this.#state(), asked);
    this.#looked.set(key, { untilMs: nowMs + LOOKED_MS, served });
    return served;
  }
}

function servedBy(state: CellState, asked: Parameters<typeof meantBy>[1]): Served | undefined {
  const meant = meantBy(state, asked);
  if (meant === undefined || meant.kind === "task") return undefined;
  const tasks = meant.tasks.filter(serves).map(({ job, index, instance }) => ({
    user: job.owner,
    job: job.id.slice(job.owner.length + 1),
    index,
    host: instance!.place.machine.facts.host,
    ports: namedPorts(instance!),
  }));
  return { size: meant.size, tasks };
}

/** Until `close`. Without it the cell goes on as it is. */
export function serveDns({ host, port, domain }: DnsData, state: () => CellState, log: (line: string) => void): { close(): Promise<void> } {
  let server: DnsServer | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let said = "";
  const directory = new CellDirectory(state);
  const open = async (): Promise<void> => {
    try {
      const [{ DnsServer: Server }, { Hosts }] = await Promise.all([import("../../bns/server.ts"), import("../../bns/hosts.ts")]);
      const hosts = new Hosts();
      const addressesOf = (name: string): Promise<readonly string[]> => hosts.addressesOf(name);
      server = await Server.listen({ host, port, domain, directory, addressesOf, random: Math.random, log });
      if (isClosed) await server.close();
      else log(`Names are told at ${host}:${port}, by DNS`);
    } catch (error) {
      const problem = `No DNS at ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
      if (problem !== said) log(problem);
      said = problem;
      if (!isClosed) timer = setTimeout(() => void open(), AGAIN_MS);
    }
  };
  void open();
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await server?.close();
    },
  };
}
