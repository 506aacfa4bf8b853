/** Machines from elsewhere at a real cell: who was invited, who waits, who pretends, and who says more than was approved. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { entryPoint } from "../../src/cli/entry-point.ts";
import { joinTicketOf, joinTicketText } from "../../src/cli/join-ticket.ts";
import { problemsOf, schemaOf } from "../../src/cli/json-schema.test.ts";
import { makeAuthority } from "../../src/rpc/certificates.ts";
import { RealCell } from "../e2e/real-cell.ts";
import { filesWith, privateKeysIn } from "./private-keys.ts";

const SIZE = ["--cpu", "0.5", "--ram", "256MiB", "--disk", "200MiB"] as const;
const JOB = ["--cpu", "10m", "--ram", "32MiB", "--disk", "10MiB"] as const;
const MIB = 2 ** 20;

const root = mkdtempSync(join(tmpdir(), "borg-join-"));
after(() => rmSync(root, { recursive: true, force: true }));
const file = (name: string): string => join(root, name);

/** The authority's, the master's and every machine's: each stays in its own directory, and none is in the journal, which a backup and every standby has. */
function noKeyLeft(cell: RealCell): void {
  const own = privateKeysIn(cell.data.path);
  const keys = new Map([...own, ...privateKeysIn(file("far")), ...privateKeysIn(file("near"))]);
  for (const name of ["master/authority.key", "master/master.key", "machines/m1/"])
    assert.ok(
      [...own.keys()].some((path) => path.includes(name)),
      `${name} is not among ${[...own.keys()]}`,
    );
  assert.ok(keys.size >= own.size + 2, "those of far and near");
  // What is there is found: the journal is neither packed nor somewhere else.
  assert.notDeepEqual(filesWith(cell.data.journal, [Buffer.from("far")]), []);
  for (const [path, parts] of keys) {
    assert.deepEqual(filesWith(cell.data.journal, parts), [], `the key of ${path}`);
    assert.equal(filesWith(cell.data.path, parts).length, own.has(path) ? 1 : 0, `the key of ${path} is in its own file and in no other`);
  }
}

/** `borg borglet` as somebody types it on another host. */
class Guest {
  said = "";
  readonly #child: ChildProcess;
  readonly ended: Promise<number>;

  constructor(cell: RealCell, ...args: readonly string[]) {
    const all = [...entryPoint(), "borglet", "--host", "127.0.0.1", ...args];
    this.#child = spawn(process.execPath, all, { env: cell.env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) stream.on("data", (piece) => (this.said += piece));
    this.ended = new Promise((resolve) => this.#child.once("close", (code) => resolve(code ?? 255)));
  }

  /** With its tasks. */
  async end(): Promise<void> {
    this.#child.kill("SIGUSR2");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 60_000);
    await this.ended;
    clearTimeout(timer);
  }
}

async function refused(guest: Guest, words: RegExp): Promise<void> {
  assert.equal(await guest.ended, 1, guest.said);
  assert.match(guest.said, words);
}

test("A private key is found in whatever form somebody wrote it, and a certificate is none [KA2]", async () => {
  const { key, certificate } = await makeAuthority("any", Date.now());
  const [directory, pem] = [file("keys"), createPrivateKey(key)];
  mkdirSync(directory);
  const forms = {
    "own.key": key,
    "own.pem": certificate,
    bytes: pem.export({ type: "pkcs8", format: "der" }),
    "broken.json": JSON.stringify({ some: key.replaceAll("\n", "\r\n") }).replaceAll("\\r\\n", "\r\n"),
    jwk: JSON.stringify(pem.export({ format: "jwk" })),
    hex: Buffer.from(pem.export({ format: "jwk" }).d as string, "base64url").toString("hex"),
  };
  for (const [name, bytes] of Object.entries(forms)) writeFileSync(join(directory, name), bytes);
  const [parts] = privateKeysIn(directory).values();
  assert.deepEqual(filesWith(directory, parts!).toSorted(), ["broken.json", "bytes", "hex", "jwk", "own.key"]);
});

test("A machine from elsewhere comes in as it was approved, and not otherwise [cell.M8] [cell.M9] [cell.M10] [KA2]", async () => {
  const cell = await RealCell.start();
  const guests: Guest[] = [];
  const dial = (...args: readonly string[]): Guest => {
    const guest = new Guest(cell, ...args);
    guests.push(guest);
    return guest;
  };
  const machine = async (name: string) => (await cell.client.getMachine({ machine: name })).machine;
  const isUp = (name: string): Promise<void> =>
    cell.until(`${name} to be up`, async () => {
      const state = (await machine(name).catch(() => undefined))?.state;
      assert.equal(state, "up", guests.at(-1)?.said ?? "");
      return true;
    });
  try {
    const invite = await cell.borg("machine", "invite", "far", ...SIZE, "--out", file("far.ticket"));
    assert.match(invite.out, /^Machine far may join within 1h, with up to 500m cores, 256 MiB ram, 200 MiB disk; the ticket/, invite.err);
    const ticket = joinTicketOf(readFileSync(file("far.ticket"), "utf8"));

    // Somebody who took the port of the cell: the machine sends its token to nobody who is not proven.
    const liar = await makeAuthority(cell.name, Date.now());
    writeFileSync(file("lie.ticket"), joinTicketText({ ...ticket, authorities: [liar.certificate] }), { mode: 0o600 });
    const wary = dial("--join", file("lie.ticket"), "--data", file("wary"));
    await cell.until("a refusal", () => wary.said.includes(`Cannot reach a master of cell ${cell.name}`));
    await wary.end();
    chmodSync(file("far.ticket"), 0o644);
    assert.equal(await dial("--join", file("far.ticket"), "--data", file("far")).ended, 6, "a ticket that others can read");
    chmodSync(file("far.ticket"), 0o600);

    const far = dial("--join", file("far.ticket"), "--data", file("far"), "--cpu", "2", "--ram", "1GiB", "--disk", "300MiB");
    await isUp("far");
    const view = await machine("far");
    assert.deepEqual([view?.capacity?.cpuMilli, view?.capacity?.ramBytes, view?.claimed?.cpuMilli], [500, 256 * MIB, 2000]);
    await cell.until("words for its owner", () => far.said.includes("The cell approved --cpu 0.5 --ram 256MiB --disk 200MiB"));
    const listed = await cell.borg("ls", "machines");
    assert.match(
      listed.out,
      /far: says it has 2 cores, 1 GiB ram, 300 MiB disk, and less was approved \(borg machine approve far --cpu 2 /,
    );

    await cell.borg("drain", "m1");
    const ran = await cell.borg("run", "there", ...JOB, "--wait", "--", "echo", "from afar");
    assert.deepEqual([ran.code, ran.out], [0, "from afar\n"], ran.err);
    assert.match((await cell.borg("show", "there/0")).out, /far/);
    await cell.borg("undrain", "m1");
    assert.equal((await cell.borg("machine", "approve", "far", "--cpu", "1", "--ram", "256MiB", "--disk", "200MiB")).code, 0);
    await cell.until("more to count", async () => (await machine("far"))?.capacity?.cpuMilli === 1000);

    await refused(dial("--join", file("far.ticket"), "--data", file("thief")), /The token is not good for machine "far": it was used/);

    assert.equal((await cell.borg("machine", "invite", "--out", file("open.ticket"))).code, 0);
    await refused(
      dial("--join", file("open.ticket"), "--name", "m1", "--data", file("posing")),
      /Machine "m1" is of the cell's own directory/,
    );
    const again = dial("--join", file("open.ticket"), "--name", "far", "--data", file("again"));
    const near = dial("--join", file("open.ticket"), "--name", "near", "--data", file("near"));
    await cell.until("both to wait", async () => (await cell.client.listJoins({})).requests.length === 2);
    const pending = JSON.parse((await cell.borg("machine", "pending", "--json")).out);
    assert.deepEqual(problemsOf(schemaOf("machine-pending"), pending), []);
    assert.equal((await cell.borg("machine", "deny", "far")).code, 0);
    await refused(again, /Machine "far" was denied/);
    const { fingerprint } = pending.waiting.find((each: { readonly machine: string }) => each.machine === "near");
    assert.ok(near.said.includes(`borg machine approve near --fingerprint ${fingerprint} --cpu `), near.said);
    const wrong = "0".repeat(64);
    assert.equal((await cell.borg("machine", "approve", "near", "--fingerprint", wrong, ...SIZE)).code, 0);
    await cell.borg("machine", "remove", "near");
    assert.equal((await cell.borg("machine", "approve", "near", "--fingerprint", fingerprint, ...SIZE)).code, 0);
    await isUp("near");

    // Its certificate is good for a year; it is out all the same, and stays out.
    await cell.until("far to be empty", async () => (await cell.borg("machine", "remove", "far")).code === 0);
    await cell.until("far to be told", () => far.said.includes('Machine "far" is not approved with this key (any more)'));
    assert.equal((await cell.client.listMachines({})).machines.map(({ name }) => name).join(), "m1,near");
    await near.end();
    const back = dial("--data", file("near"));
    await cell.until("near to say that it serves", () => back.said.includes(`Machine near serves cell ${cell.name}`));
    noKeyLeft(cell);
  } finally {
    await Promise.all(guests.map((guest) => guest.end()));
    await cell.close();
  }
});
