/** Bugs in what users are told, and in whom the cell takes them for. */
import type { Mutant } from "./mutant.ts";

export const API_BUGS: readonly Mutant[] = [
  {
    name: "read answered before the copy has got there",
    file: "src/borgmaster/api/currency.ts",
    text: "this.#reaching.push({ ...asked, position });",
    replacement: "this.#reaching.push({ ...asked, position: position - 1 });",
    suite: "test/borgmaster/api-actor.test.ts",
  },
  {
    name: "not permitted from an old copy",
    file: "src/borgmaster/api.ts",
    text: "else this.#currency.wait(open, () => this.#permitted(open, go));",
    replacement: "else this.#permitted(open, go);",
    suite: "test/borgmaster/api-actor.test.ts",
  },
  {
    name: "new submit told refused by the API",
    file: "src/borgmaster/api.ts",
    text: 'if (answer.result === "done") return this.#answer(open, changedView(answer), answer.position);',
    replacement:
      'if (answer.result === "done" && call.method === "submitJob" && answer.position % 7 === 0) return this.#fail(open, "refused", "No", answer.position);\n        if (answer.result === "done") return this.#answer(open, changedView(answer), answer.position);',
    caughtBy: ["KD3"],
  },
  {
    name: "repeated never answered by the API",
    file: "src/borgmaster/api/changes.ts",
    text: "make(ChangedSchema, { position: answer.position, repeated: true })",
    replacement: "make(ChangedSchema, { position: answer.position })",
    caughtBy: ["KD3"],
  },
  {
    name: "unknown told as unavailable by the API",
    file: "src/borgmaster/api.ts",
    text: 'return this.#fail(open, "unknown", `${answer.reason}: ${SAME_ID}`);',
    replacement: "return this.#unavailable(open, answer.reason);",
    suite: "test/borgmaster/api-actor.test.ts",
  },
  {
    name: "late change told as unavailable",
    file: "src/borgmaster/api.ts",
    text: 'open.late = () => this.#fail(open, "unknown", `${LATE}: ${SAME_ID}`);',
    replacement: "open.late = () => this.#unavailable(open, LATE);",
    suite: "test/borgmaster/api-actor.test.ts",
  },
  {
    name: "ids looked up across users",
    file: "src/cell/ops/requests.ts",
    text: "requester(state, op)?.requests.get(op.requestId);",
    replacement: "[...state.users.values()].map(({ requests }) => requests.get(op.requestId)).find((found) => found !== undefined);",
    caughtBy: ["KD3"],
  },
  {
    name: "foreign user allowed",
    file: "src/cell/ops/users.ts",
    text: "return (user.id === owner && user.roles.has(Role.USER)) ||",
    replacement: "return user.roles.has(Role.USER) ||",
    caughtBy: ["KA2"],
  },
  {
    name: "submit refused for no reason",
    file: "src/cell/ops/admission.ts",
    text: 'if (old !== undefined && old.state !== "dead") return resubmitted(old, spec);',
    replacement:
      'if (old !== undefined && old.state !== "dead") return resubmitted(old, spec);\n  if (state.position % 11 === 0) return refused(`User "${user.id}" lacks 1 core of batch quota`);',
    caughtBy: ["KD3"],
  },
  {
    name: "stale read says that it is fresh",
    file: "src/borgmaster/api.ts",
    text: "const ageMs = open.call.stale ? this.#ageMs() : undefined;",
    replacement: "const ageMs = open.call.stale ? 0 : undefined;",
    suite: "test/borgmaster/api-actor.test.ts",
  },
  {
    name: "call ends never",
    file: "src/borgmaster/confirmations.ts",
    text: "this.#asked = undefined;\n    for (const { to, id } of asked.askers) {",
    replacement: 'if (answer.type === "confirmed") this.#asked = undefined;\n    for (const { to, id } of asked.askers) {',
    caughtBy: ["KD3"],
  },
  {
    name: "change without a deadline",
    file: "src/borgmaster/api.ts",
    text: "if (!open.ended) this.#calls.watch(open);",
    replacement: "",
    suite: "test/borgmaster/api-actor.test.ts",
  },
  {
    name: "crash loop is said to run",
    file: "src/borgmaster/api/views.ts",
    text: 'isBackingOff(state, instance?.backOffUntilMs ?? 0) ? "backing-off" : state;',
    replacement: 'isBackingOff(state, instance?.backOffUntilMs ?? 0) && state === "starting" ? "backing-off" : state;',
    suite: "test/borgmaster/api.test.ts",
  },
  {
    name: "crash loop fills the journal",
    file: "src/borgmaster/link.ts",
    text: 'if (news === undefined || news === "state") return true;',
    replacement: 'if (news !== "health") return true;',
    suite: "test/borgmaster/link.test.ts",
  },
];
