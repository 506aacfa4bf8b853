/**
 * A crowd of hostile users of one cell, in a process of its own: each has a token and one way to cost others something, and does it without end. What the cell says
 * does not matter to them; they are told the cell and their time by a message, and tell how many calls were answered, refused and cut off.
 */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { CallError } from "../src/rpc/call-error.ts";
import { type CellAddress, type CellClient, connectCell } from "../src/rpc/client.ts";

export interface Crowd {
  readonly at: Extract<CellAddress, { readonly kind: "tls" }>;
  readonly tokens: readonly { readonly user: string; readonly token: string }[];
  readonly seconds: number;
}

export interface CrowdFigures {
  readonly answered: number;
  readonly refused: number;
  readonly told: Readonly<Record<string, number>>;
}

/** One user: what it needs for its attack. */
interface Hostile {
  readonly at: Crowd["at"];
  readonly client: CellClient;
  readonly user: string;
  readonly token: string;
  /** Counts a call, whatever becomes of it. */
  readonly call: (made: Promise<unknown>) => Promise<void>;
}

type Attack = (hostile: Hostile, round: number) => Promise<void>;

const AT_ONCE = 16;
const POLLS = 40;
const SOCKETS = 30;
const LARGE = [0, 1, 2].map((i) => ({ path: `/f${i}`, content: randomBytes(262_144) }));

const id = (): string => randomBytes(8).toString("hex");
const large = (user: string, name: string) => ({ user, name, count: 1, task: { command: ["x"], files: LARGE, limit: { cpuMilli: 1 } } });

/** Each is what once cost a cell dearly; together they are every kind that the cell's bounds are for. */
const ATTACKS: Readonly<Record<string, Attack>> = {
  largeSubmits: ({ client, user, call }, round) => call(client.submitJob({ requestId: id(), spec: large(user, `large-${round % 2000}`) })),
  killedSubmits: async ({ client, user, call }, round) => {
    await call(client.submitJob({ requestId: id(), spec: large(user, `killed-${round % 50}`) }));
    await call(client.killJob({ requestId: id(), job: `${user}/killed-${round % 50}` }));
  },
  hungryRequests: async ({ client, user, call }, round) => {
    const spec = { user, name: `wide-${round % 5}`, count: 100_000, task: { command: ["x"], limit: { cpuMilli: 1 } } };
    await call(client.submitJob({ requestId: id(), spec }));
    await call(client.killJob({ requestId: id(), job: `${user}/wide-${round % 5}` }));
  },
  tasksWithoutLimits: async ({ client, user, call }, round) => {
    const spec = { user, name: `free-${round % 20}`, count: 20, task: { command: ["/bin/sleep", "1000"] } };
    await call(client.submitJob({ requestId: id(), spec }));
    await call(client.killJob({ requestId: id(), job: `${user}/free-${round % 20}` }));
  },
  dryRuns: ({ client, user, call }) =>
    call(client.checkJob({ spec: { user, name: "dry", count: 100_000, task: { command: ["x"], limit: { cpuMilli: 1 } } } })),
  longPolls: async ({ client, call }) => {
    const polls = Array.from({ length: POLLS }, (_, i) =>
      i % 2 === 0 ? client.readEvents({ about: "nobody", waitMs: 20_000 }) : client.readFeed({ from: 1, waitMs: 20_000 }),
    );
    await Promise.all(polls.map(call));
  },
  refusedSubmits: ({ client, call }) => call(client.submitJob({ requestId: id(), spec: large("somebody-else", "mine") })),
  heavyReads: async ({ client, call }) => {
    await call(client.listJobs({ dead: true, limit: 10_000 }));
    await call(client.listTasks({ limit: 10_000 }));
    await call(client.readFeed({ from: 0 }));
  },
  slowReaders: async (hostile) => {
    const sockets = Array.from({ length: SOCKETS }, () => unread(hostile));
    await sleep(3000);
    for (const socket of sockets) socket.destroy();
  },
  halfHandshakes: async ({ at }) => {
    const { hostname, port } = new URL(at.url);
    const sockets = Array.from({ length: SOCKETS }, () => halfOpen(hostname, Number(port)));
    await sleep(1000);
    for (const socket of sockets) socket.destroy();
  },
  churn: async ({ at }) => {
    await new Promise<void>((resolve) => {
      const socket = secure(at);
      socket.once("secureConnect", () => socket.destroy());
      socket.once("close", () => resolve());
    });
  },
};

/** Those for which one at a time is the attack. */
const ALONE: ReadonlySet<string> = new Set(["longPolls", "slowReaders", "halfHandshakes"]);

function secure({ url, authorities }: Crowd["at"]) {
  const { hostname, port } = new URL(url);
  const socket = connectTls({ host: hostname, port: Number(port), ca: [...authorities], checkServerIdentity: () => undefined });
  return socket.on("error", () => {});
}

/** Asks for much, and takes nothing of the answer. */
function unread({ at, token }: Hostile): Socket {
  const socket = secure(at);
  const body = '{"limit":2000,"dead":true}';
  socket.once("secureConnect", () => {
    socket.pause();
    socket.write(
      `POST /borg.v1.CellService/ListJobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
  return socket;
}

/** The first bytes of a handshake, and then nothing. */
function halfOpen(host: string, port: number): Socket {
  const socket = connect(port, host, () => socket.write(Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])));
  return socket.on("error", () => {});
}

async function attackOn(crowd: Crowd): Promise<CrowdFigures> {
  const figures = { answered: 0, refused: 0, told: {} as Record<string, number> };
  const endMs = performance.now() + crowd.seconds * 1000;
  const call = async (made: Promise<unknown>): Promise<void> => {
    try {
      await made;
      figures.answered += 1;
    } catch (error) {
      figures.refused += 1;
      const code = error instanceof CallError ? error.code : "other";
      figures.told[code] = (figures.told[code] ?? 0) + 1;
    }
  };
  const names = Object.keys(ATTACKS);
  await Promise.all(
    crowd.tokens.map(async ({ user, token }, i) => {
      const name = names[i % names.length] as string;
      const client = connectCell({ at: crowd.at, token, timeoutMs: 30_000 });
      const hostile: Hostile = { at: crowd.at, client, user, token, call };
      const one = async (lane: number): Promise<void> => {
        for (let round = lane; performance.now() < endMs; round += AT_ONCE) {
          await (ATTACKS[name] as Attack)(hostile, round);
          // A connection that is refused at once must not become a loop that never waits.
          await sleep(1);
        }
      };
      await Promise.race([
        Promise.all(Array.from({ length: ALONE.has(name) ? 1 : AT_ONCE }, (_, lane) => one(lane))),
        sleep(crowd.seconds * 1000 + 1000),
      ]);
      client.close();
    }),
  );
  return figures;
}

process.once("message", (crowd: Crowd) => {
  void attackOn(crowd).then((figures) => process.send?.(figures, () => process.exit(0)));
});
