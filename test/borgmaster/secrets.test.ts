/** Secrets on their way: encrypted at the edge, known again by a digest that tells nothing, decrypted for the machine that runs a task, and for nobody else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiAnswer, ApiCall, FromApi, SecretsAnswer, SecretsAsk } from "../../src/borgmaster/api/message.ts";
import { Api } from "../../src/borgmaster/api.ts";
import { DEFAULT_LINK } from "../../src/borgmaster/defaults.ts";
import { LinkShard } from "../../src/borgmaster/link.ts";
import type { FromLink } from "../../src/borgmaster/message.ts";
import { applyEntry, newState } from "../../src/cell/cell.ts";
import { imageOf } from "../../src/cell/feed.ts";
import { encodeEntry, makeEntry, masterOp, type Op, unseal, userOp } from "../../src/cell/op.ts";
import { VERSION_MAX } from "../../src/cell/version.ts";
import { ToyVault } from "../../src/fauxmaster/world/toy-vault.ts";
import { encode, make } from "../../src/wire/codec.ts";
import { digestOf } from "../../src/wire/digest.ts";
import * as wire from "../../src/wire/gen/borg/v1/api_pb.ts";
import { SecretRequestSchema, type SecretValues } from "../../src/wire/gen/borg/v1/link_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import type { Framed, ToBorglet } from "../../src/wire/link-message.ts";
import { World } from "../cell/world.ts";
import { TestEnv } from "./test-env.ts";

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const text = (found: Uint8Array | undefined): string => new TextDecoder().decode(found);
const hex = (found: Uint8Array): string => Buffer.from(found).toString("hex");

/** A cell with an API whose copy is behind by what is not `followed` yet. */
class Edge {
  readonly env = new TestEnv<FromApi>();
  readonly vault = new ToyVault(() => Math.random());
  readonly api = new Api(this.env, {
    ...{ master: "master", follower: "follower", link: "link", packages: "packages", counters: "counters", threads: [] },
    vault: this.vault,
  });
  readonly state = newState();
  /** Everything that reached the journal. */
  journal = "";
  #behind: { position: number; payload: Uint8Array }[] = [];
  #calls = 0;

  constructor() {
    this.api.onMessage("master", { type: "restore", position: 0, checkpoint: undefined });
    this.entry(masterOp({ case: "cellInit", value: { cell: "cc", owner: "admin" } }));
    for (let version = 2; version <= VERSION_MAX; version++) this.entry(masterOp({ case: "cellVersion", value: { version } }));
    this.entry(userOp("admin", "", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
    this.follow();
  }

  entry(op: Op): ReturnType<typeof applyEntry>[number] {
    const entry = makeEntry(this.env.wallMs, [op]);
    const [position, payload] = [this.state.position + 1, encodeEntry(entry)];
    this.journal += hex(payload);
    this.#behind.push({ position, payload });
    return applyEntry(this.state, position, entry)[0]!;
  }

  /** The copy of the API gets where the cell is. */
  follow(): void {
    for (const each of this.#behind.splice(0)) this.api.onMessage("master", { type: "entry", ...each });
  }

  call(method: ApiCall["method"], request: object, requestId = "", user = "ann"): ApiAnswer {
    const id = `c${++this.#calls}`;
    this.api.onMessage("caller", { type: "call", id, method, user, request, requestId, deadlineMs: 5000, stale: false });
    for (;;) {
      for (const { to, message } of this.env.take()) {
        if (to === "caller") return message as ApiAnswer;
        this.#answer(message);
      }
    }
  }

  #answer(asked: FromApi): void {
    const hear = (message: object): void => this.api.onMessage("master", message as never);
    if (asked.type === "confirm") {
      hear({ type: "confirmed", id: asked.id, position: this.state.position });
      this.follow();
    } else if (asked.type === "request") {
      const found = unseal(asked.op);
      assert.ok(found.ok);
      const outcome = this.entry(found.value.op);
      const told = { type: "answer", id: asked.id, position: this.state.position };
      hear(outcome.ok ? { ...told, result: "done", answer: outcome.answer } : { ...told, result: "refused", reason: outcome.reason });
    }
  }

  set(value: string, requestId = "", more: object = {}): ApiAnswer {
    return this.call("setSecret", make(wire.SetSecretRequestSchema, { user: "ann", name: "db", value: bytes(value), ...more }), requestId);
  }

  secret() {
    return this.state.users.get("ann" as never)?.secrets.get("db");
  }

  /** As it opens for a machine. */
  opened(names: readonly string[] = ["db"]): SecretsAnswer {
    this.follow();
    this.env.take();
    this.api.onMessage("link", { type: "secrets-ask", id: "1", position: 0, user: "ann", names, instance: "ann/none/0:1" });
    return this.env.take().find(({ to }) => to === "link")?.message as SecretsAnswer;
  }
}

const values = (answer: SecretsAnswer): string =>
  answer.type === "secrets" ? answer.values.map(({ data }) => text(data)).join() : answer.reason;

test("what is set is encrypted before it goes anywhere, and opens for a machine [borgmaster.S1] [G14] [KA3]", () => {
  const edge = new Edge();
  assert.equal(edge.set("hunter2").type, "answered");
  assert.ok(!edge.journal.includes(hex(bytes("hunter2"))));
  assert.deepEqual([edge.secret()?.version, values(edge.opened())], [1, "hunter2"]);
  assert.equal(values(edge.opened(["db", "none"])), 'User "ann" has no secret "none"');
});

test("when another was first it is encrypted again, for the version that is next then [borgmaster.S2]", () => {
  const edge = new Edge();
  assert.equal(edge.set("one").type, "answered");
  edge.follow();
  const place = { cell: "cc", owner: "ann", name: "db", version: 2 };
  const sealed = { ...edge.vault.seal(bytes("two"), place) };
  // The API's copy does not know of it yet.
  assert.ok(edge.entry(userOp("ann", "", { case: "secretSet", value: { user: "ann", name: "db", version: 2, sealed } })).ok);
  assert.equal(edge.set("three").type, "answered");
  assert.deepEqual([edge.secret()?.version, values(edge.opened())], [3, "three"]);
});

test("a retry is known by a digest that nobody can try guesses with; the same id with another value is refused [borgmaster.S3] [KA3]", () => {
  const edge = new Edge();
  const first = edge.set("hunter2", "r1");
  const again = edge.set("hunter2", "r1");
  assert.ok(first.type === "answered" && again.type === "answered");
  assert.deepEqual([(first.response as wire.Changed).repeated, (again.response as wire.Changed).repeated], [false, true]);
  edge.vault.rotate();
  const later = edge.set("hunter2", "r1");
  assert.ok(later.type === "answered" && (later.response as wire.Changed).repeated, "also when the key is another by now");
  const other = edge.set("hunter3", "r1");
  assert.ok(other.type === "failed" && /was used for something else/.test(other.reason));
  assert.deepEqual([edge.secret()?.version, values(edge.opened())], [1, "hunter2"]);
  const request = make(wire.SetSecretRequestSchema, { user: "ann", name: "db", value: bytes("hunter2") });
  const plain = digestOf("setSecret", encode(wire.SetSecretRequestSchema, request));
  const kept = edge.state.users.get("ann" as never)?.requests.get("r1")?.digest;
  assert.ok(kept !== undefined && hex(kept) !== hex(plain) && !edge.journal.includes(hex(plain)));
});

test("what is encrypted for one secret does not open as another, whoever moved it [borgmaster.S1] [KA3]", () => {
  const edge = new Edge();
  edge.set("hunter2");
  const { sealed } = edge.secret()!;
  const moved = edge.entry(
    userOp("ann", "", { case: "secretSet", value: { user: "ann", name: "mine", version: 1, sealed: { ...sealed } } }),
  );
  assert.ok(moved.ok, "the cell cannot know");
  assert.match(values(edge.opened(["mine"])), /^Secret "mine" cannot be decrypted/);
});

test("a rotation encrypts everything anew, some at a time, and says what is left and what is lost [borgmaster.S4]", () => {
  const edge = new Edge();
  for (let i = 0; i < 20; i++) edge.set(`value ${i}`, "", { name: `s${i}` });
  edge.set("hunter2");
  const lost = { keyId: "gone", nonce: new Uint8Array(12), ciphertext: new Uint8Array(20) };
  assert.ok(edge.entry(userOp("ann", "", { case: "secretSet", value: { user: "ann", name: "lost", version: 1, sealed: lost } })).ok);
  const rotate = (goOn: boolean, user = "admin"): wire.RotateSecretKeyResponse => {
    const answer = edge.call("rotateSecretKey", make(wire.RotateSecretKeyRequestSchema, { goOn }), "", user);
    assert.ok(answer.type === "answered", JSON.stringify(answer));
    return answer.response as wire.RotateSecretKeyResponse;
  };
  assert.throws(() => rotate(false, "ann"), /only admins of the cell may/);
  const before = edge.vault.keyId;
  const told = [rotate(false), rotate(true), rotate(true)];
  assert.deepEqual(
    told.map(({ left, lost: gone }) => [left, gone]),
    [
      [13, 1],
      [5, 1],
      [0, 1],
    ],
  );
  assert.notEqual(edge.vault.keyId, before);
  const keys = [...edge.state.users.get("ann" as never)!.secrets.values()].map(({ name, sealed }) => (name === "lost" ? "" : sealed.keyId));
  assert.deepEqual(new Set(keys), new Set(["", edge.vault.keyId]));
  assert.deepEqual([edge.secret()?.version, values(edge.opened())], [1, "hunter2"]);
  assert.match(values(edge.opened(["lost"])), /its key is lost; set it again/);
  const listed = edge.call("listSecrets", make(wire.ListSecretsRequestSchema, {}));
  assert.ok(listed.type === "answered");
  const rows = (listed.response as wire.ListSecretsResponse).secrets;
  assert.deepEqual(
    rows.filter(({ lost: gone }) => gone).map(({ name, bytes: size }) => [name, size]),
    [["lost", 4]],
  );
});

test("nothing is encrypted with a new key that too few masters have: the rotation says how many, and the next one goes on with the same key [borgmaster.S4]", () => {
  const edge = new Edge();
  edge.set("hunter2");
  edge.follow();
  const rotate = (goOn: boolean): wire.RotateSecretKeyResponse => {
    const answer = edge.call("rotateSecretKey", make(wire.RotateSecretKeyRequestSchema, { goOn }), "", "admin");
    assert.ok(answer.type === "answered", JSON.stringify(answer));
    return answer.response as wire.RotateSecretKeyResponse;
  };
  const before = edge.vault.keyId;
  edge.vault.waiting = { keyId: "next", held: 1, needed: 2, masters: 3 };
  for (const goOn of [false, true, false]) {
    const { keyId, left, lost, held, needed, masters } = rotate(goOn);
    assert.deepEqual([keyId, left, lost, held, needed, masters], ["next", 1, 0, 1, 2, 3]);
  }
  assert.deepEqual([edge.vault.keyId, edge.secret()?.sealed.keyId], [before, before]);
  edge.vault.rotate();
  edge.vault.waiting = undefined;
  assert.deepEqual([rotate(true).left, rotate(true).needed, edge.secret()?.sealed.keyId], [0, 0, edge.vault.keyId]);
});

test("a machine gets no value that is older than what the link has seen [borgmaster.S5]", () => {
  const edge = new Edge();
  edge.set("one");
  edge.follow();
  edge.env.take();
  edge.set("two");
  edge.env.take();
  edge.api.onMessage("link", {
    type: "secrets-ask",
    id: "1",
    position: edge.state.position,
    user: "ann",
    names: ["db"],
    instance: "ann/none/0:1",
  });
  const told = (): string[] =>
    edge.env
      .take()
      .filter(({ to }) => to === "link")
      .map(({ message }) => values(message as SecretsAnswer));
  assert.deepEqual(told(), []);
  edge.follow();
  assert.deepEqual(told(), ["two"]);
});

test("a machine gets the secrets of what the cell runs there, and no others, whatever it asks for [borgmaster.S6] [KA3]", () => {
  const world = new World().init().machine("m1").machine("m2");
  for (let version = 2; version <= VERSION_MAX; version++) world.must(masterOp({ case: "cellVersion", value: { version } }));
  const sealed = { keyId: "k", nonce: new Uint8Array(12), ciphertext: new Uint8Array(20) };
  world.must(world.user("ubar", { case: "secretSet", value: { user: "ubar", name: "db", version: 1, sealed } }));
  world.submit("web", { task: { secrets: [{ name: "db", path: "/borg/secrets/db" }] } });
  world.submit("other");
  world.claim("ubar/web/0", "m1");
  world.claim("ubar/other/0", "m2");
  const env = new TestEnv<FromLink | Framed<ToBorglet> | SecretsAsk>();
  const link = new LinkShard(env as never, { master: "master", packages: "packages", secrets: "api", options: DEFAULT_LINK, settleMs: 0 });
  const ask = (machine: string, instance: string): SecretsAsk[] => {
    env.take();
    const value = make(SecretRequestSchema, { machine, instance, run: 3 });
    link.onMessage(`borglet/${machine}`, { type: "frame", frame: { case: "secretRequest", value } });
    return env.take().flatMap(({ to, message }) => (to === "api" && message.type === "secrets-ask" ? [message] : []));
  };
  const [web, other] = [world.instance("ubar/web/0"), world.instance("ubar/other/0")];
  assert.deepEqual(ask("m1", web), [], "it does not lead yet");
  link.onMessage("master", { type: "lead", term: 1, image: imageOf(world.state) });
  assert.deepEqual([ask("m2", web), ask("m1", other), ask("m1", `${web}9`)], [[], [], []]);
  assert.deepEqual(
    ask("m2", other).map(({ names }) => names),
    [[]],
  );
  const [asked] = ask("m1", web);
  assert.deepEqual([asked?.user, asked?.names, asked?.position], ["ubar", ["db"], world.state.position]);
  link.onMessage("api", { type: "secrets", id: asked!.id, values: [{ name: "db", data: bytes("x") }], controller: bytes("pass") });
  const [sent, ...more] = env.take();
  assert.ok(sent?.message.type === "frame" && sent.message.frame.case === "secretValues");
  const said: SecretValues = sent.message.frame.value;
  assert.deepEqual([sent.to, said.instance, said.run, text(said.values[0]?.data), more.length], ["borglet/m1", web, 3, "x", 0]);
  assert.deepEqual([asked?.instance, text(said.controller)], [web, "pass"]);
  link.onMessage("api", { type: "secrets", id: asked!.id, values: [], controller: bytes("") });
  assert.deepEqual(env.take(), [], "once");
  world.must(world.user("ubar", { case: "jobKill", value: { job: "ubar/web" } }));
  link.onMessage("master", { type: "lead", term: 2, image: imageOf(world.state) });
  assert.deepEqual(ask("m1", web), [], "it stops");
});
