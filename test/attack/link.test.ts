/**
 * A plain user of the cell's host without any token: at the port of borglets as if he were one, or a master among them, and at the borglet's own port as if he were its
 * master. He is told why not, and neither the machine nor what runs on it notices.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { test } from "node:test";
import { connect } from "node:tls";
import { listeningSockets } from "../../src/borglet/linux/ports.ts";
import { Keys } from "../../src/daemon/keys.ts";
import { derOf, makeAuthority, makeMaster, makeRequest, signMachine } from "../../src/rpc/certificates.ts";
import { decodeFrame, encodeFrame, type FrameBody, FrameDecoder } from "../../src/rpc/link-frame.ts";
import { proveMachine } from "../../src/rpc/link-identity.ts";
import { instancePids, RealCell } from "../e2e/real-cell.ts";
import { asNobody, isRoot } from "../nobody.ts";

const HANG_MS = 20_000;
const ABSURD = 1e12;
const ORDERS: FrameBody = {
  case: "poll",
  value: {
    term: ABSURD,
    sequence: 1,
    orders: [
      { body: { case: "stop", value: { instance: "tester/steady/0:1" } } },
      { body: { case: "start", value: { instance: "mallory/mine/0:1", task: { command: ["sleep", "600"] } } } },
    ],
  },
};

/** Says these frames when the other side has said something, or at once; answers with the reason it was told, or with nothing when it was just hung up on. */
function said(port: number, frames: (nonce: Uint8Array) => readonly FrameBody[], waits: boolean): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
  const decoder = new FrameDecoder();
  let reason = "";
  const say = (nonce: Uint8Array): void => {
    for (const frame of frames(nonce)) socket.write(encodeFrame(frame)!);
  };
  socket.on("error", () => {});
  if (!waits) socket.once("secureConnect", () => say(new Uint8Array(32)));
  socket.on("data", (bytes: Uint8Array) => {
    decoder.push(bytes, (whole) => {
      const frame = decodeFrame(whole);
      if (!frame.ok) return true;
      const { body } = frame.value;
      if (body.case === "challenge") say(body.value.nonce);
      else if (body.case === "closed") reason = body.value.reason;
      else reason = `was answered ${body.case}`;
      return true;
    });
  });
  const timer = setTimeout(() => {
    reason = "was listened to";
    socket.destroy();
  }, HANG_MS);
  return new Promise((resolve) =>
    socket.once("close", () => {
      clearTimeout(timer);
      resolve(reason);
    }),
  );
}

/** Ports on which this process listens. */
function portsOf(pid: number): readonly number[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      } catch {
        return undefined;
      }
    }),
  );
  return [...listeningSockets()].filter(([, sockets]) => sockets.some(({ inode }) => own.has(inode))).map(([port]) => port);
}

test("without a token nobody is a borglet, and nobody commands one [KA2] [KL2] [KB2]", async () => {
  const cell = await RealCell.start();
  try {
    await cell.borg("run", "steady", "--cpu", "10m", "--ram", "32MiB", "--disk", "10MiB", "--", "sleep", "600");
    await cell.running("tester/steady", 1);
    await cell.until("its process", () => instancePids(cell.name).size > 0);
    const before = instancePids(cell.name);
    const { linkPort } = cell.data.readCell()!;

    const now = Date.now();
    const own = await makeAuthority(cell.name, now);
    const { key, request } = await makeRequest("m1");
    const made = { key, certificate: (await signMachine(own, request, { cell: cell.name, machine: "m1" }, now))! };
    const stolen = { key, certificate: new Keys(cell.data, cell.name).machine("m1").certificate };
    const master = await makeMaster(own, { cell: cell.name, replica: 0, hosts: ["127.0.0.1"] }, now);
    const hello: FrameBody = { case: "hello", value: { machine: "m1", facts: { capacity: { cpuMilli: 1e6 } } } };
    const open = (identity: typeof made, nonce: Uint8Array): FrameBody => ({
      case: "open",
      value: { machine: "m1", protocol: 2, ...proveMachine(identity, "m1", nonce) },
    });
    const join = (machine: string, token: string): FrameBody => ({
      case: "join",
      value: { protocol: 2, machine, request: derOf(request), token, capacity: { cpuMilli: 1000, ramBytes: 1, diskBytes: 1 } },
    });
    const asBorglet: readonly (readonly [(nonce: Uint8Array) => readonly FrameBody[], RegExp])[] = [
      [() => [hello], /^Expected the first frame to be open$/],
      [() => [{ case: "report", value: { machine: "m1", term: 1, sequence: 1 } }], /^Expected the first frame to be open$/],
      [() => [ORDERS], /^Expected the first frame to be open$/],
      [(nonce) => [open(made, nonce), hello], /^Its certificate is not one of this cell/],
      [(nonce) => [open(master, nonce), hello], /^Its certificate is not one of this cell/],
      [(nonce) => [open(stolen, nonce), hello], /^It does not hold the key/],
      [() => [join("m1", "")], /^Machine "m1" is of the cell's own directory/],
      [() => [join("mine", "guessed")], /^The token is not good for machine "mine"/],
    ];
    for (const [frames, words] of asBorglet) assert.match(await said(linkPort, frames, true), words);

    const ports = portsOf(cell.pid("m1"));
    assert.ok(ports.length > 0, "a borglet gives packages to others");
    for (const port of ports)
      for (const frame of [ORDERS, hello, { case: "opened", value: { cell: cell.name } } satisfies FrameBody])
        assert.doesNotMatch(await said(port, () => [frame], false), /^was /);

    if (isRoot) {
      const dial = `require("net").connect(${JSON.stringify(cell.data.socket("link"))}).on("error", ({ code }) => console.log(code)).on("connect", () => console.log("in"))`;
      const [program = "", ...words] = [...asNobody, process.execPath, "-e", `${dial};setTimeout(() => process.exit(), 2000)`];
      assert.equal(spawnSync(program, words, { cwd: "/", encoding: "utf8" }).stdout, "EACCES\n", "the owner's socket");
    }

    assert.deepEqual(instancePids(cell.name), before, "a task was touched, or one was started");
    const ran = await cell.borg("run", "after", "--cpu", "10m", "--ram", "32MiB", "--disk", "10MiB", "--wait", "--", "echo", "obeyed");
    assert.deepEqual([ran.code, ran.out], [0, "obeyed\n"], `the absurd term was not believed: ${ran.err}`);
    assert.deepEqual(
      (await cell.client.listMachines({})).machines.map(({ name, state }) => [name, state]),
      [["m1", "up"]],
    );
    assert.doesNotMatch(cell.logs(), /Another borglet opened a link|Stale poll refused/);
  } finally {
    await cell.close();
  }
});
