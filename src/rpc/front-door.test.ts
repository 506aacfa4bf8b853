/** Connections at the address that replicas share: each ends up at the one that leads. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { FrontDoor, type FrontDoorOptions, type Leader } from "./front-door.ts";

const home = mkdtempSync(join(tmpdir(), "door-"));
const servers: Server[] = [];
/** Both ends of each connection: what fails must not keep the test waiting. */
const sockets: Socket[] = [];
const doors: FrontDoor[] = [];
after(() => {
  for (const door of doors) door.close();
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  rmSync(home, { recursive: true });
});

/** Says its name and what it hears. */
const greet = (name: string, socket: Socket): void => {
  socket.on("error", () => {});
  socket.write(`${name}:`);
  socket.on("data", (data) => socket.write(data));
};

async function listening(name: string, onSocket: (socket: Socket) => void): Promise<string> {
  const path = join(home, name);
  const server = createServer((socket) => {
    sockets.push(socket);
    onSocket(socket);
  }).listen(path);
  servers.push(server);
  await once(server, "listening");
  return path;
}

async function doorAt(name: string, options: FrontDoorOptions = { parkMs: 5000, late: "answer" }) {
  const door = new FrontDoor(options);
  doors.push(door);
  const path = await listening(name, (socket) => door.admit(socket, "owner", () => greet("own", socket)));
  return { door, path };
}

class Caller {
  readonly socket: Socket;
  heard = "";
  isClosed = false;

  constructor(path: string) {
    this.socket = connect(path);
    sockets.push(this.socket);
    this.socket.on("error", () => {});
    this.socket.on("data", (data) => {
      this.heard += String(data);
    });
    this.socket.once("close", () => {
      this.isClosed = true;
    });
    this.socket.write("hi");
  }

  async until(isTrue: () => boolean): Promise<void> {
    for (let i = 0; i < 400 && !isTrue(); i++) await sleep(10);
    assert.ok(isTrue(), `heard "${this.heard}", ${this.isClosed ? "closed" : "open"}`);
  }
}

const at = (path: string): Leader => ({ owner: { kind: "unix", path }, tls: { kind: "unix", path } });

test("who comes while nobody leads waits, and what it said meanwhile is heard by the one that leads then [M3]", async () => {
  const other = await listening("other-1", (socket) => greet("other", socket));
  const { door, path } = await doorAt("door-1");
  const [first, second] = [new Caller(path), new Caller(path)];
  await sleep(50);
  assert.equal(first.heard, "");
  door.leads(at(other));
  await first.until(() => first.heard === "other:hi");
  await second.until(() => second.heard === "other:hi");
});

test("a connection to one that no longer leads is ended, on either side of the change: it must dial again [M3] [KL1]", async () => {
  const other = await listening("other-2", (socket) => greet("other", socket));
  const { door, path } = await doorAt("door-2");
  door.leads("self");
  const own = new Caller(path);
  await own.until(() => own.heard === "own:hi");
  door.leads(at(other));
  await own.until(() => own.isClosed);
  const led = new Caller(path);
  await led.until(() => led.heard === "other:hi");
  door.leads(undefined);
  await led.until(() => led.isClosed);
  const next = new Caller(path);
  door.leads("self");
  await next.until(() => next.heard === "own:hi");
  assert.equal(next.isClosed, false);
});

test("who has waited for long is answered in words here, or hung up on [M3]", async () => {
  const [answering, silent] = [
    await doorAt("door-3", { parkMs: 50, late: "answer" }),
    await doorAt("door-4", { parkMs: 50, late: "hang-up" }),
  ];
  const [one, two] = [new Caller(answering.path), new Caller(silent.path)];
  await one.until(() => one.heard === "own:hi");
  await two.until(() => two.isClosed);
  assert.equal(two.heard, "");
});

test("who was answered here after a long wait must dial again when another one leads, and not when this one does [M3] [KL1]", async () => {
  const other = await listening("other-6", (socket) => greet("other", socket));
  const { door, path } = await doorAt("door-6", { parkMs: 50, late: "answer" });
  const caller = new Caller(path);
  await caller.until(() => caller.heard === "own:hi");
  door.leads("self");
  caller.socket.write("again");
  await caller.until(() => caller.heard === "own:hiagain");
  door.leads(undefined);
  await caller.until(() => caller.isClosed);
  const next = new Caller(path);
  await next.until(() => next.heard === "own:hi");
  door.leads(at(other));
  await next.until(() => next.isClosed);
});

test("a leader that cannot be reached ends the connection at once [M3]", async () => {
  const { door, path } = await doorAt("door-5");
  door.leads(at(join(home, "nobody")));
  const caller = new Caller(path);
  await caller.until(() => caller.isClosed);
});
