/** DNS beside the API: the names room answers from the API's own copy of the cell. It is loaded when it is wanted, and tries again while somebody else has its port. */
import type { DnsPlace, DnsServer } from "../../bns/server.ts";
import type { Directory, Served } from "../../bns/zone.ts";
import { meantBy, namedPorts, serves } from "../../borgmaster/api/resolve.ts";
import type { CellState } from "../../cell/state.ts";

export interface DnsData {
  readonly host: string;
  readonly port: number;
  readonly domain: string;
  /** A Unix socket at which this machine's resolver asks; undefined: it has none. */
  readonly door: string | undefined;
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

/** Until `close`. Without it the cell goes on as it is. Through the door only the master that leads tells names; another one says that it cannot. */
export function serveDns(data: DnsData, state: () => CellState, leads: () => boolean, log: (line: string) => void): Closable {
  const { host, port, domain, door } = data;
  const directory = new CellDirectory(state);
  const open = async (at: DnsPlace, asked: Directory): Promise<DnsServer> => {
    const [{ DnsServer: Server }, { Hosts }, { replyBy }] = await Promise.all([
      import("../../bns/server.ts"),
      import("../../bns/hosts.ts"),
      import("../../bns/answer.ts"),
    ]);
    const hosts = new Hosts();
    const addressesOf = (name: string): Promise<readonly string[]> => hosts.addressesOf(name);
    return Server.listen({ at, reply: replyBy({ directory: asked, domain, addressesOf, random: Math.random }), log });
  };
  const servers = [kept(() => open({ kind: "port", host, port }, directory), `${host}:${port}, by DNS`, log)];
  if (door !== undefined)
    servers.push(kept(() => open({ kind: "door", path: door }, whileLeading(directory, leads)), "the door of tasks", log));
  return { close: async () => void (await Promise.all(servers.map((each) => each.close()))) };
}

/** A directory that does not know its cell can tell nothing. */
const whileLeading = (directory: Directory, leads: () => boolean): Directory => ({
  get cell() {
    return leads() ? directory.cell : "";
  },
  hasUser: (user) => directory.hasUser(user),
  job: (user, job) => directory.job(user, job),
  service: (user, service) => directory.service(user, service),
});

interface Closable {
  close(): Promise<void>;
}

/** Tries again while it cannot be opened. */
function kept(open: () => Promise<DnsServer>, where: string, log: (line: string) => void): Closable {
  let server: DnsServer | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let said = "";
  const tryOnce = async (): Promise<void> => {
    try {
      server = await open();
      if (isClosed) await server.close();
      else log(`Names are told at ${where}`);
    } catch (error) {
      const problem = `No names at ${where}: ${error instanceof Error ? error.message : String(error)}`;
      if (problem !== said) log(problem);
      said = problem;
      if (!isClosed) timer = setTimeout(() => void tryOnce(), AGAIN_MS);
    }
  };
  void tryOnce();
  return {
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await server?.close();
    },
  };
}
