import assert from "node:assert/strict";
import { test } from "node:test";
import type { DescMessage } from "@bufbuild/protobuf";
import { checker } from "./check.ts";
import { decode, encode, make, same } from "./codec.ts";
import { firstDifference } from "./difference.ts";
import { formProblem } from "./form.ts";
import { Form } from "./gen/borg/v1/bound_pb.ts";
import { file_borg_v1_checkpoint } from "./gen/borg/v1/checkpoint_pb.ts";
import { file_borg_v1_event } from "./gen/borg/v1/event_pb.ts";
import { file_borg_v1_machine } from "./gen/borg/v1/machine_pb.ts";
import { ActorKind, EntrySchema, file_borg_v1_op, OpSchema } from "./gen/borg/v1/op_pb.ts";
import { file_borg_v1_record } from "./gen/borg/v1/record_pb.ts";
import { file_borg_v1_resource } from "./gen/borg/v1/resource_pb.ts";
import { file_borg_v1_spec, type JobSpec, JobSpecSchema, LabelSchema } from "./gen/borg/v1/spec_pb.ts";

const FILES = [
  file_borg_v1_spec,
  file_borg_v1_op,
  file_borg_v1_machine,
  file_borg_v1_event,
  file_borg_v1_resource,
  file_borg_v1_checkpoint,
  file_borg_v1_record,
];

test("every message of the vocabulary has a bound on every field, and no maps [KB1] [U9]", () => {
  const messages = FILES.flatMap((file) => file.messages as DescMessage[]);
  assert.ok(messages.length > 60);
  for (const message of messages) assert.doesNotThrow(() => checker(message), message.typeName);
});

const spec = (): JobSpec => make(JobSpecSchema, { user: "ubar", name: "web", count: 1, task: { command: ["node"] } });

test("a sound message has no problem, before and after a trip through bytes", () => {
  const check = checker(JobSpecSchema);
  assert.equal(check(spec()), undefined);
  const decoded = decode(JobSpecSchema, encode(JobSpecSchema, spec()), 1000);
  assert.ok(decoded.ok);
  assert.equal(check(decoded.value), undefined);
  assert.ok(same(JobSpecSchema, decoded.value, spec()));
});

test("a problem names the way to it", () => {
  const check = checker(EntrySchema);
  const bad = spec();
  bad.labels.push(make(LabelSchema, { key: "a b" }));
  const entry = make(EntrySchema, {
    ops: [{ actor: { kind: ActorKind.USER, name: "a" }, body: { case: "jobSubmit", value: { spec: bad } } }],
  });
  assert.match(check(entry) ?? "", /^\.ops\[0\]\.body\.jobSubmit\.spec\.labels\[0\]\.key: Expected a key/);
});

test("every bound is kept: one more item, character or unit is refused, in words [KB1] [KB2]", () => {
  const check = checker(JobSpecSchema);
  const problem = (tamper: (s: JobSpec) => void): string => {
    const other = spec();
    tamper(other);
    return check(other) ?? "";
  };
  const labels = (count: number) => Array.from({ length: count }, (_, i) => make(LabelSchema, { key: `k${i}`, value: "v" }));
  const most = Number(/at most (\d+) items/.exec(problem((s) => s.labels.push(...labels(100_000))))?.[1]);
  assert.ok(most > 0 && most < 100_000);
  assert.equal(
    problem((s) => s.labels.push(...labels(most - s.labels.length))),
    "",
  );
  assert.match(
    problem((s) => s.labels.push(...labels(most - s.labels.length + 1))),
    /^\.labels: Expected at most/,
  );
  assert.match(
    problem((s) => {
      s.task!.command = ["x".repeat(10_000_000)];
    }),
    /^\.task\.command\[0\]: Expected at most \d+ characters, found 10000000/,
  );
  assert.match(
    problem((s) => {
      s.priority = 451;
    }),
    /^\.priority: Expected 0 to 450, found 451/,
  );
});

test("decode refuses in words and before parsing what is too large", () => {
  assert.deepEqual(decode(OpSchema, new Uint8Array(10), 9), { ok: false, reason: "Expected at most 9 bytes of Op, found 10" });
  const broken = decode(OpSchema, Uint8Array.of(0xff), 9);
  assert.ok(!broken.ok && broken.reason.startsWith("Cannot decode Op: "));
});

test("forms: what they take and what they do not", () => {
  const takes = (form: number, ...texts: string[]) => {
    for (const text of texts) assert.equal(formProblem(form, text), undefined, text);
  };
  const refuses = (form: number, ...texts: string[]) => {
    for (const text of texts) assert.notEqual(formProblem(form, text), undefined, text);
  };
  takes(Form.NAME, "a", "0", "a-b", "a".repeat(63));
  refuses(Form.NAME, "-a", "a-", "a_b", "A", "a".repeat(64), "ä");
  takes(Form.JOB, "u/j");
  refuses(Form.JOB, "u", "u/j/0", "/j", "u/", "u//j");
  takes(Form.TASK, "u/j/0", "u/j/99999");
  refuses(Form.TASK, "u/j/00", "u/j/100000", "u/j/x");
  takes(Form.INSTANCE, "u/j/0:1");
  refuses(Form.INSTANCE, "u/j/0:0", "u/j/0", "u/j/0:01", "u/j/0:1:2");
  takes(Form.PLACE, "m1", "u/j/0:1");
  refuses(Form.PLACE, "u/j", "u/j/0");
  takes(Form.KEY, "a", "A_b.c/d-e", "_x");
  refuses(Form.KEY, "1a", "a b", "__proto__", "constructor", "prototype", "a=b");
  takes(Form.PATH, "/a", "/a/b.c", "/...");
  refuses(Form.PATH, "/", "a", "/a/", "/a//b", "/a/../b", "/./a");
  takes(Form.LINE, "any text, ü");
  refuses(Form.LINE, "a\nb", "a\u0007", "a\u2028");
  takes(Form.UNSPECIFIED, "a\nb");
  refuses(Form.UNSPECIFIED, "a\u0000", "\udfff");
});

test("firstDifference names the field, nested, in lists and in bytes", () => {
  const change = (tamper: (s: JobSpec) => void): string | undefined => {
    const other = spec();
    tamper(other);
    return firstDifference(JobSpecSchema, spec(), other);
  };
  assert.equal(
    change(() => {}),
    undefined,
  );
  assert.equal(
    change((s) => {
      s.count = 2;
    }),
    "count",
  );
  assert.equal(
    change((s) => {
      s.task!.noticeMs = 5;
    }),
    "task.noticeMs",
  );
  assert.equal(
    change((s) => {
      s.task!.command.push("x");
    }),
    "task.command",
  );
  assert.equal(
    change((s) => {
      s.task = undefined as never;
    }),
    "task",
  );
  assert.equal(
    change((s) => {
      s.downMax = 0;
    }),
    "downMax",
  );
});
