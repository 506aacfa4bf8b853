/** Bugs in how schedulers plan: order, places, limits, claims under way. */
import type { Mutant } from "./mutant.ts";

export const SCHEDULER_BUGS: readonly Mutant[] = [
  {
    name: "low priority first",
    file: "src/scheduler/queue.ts",
    text: "this.#priorities = [...lines.keys()].sort((a, b) => b - a);",
    replacement: "this.#priorities = [...lines.keys()].sort((a, b) => a - b);",
    suite: "test/scheduler/stories.test.ts",
  },
  {
    name: "same user first again",
    file: "src/scheduler/queue.ts",
    text: "this.#turns.set(`${job.priority}`, job.owner);",
    replacement: "",
    suite: "test/scheduler/stories.test.ts",
  },
  {
    name: "crashed pairing tried first",
    file: "src/scheduler/search/candidates.ts",
    text: "return shunned.length === 0 ? undefined : new Set(shunned);",
    replacement: "return shunned.length >= 0 ? undefined : new Set(shunned);",
    suite: "test/scheduler/stories.test.ts",
  },
  {
    name: "scheduler never looks again",
    file: "src/scheduler/queue.ts",
    text: "return idle.changes === mirror.improved.now && idle.loosened === mirror.loosened;",
    replacement: "return idle.loosened === mirror.loosened;",
    suite: "test/scheduler/stories.test.ts",
  },
  {
    name: "lost answer waited for",
    file: "src/scheduler/scheduler.ts",
    text: "for (const id of this.#sent.keys()) this.#mirror.drop(id);\n    this.#sent.clear();\n    this.#watchAnew();",
    replacement: "",
    suite: "test/scheduler/scheduler.test.ts",
  },
  {
    name: "a gap in the feed is passed over",
    file: "src/scheduler/scheduler.ts",
    text: "        this.#watchAnew();\n        return;",
    replacement: "        return;",
    suite: "test/scheduler/scheduler.test.ts",
  },
  {
    name: "a job with two schedulers",
    file: "src/scheduler/responsibility.ts",
    text: "!isService(job) && fnv1a(job.id) % of === index;",
    replacement: "!isService(job) && fnv1a(job.id) % of >= index;",
    suite: "test/scheduler/scheduler.test.ts",
  },
  {
    name: "scheduler plans beyond its cap",
    file: "src/scheduler/search/feasible.ts",
    text: "if (own?.limits.cap === undefined) return true;",
    replacement: 'if (own?.limits.cap === undefined || own.name !== "") return true;',
    suite: "test/scheduler/stories.test.ts",
  },
  {
    name: "busy machine planned on",
    file: "src/scheduler/search/feasible.ts",
    text: "for (const claim of mirror.underwayOn(machine.id)) if (claim.transaction !== transaction) return true;\n",
    replacement: "",
    suite: "test/scheduler/scheduler.test.ts",
  },
  {
    name: "soft constraints count against",
    file: "src/scheduler/search/traits.ts",
    text: "if (holds(constraint, attributes)) met += weight;",
    replacement: "if (!holds(constraint, attributes)) met += weight;",
    suite: "test/scheduler/stories.test.ts",
  },
  {
    name: "a back-off that was ended is waited for",
    file: "src/scheduler/mirror/mirror.ts",
    text: "if (task.notBeforeMs < notBeforeMs) hurry(this.waiting, task);",
    replacement: "",
    suite: "test/scheduler/stories.test.ts",
  },
  {
    name: "a claim that was accepted as planned is nobody's victim",
    file: "src/scheduler/mirror/mirror.ts",
    text: "this.#residents.add(this.numbering.of(place.machine).machine, instance);\n",
    replacement: "",
    suite: "test/scheduler/slots.test.ts",
  },
];
