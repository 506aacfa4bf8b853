import { encodeOp, OP_BYTES_MAX, opFault, unseal, userOp } from "../../../src/cell/op.ts";
import { parseSelector } from "../../../src/wire/selector.ts";
import { jobSpec } from "../world.ts";
import { type Group, row } from "./row.ts";

/** A submit whose spec has something wrong in it that no well-behaved client could send. */
const spec = (more: object) => (): string => {
  const op = userOp("ann", "", { case: "jobSubmit", value: { spec: jobSpec("web") } });
  Object.assign((op.body.value as { spec: object }).spec, more);
  return opFault(op) ?? "ok";
};
const task = (more: object) => (): string => {
  const op = userOp("ann", "", { case: "jobSubmit", value: { spec: jobSpec("web") } });
  Object.assign((op.body.value as { spec: { task: object } }).spec.task, more);
  return opFault(op) ?? "ok";
};
const op = (more: object) => (): string =>
  opFault({ ...userOp("ann", "", { case: "jobKill", value: { job: "ann/web" } }), ...more } as never) ?? "ok";
const selects = (text: string) => (): string => {
  const found = parseSelector(text);
  return found.ok ? "ok" : found.reason;
};
const file = (path: string): object => ({ files: [{ $typeName: "borg.v1.File", path, content: new Uint8Array(), mode: 0 }] });
const variable = (key: string): object => ({ environment: [{ $typeName: "borg.v1.Variable", key, value: "x" }] });
const list = (count: number): string => Array.from({ length: count }, (_, i) => `k${i}`).join(",");

const FORMS: Group = {
  title: "The form of a request",
  next: "The path before the colon says which field; the words say what it takes.",
  rows: [
    row("form.no-message", "text where a message is meant", spec({ task: "x" })),
    row(
      "form.number",
      "a field that this build does not know, by number",
      spec({ $unknown: [{ no: 999, wireType: 0, data: new Uint8Array() }] }),
    ),
    row("form.field", "a field that this build does not know, by name", spec({ colour: "red" })),
    row("form.no-body", "an op that asks for nothing", op({ body: { case: undefined } })),
    row("form.case", "an op that this build does not know", op({ body: { case: "later", value: {} } })),
    row("form.required", "a submit without a spec", () => opFault(userOp("ann", "", { case: "jobSubmit", value: {} })) ?? "ok"),
    row("form.list", "text where a list is meant", task({ command: "x" })),
    row("form.items", "too many words in a command", task({ command: new Array(2000).fill("a") })),
    row("form.no-items", "claims, and none named", () => opFault(userOp("ann", "", { case: "taskClaims", value: { claims: [] } })) ?? "ok"),
    row("form.truth", "a number where yes or no is meant", spec({ perMachine: 1 })),
    row("form.no-number", "text where a number is meant", spec({ count: "2" })),
    row("form.whole", "half a task", spec({ count: 0.5 })),
    row("form.range", "priority 451", spec({ priority: 451 })),
    row("form.text", "a number where text is meant", spec({ name: 7 })),
    row("form.no-text", "a job without a name", spec({ name: "" })),
    row("form.length", "a name of 64 letters", spec({ name: "a".repeat(64) })),
    row("form.bytes", "text where bytes are meant", op({ requestDigest: "x" })),
    row("form.bytes-length", "a digest of 99 bytes", op({ requestDigest: new Uint8Array(99) })),
    row("form.digest", "a digest of 15 bytes", op({ requestDigest: new Uint8Array(15) })),
    row("form.choice", "a spread that is none", spec({ spread: 17 })),
    row(
      "form.no-choice",
      "a constraint without an operator",
      spec({ constraints: [{ $typeName: "borg.v1.Constraint", attribute: "a", operator: 0, values: [], soft: false, weight: 0 }] }),
    ),
    row("form.name", "a name with a space", spec({ name: "a b" })),
    row(
      "form.place",
      "a claim of no place",
      () => opFault(userOp("ann", "", { case: "taskClaims", value: { claims: [{ task: "ann/web/0", place: "M 1" }] } })) ?? "ok",
    ),
    row(
      "form.task",
      "a claim of no task",
      () => opFault(userOp("ann", "", { case: "taskClaims", value: { claims: [{ task: "web", place: "m1" }] } })) ?? "ok",
    ),
    row(
      "form.instance",
      "a shell in no instance",
      () => opFault(userOp("ann", "", { case: "shellOpen", value: { instance: "web" } })) ?? "ok",
    ),
    row("form.key", "a variable whose name begins with a digit", task(variable("1"))),
    row("form.reserved", "a variable with a name of the language", task(variable("constructor"))),
    row("form.unicode", "half a letter", task({ command: ["\ud800"] })),
    row("form.nul", "a NUL in a command", task({ command: ["a\u0000"] })),
    row("form.line", "two lines where one is meant", spec({ name: "a\nb" })),
    row("form.path", "a path with .. in it", task(file("/a/../b"))),
    row("form.large", "more than a mebibyte", () => {
      const found = unseal(new Uint8Array(OP_BYTES_MAX + 1));
      return found.ok ? "ok" : found.reason;
    }),
    row("form.sealed", "an op whose bytes break a bound", () => {
      const found = unseal(encodeOp(userOp("ann", "", { case: "jobKill", value: { job: "Ann" } })));
      return found.ok ? "ok" : found.reason;
    }),
    row("selector.length", "a selector of 1025 characters", selects(`a=${"x".repeat(1023)}`)),
    row("selector.conditions", "a selector of 33 conditions", selects(list(33))),
    row("selector.key", "a selector with a long key", selects("k".repeat(64))),
    row("selector.values", "a selector with 65 values", selects(`a in (${list(65)})`)),
    row("selector.value", "a selector with a quote inside a value", selects('a=b"c"d')),
  ],
};

export const FORM_GROUPS: readonly Group[] = [FORMS];
