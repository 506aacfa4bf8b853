import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel } from "./kernel.ts";
import { type Endpoint, FAIR, Network } from "./network.ts";

class Post implements Endpoint {
  readonly name: string;
  alive = true;
  incarnation = 1;
  readonly got: unknown[] = [];

  constructor(name: string) {
    this.name = name;
  }

  receive(_to: string, _from: string, message: unknown): void {
    this.got.push(message);
  }
}

function setUp() {
  const kernel = new Kernel({ seed: 5 });
  const network = new Network(kernel);
  const [a, b, c] = [new Post("a"), new Post("b"), new Post("c")];
  for (const post of [a, b, c]) network.attach(post);
  const talk = (from: Post, to: Post, count: number) => {
    for (let i = 0; i < count; i++) kernel.after(i, () => network.send(from, from.name, to.name, i));
  };
  return { kernel, network, a, b, c, talk };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

test("In fair weather nothing is lost, doubled or overtaken", () => {
  const { kernel, a, b, talk } = setUp();
  talk(a, b, 500);
  kernel.run(10_000);
  assert.deepEqual(b.got, range(500));
});

test("Loss, duplication and reordering strike about as often as asked, and are counted", () => {
  const { kernel, network, a, b, talk } = setUp();
  network.weather = { ...FAIR, loss: 0.2 };
  talk(a, b, 1000);
  kernel.run(10_000);
  assert.ok(b.got.length > 700 && b.got.length < 900);
  assert.equal(kernel.faults.of("net.lost"), 1000 - b.got.length);
  b.got.length = 0;
  network.weather = { ...FAIR, duplicate: 0.1, reorder: 0.3 };
  talk(a, b, 1000);
  kernel.run(30_000);
  assert.equal(b.got.length, 1000 + kernel.faults.of("net.duplicated"));
  assert.ok(kernel.faults.of("net.duplicated") > 50);
  assert.notDeepEqual(
    b.got,
    [...b.got].sort((x, y) => Number(x) - Number(y)),
  );
});

test("A one-way cut stops one direction, a two-way cut both, and others never notice", () => {
  const { kernel, network, a, b, c, talk } = setUp();
  const oneWay = network.cut({ from: ["a"], to: ["b"], bothWays: false });
  talk(a, b, 10);
  talk(b, a, 10);
  talk(c, b, 10);
  kernel.run(1000);
  assert.deepEqual([a.got.length, b.got.length], [10, 10]);
  network.lift(oneWay);
  network.cut({ from: ["b"], to: ["a", "c"], bothWays: true });
  talk(a, b, 10);
  talk(b, c, 10);
  talk(a, c, 10);
  kernel.run(2000);
  assert.deepEqual([b.got.length, c.got.length], [10, 10]);
  network.heal();
  talk(a, b, 10);
  kernel.run(3000);
  assert.equal(b.got.length, 20);
});

test("A cut also stops what is under way; a holding one delivers it afterwards", () => {
  for (const hold of [false, true]) {
    const { kernel, network, a, b, talk } = setUp();
    talk(a, b, 1);
    kernel.run(0);
    const cut = network.cut({ from: ["a"], to: ["b"], bothWays: true, hold });
    kernel.run(5000);
    assert.deepEqual(b.got, []);
    network.lift(cut);
    kernel.run(6000);
    assert.deepEqual(b.got, hold ? [0] : []);
  }
});

test("A message finds the process by the longest beginning of its address", () => {
  const { kernel, network, a, b } = setUp();
  network.send(a, "a", "b/link/3", "hello");
  network.send(a, "a", "nobody", "hello");
  kernel.run(1000);
  assert.deepEqual(b.got, ["hello"]);
  assert.equal(kernel.faults.of("net.nobody"), 1);
});

test("A dead sender takes some of its last words along", () => {
  const { kernel, network, a, b } = setUp();
  for (let i = 0; i < 100; i++) network.send(a, "a", "b", i);
  a.alive = false;
  kernel.run(1000);
  assert.ok(b.got.length > 20 && b.got.length < 80);
  assert.equal(kernel.faults.of("net.lost-with-sender"), 100 - b.got.length);
});
