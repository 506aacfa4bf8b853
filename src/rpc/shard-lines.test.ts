/** Lines between replicas, over real sockets: who is heard, who is not, and what becomes of a link that is passed on. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type LineSaid, type PassedLink, ShardLines } from "./shard-lines.ts";

const directory = mkdtempSync(join(tmpdir(), "borg-lines-"));
const open: ShardLines[] = [];
after(() => {
  for (const each of open) each.close();
  rmSync(directory, { recursive: true, force: true });
});

const pathOf = (name: string): string => join(directory, `${name}.sock`);

class End {
  readonly said: string[] = [];
  readonly passed: { readonly socket: Socket; readonly link: PassedLink }[] = [];
  lines!: ShardLines;

  static async open(replica: string, ...others: string[]): Promise<End> {
    const end = new End();
    end.lines = await ShardLines.open({
      replica,
      path: pathOf(replica),
      others: new Map(others.map((each) => [each, pathOf(each)])),
      onSaid: (from: string, said: LineSaid) => end.said.push(`${from}: ${said.case}`),
      onPassed: (socket, link) => end.passed.push({ socket, link }),
    });
    open.push(end.lines);
    return end;
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isTrue(); tries++) await sleep(10);
  assert.ok(isTrue(), "waited in vain");
}

test("each hears the others under their own names; a line that breaks is dialled again, and what is said meanwhile is not kept [B3]", async () => {
  const one = await End.open("one", "two");
  assert.deepEqual(one.lines.cut, ["two"]);
  assert.equal(one.lines.send("two", { case: "redial", value: { machine: "m1" } }), false);
  const two = await End.open("two", "one");
  await until(() => one.lines.cut.length + two.lines.cut.length === 0);
  assert.equal(one.lines.send("two", { case: "told", value: { term: 3, sequence: 1, leftMs: 5, position: 9 } }), true);
  assert.equal(two.lines.send("one", { case: "redial", value: { machine: "m1" } }), true);
  await until(() => one.said.length + two.said.length === 2);
  assert.deepEqual([one.said, two.said], [["two: redial"], ["one: told"]]);
  two.lines.close();
  await until(() => one.lines.cut.length === 1);
  const again = await End.open("two", "one");
  await until(() => one.lines.cut.length === 0);
  one.lines.send("two", { case: "redial", value: { machine: "m2" } });
  await until(() => again.said.length === 1);
});

test("who is no replica, speaks before its first frame or out of bounds, is hung up on and not heard [KB1] [KB2]", async () => {
  const three = await End.open("three", "four");
  for (const bytes of [
    // A stranger's name; what is no frame; a frame that is no first one; a length beyond the bound.
    frame(Buffer.from([0x0a, 0x06, 0x0a, 0x04, ...Buffer.from("nine")])),
    frame(Buffer.from([0xff, 0xff])),
    frame(Buffer.from([0x7a, 0x04, 0x0a, 0x02, ...Buffer.from("m1")])),
    Buffer.from([0x7f, 0xff, 0xff, 0xff]),
  ]) {
    const socket = connect(pathOf("three"));
    socket.on("error", () => {});
    let closed = false;
    socket.once("close", () => {
      closed = true;
    });
    socket.resume();
    socket.write(bytes);
    await until(() => closed);
  }
  assert.deepEqual([three.said, three.passed], [[], []]);
});

test("a link that is passed on is a plain connection from then on, with what was found out of its machine [B3]", async () => {
  const [five, six] = [await End.open("five", "six"), await End.open("six", "five")];
  const link: PassedLink = { machine: "m7", key: "ab", isFormer: true, approved: undefined };
  const passing = five.lines.pass("six", link);
  await until(() => six.passed.length === 1);
  assert.deepEqual(six.passed[0]!.link, link);
  six.passed[0]!.socket.write("taken, ");
  const socket = await passing;
  let heard = "";
  socket.on("data", (bytes) => {
    heard += bytes.toString();
  });
  six.passed[0]!.socket.on("data", (bytes: Buffer) => six.passed[0]!.socket.write(`echo ${bytes}`));
  socket.write("hello");
  await until(() => heard === "taken, echo hello");
  socket.destroy();
  await until(() => six.passed[0]!.socket.destroyed);
  await assert.rejects(five.lines.pass("seven", link), /no replica "seven"/);
  const refused = assert.rejects(five.lines.pass("six", link), /Nobody takes the link there/);
  await until(() => six.passed.length === 2);
  six.passed[1]!.socket.destroy();
  await refused;
  six.lines.close();
  await assert.rejects(five.lines.pass("six", link));
});

function frame(message: Buffer): Buffer {
  const bytes = Buffer.alloc(4 + message.length);
  bytes.writeUInt32BE(message.length, 0);
  message.copy(bytes, 4);
  return bytes;
}
