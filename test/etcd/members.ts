/** Real etcd members on loopback ports of their own, with their data in a temporary directory, for as long as a test needs them. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EtcdClient, type EtcdTls } from "../../src/store/etcd-client.ts";

const START_MS = 20_000;
const LOOK_MS = 50;

/** Why no test here can run; undefined when one can. */
export function missing(): string | undefined {
  return spawnSync("etcd", ["--version"]).status === 0 ? undefined : "no etcd here: Debian's etcd-server is not installed";
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Files for a member that talks TLS with its clients. */
export interface ServerTls {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly authorityFile: string;
  /** How the test itself gets in. */
  readonly client: EtcdTls;
}

interface Member {
  readonly name: string;
  readonly client: number;
  readonly peer: number;
  process: ChildProcess | undefined;
}

export class Members {
  readonly #members: readonly Member[];
  readonly #directory: string;
  readonly #tls: ServerTls | undefined;
  readonly #flags: readonly string[];

  private constructor(members: readonly Member[], tls: ServerTls | undefined, flags: readonly string[]) {
    this.#members = members;
    this.#tls = tls;
    this.#flags = flags;
    this.#directory = mkdtempSync(join(tmpdir(), "etcd-"));
  }

  static async start(count: number, tls?: ServerTls, flags: readonly string[] = []): Promise<Members> {
    const members: Member[] = [];
    for (let i = 0; i < count; i++) members.push({ name: `m${i}`, client: await freePort(), peer: await freePort(), process: undefined });
    const all = new Members(members, tls, flags);
    for (let i = 0; i < count; i++) all.run(i);
    try {
      await all.ready();
    } catch (cause) {
      await all.stop();
      throw cause;
    }
    return all;
  }

  get urls(): readonly string[] {
    return this.#members.map(({ client }) => `${this.#scheme}://127.0.0.1:${client}`);
  }

  port(index: number): number {
    return this.#members[index]!.client;
  }

  /** Starts a member that is down, on the data it had. */
  run(index: number): void {
    const member = this.#members[index]!;
    const peers = this.#members.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join(",");
    const { client, peer, name } = member;
    const clientUrl = `${this.#scheme}://127.0.0.1:${client}`;
    const tls = this.#tls;
    const secure =
      tls === undefined
        ? []
        : ["--client-cert-auth", "--cert-file", tls.certificateFile, "--key-file", tls.keyFile, "--trusted-ca-file", tls.authorityFile];
    const flags = [
      "--name",
      name,
      "--data-dir",
      join(this.#directory, name),
      "--initial-cluster",
      peers,
      "--log-level",
      "error",
      ...secure,
    ];
    const urls = ["--listen-client-urls", clientUrl, "--advertise-client-urls", clientUrl];
    const peerUrls = ["--listen-peer-urls", `http://127.0.0.1:${peer}`, "--initial-advertise-peer-urls", `http://127.0.0.1:${peer}`];
    member.process = spawn("etcd", [...flags, ...urls, ...peerUrls, ...this.#flags], { stdio: "ignore" });
  }

  kill(index: number, signal: NodeJS.Signals = "SIGKILL"): void {
    const member = this.#members[index]!;
    member.process?.kill(signal);
    if (signal === "SIGKILL") member.process = undefined;
  }

  /** Until etcd answers a linearizable read. */
  async ready(): Promise<void> {
    const client = new EtcdClient({ urls: this.urls, ...(this.#tls === undefined ? {} : { tls: this.#tls.client }) });
    const until = Date.now() + START_MS;
    try {
      for (;;) {
        const answer = await new Promise<string>((resolve) =>
          client.ask({ type: "txn", guards: [], ops: [{ type: "get", key: "ready" }], otherwise: [] }, ({ type }) => resolve(type)),
        );
        if (answer === "txn") return;
        if (Date.now() > until) throw new Error(`etcd did not start within ${START_MS} ms`);
        await wait(LOOK_MS);
      }
    } finally {
      client.close();
    }
  }

  async stop(): Promise<void> {
    const ended = this.#members.flatMap(({ process }) => {
      if (process === undefined || process.exitCode !== null || process.signalCode !== null) return [];
      return [new Promise((resolve) => process.once("exit", resolve))];
    });
    for (const { process } of this.#members) process?.kill("SIGKILL");
    await Promise.all(ended);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get #scheme(): string {
    return this.#tls === undefined ? "http" : "https";
  }
}
