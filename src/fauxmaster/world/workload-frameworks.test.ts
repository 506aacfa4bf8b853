import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../base/random.ts";
import { make } from "../../wire/codec.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import type { Asked, Heard } from "../judge/history.ts";
import type { ClientCall } from "./workload-changes.ts";
import { FrameworkWork } from "./workload-frameworks.ts";

const asked = (init: object): Asked => ({
  user: "ann",
  method: "subscribeFramework",
  request: make(api.SubscribeFrameworkRequestSchema, { spec: { user: "ann", name: "fw" }, ...init }),
  requestId: "r1",
  stale: false,
  again: false,
});
const idOf = (call: ClientCall | undefined): string | undefined => (call?.init as Partial<api.SubscribeFrameworkRequest> | undefined)?.id;
const REASON = 'Framework "ann/fw" is there already: subscribe with its id ann.fw.7, take another name, or tear it down (borg kill ann/fw)';

test("a client whose user's framework is another client's subscribes as that one, and launches when it leads", () => {
  const random = new Random(1, "frameworks");
  const work = new FrameworkWork("ann", ["m1"]);
  assert.equal(idOf(work.draw(random)), "");
  work.heard(asked({}), { type: "refused", code: "refused", position: 3, reason: REASON });
  const ids = Array.from({ length: 20 }, () => idOf(work.draw(random)));
  assert.ok(ids.filter((id) => id === "ann.fw.7").length > 15, "now and then it forgets it, as a program that begins anew");
  const changed = make(api.ChangedSchema, { position: 4, frameworkId: "ann.fw.7" });
  work.heard(asked({ id: "ann.fw.7", session: 5 }), { type: "done", position: 4, changed } as Heard);
  const methods = new Set(Array.from({ length: 60 }, () => work.draw(random)?.method));
  assert.ok(methods.has("launchTasks") && methods.has("killTasks"));
});
