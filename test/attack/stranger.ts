/** A user of a real cell who has a token and nothing else. */
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Keys } from "../../src/daemon/keys.ts";
import { CallError } from "../../src/rpc/call-error.ts";
import { type CellClient, connectCell } from "../../src/rpc/client.ts";
import type { RealCell } from "../e2e/real-cell.ts";

const TRIES_MAX = 100;

export async function stranger(cell: RealCell, user: string): Promise<CellClient> {
  const token = randomBytes(32).toString("base64url");
  await cell.client.createToken({
    requestId: randomBytes(8).toString("hex"),
    user,
    hash: createHash("sha256").update(token).digest("hex"),
  });
  const { host, port } = cell.data.readCell()!;
  const authorities = new Keys(cell.data, cell.name).authorities();
  return connectCell({ at: { kind: "tls", url: `https://${host}:${port}`, cell: cell.name, authorities }, token, timeoutMs: 10_000 });
}

/** Who is told to slow down comes again. */
export async function patient<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== "unavailable" || tries === TRIES_MAX) throw error;
      await sleep(error.retryAfterMs ?? 100);
    }
  }
}
