/** Bugs in what pages are told of a cell, and in what they may ask for. */
import type { Mutant } from "./mutant.ts";

const SUITE = "test/borgmaster/views.test.ts";
const INDEX = "test/borgmaster/view-index.test.ts";

export const VIEW_BUGS: readonly Mutant[] = [
  {
    name: "a page is not told of a row that changed in its place",
    file: "src/borgmaster/api/view-watch.ts",
    text: "if (this.#names.has(name)) this.#dirty.add(name);",
    replacement: "if (this.#names.has(name)) this.#dirty.delete(name);",
    suite: SUITE,
  },
  {
    name: "a page gets the name of a row that is new in its window, and no row",
    file: "src/borgmaster/api/view-watch.ts",
    text: "isUsageDue || !this.#names.has(name) || this.#dirty.has(name)",
    replacement: "isUsageDue || this.#dirty.has(name)",
    suite: SUITE,
  },
  {
    name: "a page that lost an answer gets differences to it",
    file: "src/borgmaster/api/view-calls.ts",
    text: "const isKnown = watch.seen === request.seen && request.seen !== 0;",
    replacement: "const isKnown = request.seen !== 0;",
    suite: SUITE,
  },
  {
    name: "a watch that nobody asks about is kept for ever",
    file: "src/borgmaster/api/view-calls.ts",
    text: "if (now - watch.askedMs > FORGOTTEN_MS &&",
    replacement: "if (now < watch.askedMs &&",
    suite: SUITE,
  },
  {
    name: "a user has as many watches as it likes",
    file: "src/borgmaster/api/view-calls.ts",
    text: "own.length >= WATCHES_PER_USER ? own :",
    replacement: "own.length >= WATCHES_MAX ? own :",
    suite: SUITE,
  },
  {
    name: "a byte of the map that is another is not told",
    file: "src/borgmaster/api/view-map.ts",
    text: "drawn.bytes[place] = byte;\n      drawn.version = this.#version;",
    replacement: "drawn.bytes[place] = byte;",
    suite: INDEX,
  },
  {
    name: "a row whose figure is another stays where it was",
    file: "src/borgmaster/api/ranking.ts",
    text: "if (figure === this.#figures.get(name)) continue;",
    replacement: "if (this.#figures.has(name)) continue;",
    suite: INDEX,
  },
  {
    name: "a task that left a machine is still counted there",
    file: "src/borgmaster/api/task-counts.ts",
    text: "if (before !== undefined) this.#moved(before);",
    replacement: "",
    suite: INDEX,
  },
  {
    name: "a list of tasks begins anew in each of its parts",
    file: "src/borgmaster/api/view-tasks.ts",
    text: "        passed -= there;\n        continue;",
    replacement: "        continue;",
    suite: INDEX,
  },
  {
    name: "a log line tells a terminal what to do",
    file: "src/sigma/app/log-text.ts",
    text: 'text.replace(COLOURS, "").replace(CONTROLS, "")',
    replacement: "text",
    suite: "src/sigma/words.test.ts",
  },
  {
    name: "a program in a shell chooses what the terminal answers",
    file: "src/sigma/app/shell/screen.ts",
    text: 'this.#answers.slice(0, ANSWERS_MAX).join("")',
    replacement: "this.#answers.join(this.#last)",
    suite: "src/sigma/screen.test.ts",
  },
  {
    name: "a terminal keeps every line that scrolled away",
    file: "src/sigma/app/shell/grid.ts",
    text: "if (this.back.length > BACK_MAX)",
    replacement: "if (this.back.length > BACK_MAX ** 2)",
    suite: "src/sigma/screen.test.ts",
  },
  {
    name: "who made way is told twice",
    file: "src/sigma/app/receipts.ts",
    text: '|| instance === "" || found.has(instance)',
    replacement: '|| instance === ""',
    suite: "src/sigma/receipts.test.ts",
  },
  {
    name: "a page of a cell elsewhere asks for whatever its user may",
    file: "src/rpc/server.ts",
    text: "exchange.connection.isProven && request.headers[PAGE_HEADER] !== undefined",
    replacement: "!exchange.connection.isProven && request.headers[PAGE_HEADER] !== undefined",
    suite: "src/rpc/page-proxy.test.ts",
  },
  {
    name: "whoever finds the port of borg ui is its user",
    file: "src/rpc/page-proxy.ts",
    text: 'this.#sessions.user(headerOf(request, "borg-session")) === undefined',
    replacement: 'headerOf(request, "borg-session") === ""',
    suite: "src/rpc/page-proxy.test.ts",
  },
  {
    name: "a page makes whatever change it likes",
    file: "src/borgmaster/api/methods.ts",
    text: "|| PAGED_CHANGES.has(method);",
    replacement: "|| PAGED_CHANGES.size > 0;",
    suite: SUITE,
  },
];
