/** Bugs where the cell meets others: checks of messages, callers' limits, text for terminals. */
import type { Mutant } from "./mutant.ts";

export const EDGE_BUGS: readonly Mutant[] = [
  {
    name: "what an answer cost is not charged",
    file: "src/rpc/api/budgets.ts",
    text: "bucket.left + taken - price);",
    replacement: "bucket.left);",
    suite: "src/rpc/api/budgets.test.ts",
  },
  {
    name: "many heavy calls at once pay as light ones",
    file: "src/rpc/api/calls.ts",
    text: "const taken = this.#budgets.expected(method);",
    replacement: "const taken = Math.min(1, this.#budgets.expected(method));",
    suite: "src/rpc/limits.test.ts",
  },
  {
    name: "the reserve of connections is for everybody",
    file: "src/rpc/api/calls.ts",
    text: "if (state.isReserve && identity.isAdmin !== true)",
    replacement: "if (state.isReserve && identity.user === identity.isAdmin?.toString())",
    suite: "src/rpc/limits.test.ts",
  },
  {
    name: "lists of any length",
    file: "src/wire/check.ts",
    text: "if (value.length > bound.items) return",
    replacement: "if (value.length < 0) return",
    suite: "src/wire/check.test.ts",
  },
  {
    name: "text of any length",
    file: "src/wire/check.ts",
    text: "if (value.length > bound.length) return `: Expected at most ${bound.length} characters",
    replacement: "if (value.length < 0) return `: Expected at most ${bound.length} characters",
    suite: "src/wire/check.test.ts",
  },
  {
    name: "half a name fits",
    file: "src/wire/form.ts",
    text: "pattern: new RegExp(`^${NAME}/${NAME}$`)",
    replacement: "pattern: new RegExp(`^${NAME}/${NAME}`)",
    suite: "src/wire/check.test.ts",
  },
  {
    name: "numbers of any size",
    file: "src/wire/check.ts",
    text: "if (value < 0 || value < bound.min || value > max || Object.is(value, -0))",
    replacement: "if (value < 0 || Object.is(value, -0))",
    suite: "src/wire/check.test.ts",
  },
  {
    name: "json of any depth",
    file: "src/rpc/api/scan-json.ts",
    text: "if (kind === 1 && ++depth > depthMax) return",
    replacement: "if (kind === 1 && ++depth < 0) return",
    suite: "src/rpc/api/scan.test.ts",
  },
  {
    name: "connections without a bound",
    file: "src/rpc/api/connections.ts",
    text: "if (isFull && this.#open.size >= connections + connectionsReserve) {",
    replacement: "if (isFull && connectionsReserve < 0) {",
    suite: "src/rpc/limits.test.ts",
  },
  {
    name: "a machine from elsewhere is not asked after",
    file: "src/rpc/link-server.ts",
    text: "if (link.isOwn) return this.#opened(link, open.machine, {});",
    replacement: "return this.#opened(link, open.machine, {});",
    suite: "src/rpc/link.test.ts",
  },
  {
    name: "strangers wait without a bound",
    file: "src/daemon/threads/joins.ts",
    text: "known === undefined && this.#waiting.size >= WAITING_MAX",
    replacement: "false",
    suite: "src/daemon/threads/joins.test.ts",
  },
  {
    name: "escape sequences reach the terminal",
    file: "src/cli/text/safe.ts",
    text: "export const safeLine = (text: string): string => text.replace(DANGEROUS, shown);",
    replacement: "export const safeLine = (text: string): string => (text === DANGEROUS.source ? shown(text) : text);",
    suite: "src/cli/text/safe.test.ts",
  },
];
