/** What is fuzzed: a real master with its threads and its journal on disk, an admin's token and a machine's key. It has no machines but the fuzzer's. */
import { createHash, randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Keys } from "../../src/daemon/keys.ts";
import type { KeyAndCertificate } from "../../src/rpc/certificates.ts";
import { Band } from "../../src/wire/gen/borg/v1/resource_pb.ts";
import { RealCell } from "../e2e/real-cell.ts";

/** What the cell says of itself at one position. */
export interface Glance {
  readonly hash: string;
  readonly machinesReachable: number;
}

export class Target {
  /** Its Unix sockets: what is said there reaches the same code as what comes out of TLS. */
  readonly api: string;
  readonly link: string;
  /** Where strangers reach it. */
  readonly port: number;
  /** An admin's. */
  readonly token: string;
  /** Machine m1's. */
  readonly identity: KeyAndCertificate;
  readonly #cell: RealCell;
  readonly #pid: number;
  #longestMs = 0;
  #writes = 0;

  static async start(t: TestContext): Promise<Target> {
    const cell = await RealCell.start(0);
    t.after(() => cell.close());
    const token = `borg_${randomBytes(32).toString("base64url")}`;
    const hash = createHash("sha256").update(token).digest("hex");
    await cell.client.createToken({ requestId: "token", user: "tester", hash });
    return new Target(cell, token);
  }

  private constructor(cell: RealCell, token: string) {
    this.api = cell.data.socket("api");
    this.link = cell.data.socket("link");
    this.port = cell.data.readCell()!.port;
    this.token = token;
    this.identity = new Keys(cell.data, cell.name).machine("m1");
    this.#cell = cell;
    this.#pid = cell.pid("master");
  }

  /** Its hash changes when anything that was accepted changed anything, and never else. */
  async glance(): Promise<Glance> {
    const { hash, machinesReachable } = await this.#cell.client.getCell({ hash: true });
    return { hash, machinesReachable };
  }

  async stateHash(): Promise<string> {
    return (await this.glance()).hash;
  }

  /** Writes something of its own: whatever was taken before it is in the cell's state when it is answered. */
  async settle(): Promise<void> {
    await sleep(20);
    this.#writes += 1;
    const quota = { limit: { cpuMilli: this.#writes } };
    await this.#cell.client.setQuota({ requestId: `settle-${this.#writes}`, user: "tester", band: Band.BATCH, quota });
  }

  /** What it noticed that must never happen. */
  async problems(): Promise<readonly string[]> {
    const { pid } = await this.#ask();
    const failed = /^.* (?:failed|ended|Thread).*$/m.exec(this.#cell.logs())?.[0];
    return [...(pid === this.#pid ? [] : ["The master was started again"]), ...(failed === undefined ? [] : [failed])];
  }

  /** The longest that its main thread was held up since the start. */
  async delayMaxMs(): Promise<number> {
    await this.#ask();
    return this.#longestMs;
  }

  /** What the master says of its turns begins anew whenever it is asked. */
  async #ask(): Promise<{ readonly pid: number }> {
    const view = await this.#cell.client.getMaster({});
    this.#longestMs = Math.max(this.#longestMs, view.longestStepMs, view.loopDelayMaxMs);
    return view;
  }
}
