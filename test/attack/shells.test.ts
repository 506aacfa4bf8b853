/** A shell is for whoever opened it, as long as they may be there; that it was opened stands in the journal first. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { masterOp, userOp } from "../../src/cell/op.ts";
import { make } from "../../src/wire/codec.ts";
import { OpenShellRequestSchema, UseShellRequestSchema } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { AttackedCell } from "./desk.ts";

const use = (shell: string) => make(UseShellRequestSchema, { shell, use: {} });

function started(): { readonly cell: AttackedCell; readonly instance: string } {
  const cell = new AttackedCell();
  const { id: instance } = cell.state.jobs.get("ann/web" as never)!.tasks[0]!.instance!;
  cell.entry(masterOp({ case: "machineReport", value: { machine: "m1", instances: [{ instance, phase: Phase.RUNNING }] } }));
  return { cell, instance };
}

test("nobody uses a shell that they did not open, and nobody one that the journal does not tell of [KA2] [I1] [cell.J9]", () => {
  const { cell, instance } = started();
  const codeOf = (user: string, shell: string): string => {
    const answer = cell.call("useShell", user, use(shell));
    return answer.type === "failed" ? answer.code : "answered";
  };
  assert.equal(codeOf("ann", "s1"), "not-found");
  const refused = cell.call("openShell", "ann1", make(OpenShellRequestSchema, { requestId: "s1", instance }));
  assert.equal(refused.type === "failed" && refused.code, "not-permitted");
  assert.equal(codeOf("ann1", "s1"), "not-found");
  assert.equal(cell.call("openShell", "ann", make(OpenShellRequestSchema, { requestId: "s1", instance })).type, "answered");
  assert.equal(codeOf("ann", "s1"), "answered");
  for (const other of ["ann1", "reader", "modifier", "admin"]) assert.equal(codeOf(other, "s1"), "not-found", other);
});

test("who may not be there any more is out, and so is everybody when the task has gone [KA2]", () => {
  const { cell, instance } = started();
  cell.call("openShell", "modifier", make(OpenShellRequestSchema, { requestId: "s2", instance }));
  assert.equal(cell.call("useShell", "modifier", use("s2")).type, "answered");
  cell.entry(userOp("admin", "", { case: "userGrant", value: { user: "modifier", roles: [Role.VIEWER] } }));
  const out = cell.call("useShell", "modifier", use("s2"));
  assert.equal(out.type === "failed" && out.code, "not-permitted");
  cell.call("openShell", "ann", make(OpenShellRequestSchema, { requestId: "s3", instance }));
  cell.entry(masterOp({ case: "machineReport", value: { machine: "m1", instances: [{ instance, phase: Phase.FAILED }] } }));
  const gone = cell.call("useShell", "ann", use("s3"));
  assert.equal(gone.type === "failed" && gone.code, "not-found");
});
