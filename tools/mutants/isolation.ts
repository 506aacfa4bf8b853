/** Bugs in what keeps tasks of one machine from harming each other: who goes when it is full, who gets the processors, and limits that change. */
import type { Mutant } from "./mutant.ts";

const SHORT = "src/borglet/out-of-resources.ts";
const SHORT_SUITE = "src/borglet/out-of-resources.test.ts";
const CORES_SUITE = "src/borglet/cores.test.ts";
const GROUP_SUITE = "src/borglet/linux/cgroup.test.ts";

export const ISOLATION_BUGS: readonly Mutant[] = [
  {
    name: "prod evicted for lack of memory",
    file: SHORT,
    text: "usedBytes > 0 && (isOverLimit || !isProd(priority))",
    replacement: "usedBytes > 0",
    suite: SHORT_SUITE,
  },
  {
    name: "the highest evicted first",
    file: SHORT,
    text: "a.priority - b.priority ||",
    replacement: "b.priority - a.priority ||",
    suite: SHORT_SUITE,
  },
  {
    name: "who is over its memory limit not evicted first",
    file: SHORT,
    text: "  Number(b.isOverLimit) - Number(a.isOverLimit) ||\n",
    replacement: "",
    suite: SHORT_SUITE,
  },
  {
    name: "more evicted than needed",
    file: SHORT,
    text: "    if (needed <= most) break;\n",
    replacement: "",
    suite: SHORT_SUITE,
  },
  {
    name: "an eviction for lack of memory counted as a failure",
    file: "src/borglet/restart.ts",
    text: '(kept.condemned === "" || kept.evicted)',
    replacement: '(kept.condemned === "")',
    suite: SHORT_SUITE,
  },
  {
    name: "an eviction forgotten with its borglet",
    file: "src/borglet/kept.ts",
    text: "  const said = { message, noticeMs, lameDuckMs, condemned, evicted, rebooted, data };",
    replacement: "  const said = { message, noticeMs, lameDuckMs, condemned, rebooted, data };",
    suite: SHORT_SUITE,
  },
  {
    name: "limits changed before that was saved",
    file: "src/borglet/borglet.ts",
    text: 'if (kept.phase !== "starting") this.#effects.push(() => this.#machine.adjust(next));',
    replacement: 'if (kept.phase !== "starting") this.#machine.adjust(next);',
    suite: SHORT_SUITE,
  },
  {
    name: "a task killed for a limit that fell",
    file: "src/borglet/linux/cgroup.ts",
    text: "if (hasRoom) this.#knobs.limitRam(memory, ramBytes);",
    replacement: "this.#knobs.limitRam(memory, ramBytes);",
    suite: GROUP_SUITE,
  },
  {
    name: "a processor given twice",
    file: "src/borglet/cores.ts",
    text: "    for (const core of cores) free.delete(core);\n",
    replacement: "",
    suite: CORES_SUITE,
  },
  {
    name: "no processor left for the rest",
    file: "src/borglet/cores.ts",
    text: "if (!reserved.has(key) && free.size > cores)",
    replacement: "if (!reserved.has(key) && free.size >= cores)",
    suite: CORES_SUITE,
  },
  {
    name: "batch starved for ever",
    file: "src/borglet/leftovers.ts",
    text: "      if (seconds >= WITHOUT_MAX) turns.add(band);\n",
    replacement: "",
    suite: CORES_SUITE,
  },
  {
    name: "an alloc's memory taken for the machine's",
    file: "src/borglet/linux/cgroup.ts",
    text: 'if (place.alloc !== "" && this.#full(',
    replacement: "if (false && this.#full(",
    suite: GROUP_SUITE,
  },
  {
    name: "the borglet an equal of all its tasks",
    file: "src/borglet/linux/own-group.ts",
    text: "    new Knobs(host.version).weigh(this.#directory, WEIGHT);\n",
    replacement: "",
    suite: GROUP_SUITE,
  },
  {
    name: "a task over its limit started in a tight loop",
    file: "src/borglet/restart.ts",
    text: "const least = kept.message.startsWith(OVER_LIMIT) ?",
    replacement: "const least = kept.message === OVER_LIMIT ?",
    suite: "src/borglet/borglet.test.ts",
  },
  {
    name: "two tasks grow into the same room",
    file: "src/cell/ops/update-steps.ts",
    text: "  if (isTooLate(turn, planned, update)) return;\n",
    replacement: "",
    suite: "test/cell/updates.test.ts",
  },
  {
    name: "a changed limit not ordered",
    file: "src/borgmaster/link/comparison.ts",
    text: "if (known !== undefined && isHeldOtherwise(desired, known, each)) adjusts.push(...adjustOrder(desired, known));",
    replacement: "",
    suite: "test/borgmaster/comparison.test.ts",
  },
  {
    name: "prod moved away for a starved task",
    file: "src/borgmaster/relief.ts",
    text: "stop === undefined && inside === undefined && !isProd(priority)",
    replacement: "stop === undefined && inside === undefined",
    suite: "test/borgmaster/relief.test.ts",
  },
  {
    name: "an evicted task taken for one that vanished",
    file: "src/cell/ops/reports.ts",
    text: "turn.state.version >= ADJUSTMENTS && report.outOfResources && ",
    replacement: "report.outOfResources && turn.timeMs < 0 && ",
    suite: "test/cell/updates.test.ts",
  },
  {
    name: "disk bandwidth that came later is held by nobody",
    file: "src/borglet/linux/cgroup.ts",
    text: "    this.#joinLater(place, limits, alloc);\n",
    replacement: "",
    suite: "test/borglet/contract.test.ts",
  },
  {
    name: "a reserve that rises kills tasks",
    file: "src/borglet/linux/cgroup.ts",
    text: "    this.#limitRamLater(this.#parent, ramBytes);\n",
    replacement: '    this.#knobs.limitRam(join(this.#host.rootOf("memory"), this.#parent), ramBytes);\n',
    suite: "src/borglet/linux/cgroup.test.ts",
  },
  {
    name: "a machine's own reserve forgotten",
    file: "src/daemon/description.ts",
    text: "{ ...described.reserve, ...file.all?.reserve, ...own.reserve }",
    replacement: "{ ...described.reserve, ...own.reserve, ...file.all?.reserve }",
    suite: "src/daemon/description.test.ts",
  },
];
