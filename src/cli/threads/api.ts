/** The API thread of a master: the port that users speak to, and a copy of the cell that answers their reads. The master's own thread never parses a request. */
import { createHash } from "node:crypto";
import { workerData } from "node:worker_threads";
import { Copy } from "../../borgmaster/copy.ts";
import type { ToFollower } from "../../borgmaster/message.ts";
import { Packer, unpack } from "../../borgmaster/packing.ts";
import { isTokenValid } from "../../cell/tokens.ts";
import { ApiServer } from "../../rpc/server.ts";
import type { Identity } from "../../rpc/service.ts";
import { openThread } from "../../shell/thread-side.ts";
import type { Usage } from "../../wire/gen/borg/v1/machine_pb.ts";
import { API } from "./addresses.ts";
import { apiHandlers } from "./api-handlers.ts";
import { Questions } from "./questions.ts";

export interface ApiThreadData {
  readonly host: string;
  readonly port: number;
  readonly hosts: readonly string[];
  /** The cell's owner, and the SHA-256 of the token in the owner's file. */
  readonly owner: string;
  readonly ownerHash: string;
  readonly schedulers: readonly string[];
}

const data = workerData as ApiThreadData;
const copy = new Copy();
const questions = new Questions();
let waiting = new Set<() => void>();

function nextEntry(withinMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      waiting.delete(done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, withinMs);
    signal.addEventListener("abort", done);
    waiting.add(done);
  });
}

/** Tokens are compared by their hashes: what is looked up tells nothing of the secret. */
function identify(token: string): Identity | undefined {
  const hash = createHash("sha256").update(token).digest("hex");
  if (hash === data.ownerHash) return { user: data.owner };
  for (const user of copy.state.users.values()) {
    const found = user.tokens.get(hash);
    if (found !== undefined) return isTokenValid(found, Date.now()) ? { user: user.id } : undefined;
  }
  return undefined;
}

function hear(body: Readonly<Record<string, unknown>>): void {
  const { type } = body;
  if (type === "restore" || type === "entry") {
    copy.hear(body as unknown as ToFollower);
    const woken = waiting;
    waiting = new Set();
    for (const wake of woken) wake();
  } else if (type === "usage") {
    const { machine, usage } = unpack(body) as { readonly machine: string; readonly usage: readonly Usage[] };
    copy.usage.learn(machine, usage, Date.now());
  } else questions.answer(body);
}

openThread((side) => {
  const packer = new Packer();
  const send = (to: string, message: object): void => {
    const { body, bytes } = packer.pack(message);
    side.send(API, to, body, bytes);
  };
  let server: ApiServer | undefined;
  ApiServer.listen({
    host: data.host,
    port: data.port,
    hosts: data.hosts,
    handlers: apiHandlers({ copy, questions, send, nextEntry, threads: data.schedulers }),
    identify,
    log: (line) => side.log(line),
  }).then(
    (listening) => {
      server = listening;
      side.ready({ port: listening.address.port });
    },
    (error: unknown) => side.fail(error instanceof Error ? error.message : String(error), 1),
  );
  return { onLetter: ({ body }) => hear(body as Readonly<Record<string, unknown>>), onStop: () => server?.close() };
});
