/** Mesos' JSON, both ways, and what is made of text that lies. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checker } from "../../wire/check.ts";
import { make, same } from "../../wire/codec.ts";
import { TaskState, Value_Type } from "../../wire/gen/mesos/v1/mesos_pb.ts";
import { CallSchema, Event_Type, EventSchema, Call_Type as Type } from "../../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { fromMesosJson, toMesosJson } from "./json.ts";
import { MesosReader } from "./media.ts";

/** What the package mesos-framework 0.5.3 sends, word for word but for the ids. */
const ACCEPT = `{"framework_id":{"value":"f1"},"type":"ACCEPT","subscribe":null,"accept":{"offer_ids":[{"value":"o1"}],"operations":[{"type":"LAUNCH",
"launch":{"task_infos":[{"name":"sleep-1","task_id":{"value":"t1"},"agent_id":{"value":"m1"},"resources":[
{"name":"cpus","type":"SCALAR","scalar":{"value":0.2},"ranges":null,"set":null,"role":null,"reservation":null,"disk":null,"revocable":null},
{"name":"ports","type":"RANGES","scalar":null,"ranges":{"range":[{"begin":31000,"end":31000}]},"set":null,"role":null}],
"executor":null,"command":{"uris":null,"environment":{"variables":[{"name":"HOST","value":"127.0.0.1"}]},"shell":true,"value":"sleep 10;","arguments":null,"user":null},
"container":null,"health_check":null,"kill_policy":null,"data":null,"labels":null,"discovery":null}]},"reserve":null}],"filters":null},"decline":null}`;

test("a call of an old client is understood: null is absent, what nobody knows is ignored, 64-bit numbers are numbers [Z3]", () => {
  const read = fromMesosJson(CallSchema, JSON.parse(ACCEPT));
  assert.ok(read.ok);
  assert.equal(checker(CallSchema)(read.value), undefined);
  assert.equal(read.value.type, Type.ACCEPT);
  assert.equal(read.value.subscribe, undefined);
  const task = read.value.accept?.operations[0]?.launch?.taskInfos[0];
  assert.equal(task?.command?.value, "sleep 10;");
  assert.equal(task.resources[1]?.ranges?.range[0]?.begin, 31000n);
  assert.equal(task.resources[1].type, Value_Type.RANGES);
});

test("events are ASCII, with snake_case names, enum names, numbers and base64, and without what is not there [Z3]", () => {
  const event = make(EventSchema, {
    type: Event_Type.UPDATE,
    update: {
      status: {
        taskId: { value: "Zürich 💡" },
        state: TaskState.TASK_STARTING,
        uuid: new Uint8Array([1, 2, 255]),
        unreachableTime: { nanoseconds: 1_700_000_000_123_456_789n },
      },
    },
  });
  assert.equal(
    toMesosJson(EventSchema, event),
    '{"type":"UPDATE","update":{"status":{"task_id":{"value":"Z\\u00fcrich \\ud83d\\udca1"},"state":"TASK_STARTING","uuid":"AQL/",' +
      '"unreachable_time":{"nanoseconds":1700000000123456789}}}}',
  );
});

test("what is written is read again as the same, maps and choices too [Z3] [Z4]", () => {
  const call = make(CallSchema, {
    type: Type.SUBSCRIBE,
    subscribe: {
      frameworkInfo: {
        user: "",
        name: "n",
        failoverTimeout: 0.5,
        offerFilters: [
          { key: "*", value: { minAllocatableResources: { quantities: [{ quantities: [{ key: "cpus", value: { value: 2 } }] }] } } },
        ],
      },
      offerConstraints: {
        roleConstraints: [
          {
            key: "__proto__",
            value: {
              groups: [
                {
                  attributeConstraints: [
                    {
                      selector: { selector: { case: "attributeName", value: "rack" } },
                      predicate: { predicate: { case: "textEquals", value: { value: "r1" } } },
                    },
                  ],
                },
              ],
            },
          },
        ],
      },
    },
  });
  const text = toMesosJson(CallSchema, call);
  assert.ok(text.includes('"quantities":{"cpus":{"value":2}}'), text);
  const back = fromMesosJson(CallSchema, JSON.parse(text));
  assert.ok(back.ok && same(CallSchema, back.value, call), text);
});

test("a value of the wrong kind is refused with the way to it, whatever it is [KB2] [Z3]", () => {
  const problem = (json: unknown): string => {
    const read = fromMesosJson(CallSchema, json);
    return read.ok ? "" : read.reason;
  };
  assert.equal(problem([]), ": Expected an object (Call), found a list");
  assert.equal(problem({ type: "NO" }), "");
  assert.equal(problem({ type: {} }), ".type: Expected a Type, found an object");
  assert.equal(problem({ decline: { offer_ids: {} } }), ".decline.offer_ids: Expected a list, found an object");
  assert.equal(problem({ decline: { offer_ids: [{ value: 7 }] } }), ".decline.offer_ids[0].value: Expected text, found 7");
  assert.equal(problem({ acknowledge: { uuid: "?" } }), '.acknowledge.uuid: Expected bytes as base64, found "?"');
  assert.equal(
    problem({ kill: { kill_policy: { grace_period: { nanoseconds: 0.5 } } } }),
    ".kill.kill_policy.grace_period.nanoseconds: Expected a whole number, found 0.5",
  );
  assert.match(problem({ decline: { filters: { refuse_seconds: "1" } } }), /Expected a number, found "1"/);
  assert.equal(problem(JSON.parse('{"__proto__":{"type":"KILL"},"constructor":{"a":1}}')), "");
});

test("protobuf is read as well; fields and enum values of a later Mesos are as if they were not there [Z3]", () => {
  const reader = new MesosReader(CallSchema);
  const bounds = { depth: 64, tokens: 1000, bodyBytes: 1000 };
  // type = DECLINE, decline {}, and field 99 with three bytes.
  const read = reader.read(new Uint8Array([16, 4, 42, 0, 0x9a, 6, 3, 1, 2, 3]), "protobuf", bounds);
  assert.ok(read.ok && read.value.type === Type.DECLINE);
  assert.ok(!("$unknown" in read.value));
  const later = reader.read(new Uint8Array([16, 100]), "protobuf", bounds);
  assert.ok(later.ok && later.value.type === Type.UNKNOWN);
  assert.ok(!reader.read(new Uint8Array([16]), "protobuf", bounds).ok);
  assert.ok(!reader.read(new Uint8Array([0x9b, 6]), "protobuf", bounds).ok);
});
