/** Tokens of controllers at the API: what a task gets, whose a token is, and what is no token. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { controllerOf } from "../../src/borgmaster/api/controllers.ts";
import { openSecrets } from "../../src/borgmaster/api/secrets.ts";
import { userOp } from "../../src/cell/op.ts";
import { ToyVault } from "../../src/fauxmaster/world/toy-vault.ts";
import { make } from "../../src/wire/codec.ts";
import { CellService } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { AttackedCell } from "../attack/desk.ts";

const DOOR = { url: "https://127.0.0.1:7878", authorities: ["PEM"] };

function passOf(cell: AttackedCell, instance: string, vault = cell.vault): string {
  const ask = { type: "secrets-ask", id: "1", position: 0, user: "ann", names: [], instance } as const;
  const answer = openSecrets(cell.state, vault, ask, DOOR);
  return answer.type === "secrets" ? new TextDecoder().decode(answer.controller) : answer.reason;
}

test("a task of a controller gets where the API is, who proves it, and a token of its own; others get none [borgmaster.O1] [U15] [KA3]", () => {
  const cell = new AttackedCell();
  const instance = cell.controller("web");
  const pass = JSON.parse(passOf(cell, instance)) as { token: string };
  assert.deepEqual(pass, { cell: "cc", ...DOOR, token: pass.token });
  assert.deepEqual(controllerOf(cell.state, cell.vault, pass.token), { user: "ann", controller: instance });
  assert.equal(passOf(cell, cell.state.jobs.get("ann/web" as never)!.tasks[0]!.instance!.id), "");
});

test("a token is its instance's, its cell's and its key's: changed by a character it is nobody's [borgmaster.O2] [U15] [KA2]", () => {
  const cell = new AttackedCell();
  const instance = cell.controller("web");
  const { token } = JSON.parse(passOf(cell, instance)) as { token: string };
  const of = (shown: string, vault = cell.vault, state = cell.state) => controllerOf(state, vault, shown)?.controller;
  const other = cell.state.jobs.get("ann/web" as never)!.tasks[0]!.instance!.id;
  for (const wrong of [
    "",
    instance,
    token.slice(0, -1),
    `${token}0`,
    token.toUpperCase(),
    token.replace(instance, other),
    token.replace(/_[0-9a-f]{64}$/, `_${"0".repeat(64)}`),
  ])
    assert.equal(of(wrong), undefined, wrong);
  assert.equal(of(token, cell.vault, { ...cell.state, name: "dd" }), undefined, "another cell's");
  cell.vault.rotate();
  assert.equal(of(token), instance, "a former key counts while it is kept");
  const fresh = new ToyVault(() => 0.5);
  fresh.rotate();
  assert.equal(of(token.replace(/[0-9a-f]{64}$/, fresh.tokenOf("other", instance))), undefined);
});

test("a token ends with its task, at the API too [borgmaster.O3] [U15] [KA2]", () => {
  const cell = new AttackedCell();
  const instance = cell.controller("none", "web");
  const { token } = JSON.parse(passOf(cell, instance)) as { token: string };
  const read = () => cell.call("getJob", "ann", make(CellService.method.getJob.input, { job: "ann/web" }), false, instance);
  assert.equal(read().type, "answered");
  const users = cell.call("listUsers", "ann", make(CellService.method.listUsers.input, {}), false, instance);
  assert.ok(users.type === "failed" && users.code === "not-permitted", "no other call, though its user may");
  cell.entry(userOp("ann", "", { case: "jobKill", value: { job: "ann/boss" } }));
  const answer = read();
  assert.ok(answer.type === "failed" && answer.code === "not-permitted");
  assert.match(answer.reason, /^The token of "ann\/boss\/0:\d+" has ended: /);
  assert.equal(controllerOf(cell.state, cell.vault, token), undefined);
  assert.equal(passOf(cell, instance), "", "nor is it made again");
});

test("an op says whose token it was asked with, so that apply holds it to that [borgmaster.O4] [U15] [KA2]", () => {
  const cell = new AttackedCell();
  const instance = cell.controller("new");
  const submit = (priority: number) => {
    const spec = { user: "ann", name: "new", count: 1, priority, task: { command: ["x"] } };
    return cell.call("submitJob", "ann", make(CellService.method.submitJob.input, { spec }), false, instance);
  };
  const high = submit(119);
  assert.ok(high.type === "failed" && high.code === "not-permitted");
  assert.match(high.reason, / may not give job "new" priority 119: /);
  assert.equal(submit(100).type, "answered");
  const page = cell.call("readEvents", "admin", make(CellService.method.readEvents.input, { about: "ann/new" }));
  assert.ok(page.type === "answered" && JSON.stringify(page.response).includes(`(by ${instance})`), "events say which task");
});
