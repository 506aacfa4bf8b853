/**
 * The standard library, written in BCL on top of the kernel. Its names are known in every file, and a file may use them for its own
 * things. One table makes the library, its pages in the manual, and the tests of its examples.
 */

import { assert } from "../../base/assert.ts";
import { LOWEST } from "../../wire/band.ts";
import { Problems } from "../problem.ts";
import type { FileNode } from "../syntax/node.ts";
import { parseFile } from "../syntax/parser.ts";
import { resolve } from "../syntax/resolve.ts";
import { STANDARD_PATH } from "./evaluator.ts";
import { KERNEL } from "./kernel.ts";
import { type Scope, VariableScope } from "./scope.ts";
import { type Thunk, ValueThunk } from "./thunk.ts";
import { Tuple, writtenLayer } from "./tuple.ts";

export interface StandardEntry {
  readonly name: string;
  /** What the value is, as a BCL expression. */
  readonly code: string;
  readonly what: string;
  /** An expression that is true. */
  readonly example: string;
}

const entry = (name: string, code: string, what: string, example: string): StandardEntry => ({ name, code, what, example });

const BANDS: readonly StandardEntry[] = [
  entry("free", String(LOWEST.free), "The lowest priority: no quota needed, first to go.", "free == 0"),
  entry("batch", String(LOWEST.batch), "Priority of work that can wait; the default.", "batch == 100"),
  entry(
    "production",
    String(LOWEST.production),
    "Priority of services: needs quota, never evicted for lower bands.",
    "production + 10 == 130",
  ),
  entry("monitoring", String(LOWEST.monitoring), "Priority of what watches over the cell.", "monitoring > production"),
];

const LISTS: readonly StandardEntry[] = [
  entry("map", "(f, list) => [f(x) for x in list]", "A function applied to every element.", "map((x) => x * 2, [1, 2]) == [2, 4]"),
  entry(
    "filter",
    "(f, list) => [x for x in list if f(x)]",
    "The elements for which a function is true.",
    "filter((x) => x > 1, [1, 2, 3]) == [2, 3]",
  ),
  entry(
    "range",
    '(from, to, step = 1) => if step <= 0 then error("Expected a step above 0 for range") else if to <= from then [] else [from + i * step for i in indexes(ceil((to - from) / step))]',
    "The numbers from the first up to, but not including, the second.",
    "range(2, 5) == [2, 3, 4] && range(0, 10, step = 5) == [0, 5]",
  ),
  entry(
    "flatten",
    "(lists) => [x for list in lists for x in list]",
    "One list of all the elements of the lists in a list.",
    "flatten([[1], [2, 3]]) == [1, 2, 3]",
  ),
  entry(
    "reverse",
    "(list) => [list[length(list) - 1 - i] for i in indexes(length(list))]",
    "The elements from the last to the first.",
    "reverse([1, 2, 3]) == [3, 2, 1]",
  ),
  entry(
    "zip",
    "(a, b) => [[a[i], b[i]] for i in indexes(min([length(a), length(b)]))]",
    "Pairs of the elements of two lists, as many as the shorter one has.",
    'zip([1, 2], ["a", "b"]) == [[1, "a"], [2, "b"]]',
  ),
  entry("contains", "(list, x) => any([y == x for y in list])", "Whether a list has an element.", 'contains(["a", "b"], "b")'),
  entry("any", "(list) => fold((a, b) => a || b, false, list)", "Whether one of the elements is true.", "any([false, true])"),
  entry("all", "(list) => fold((a, b) => a && b, true, list)", "Whether all the elements are true.", "all([]) && !all([true, false])"),
  entry(
    "unique",
    "(list) => [x for i, x in list if !contains([list[j] for j in indexes(i)], x)]",
    "Every element once, in the order of first appearance.",
    "unique([1, 2, 1]) == [1, 2]",
  ),
  entry(
    "sort",
    "(list, by = (x) => x) => if length(list) <= 1 then list else let pivot = by(list[floor(length(list) / 2)]) in sort([x for x in list if by(x) < pivot], by) + [x for x in list if by(x) == pivot] + sort([x for x in list if by(x) > pivot], by)",
    "The elements in order, or in the order of what a function says of each. Equal ones stay as they were.",
    'sort([3, 1, 2]) == [1, 2, 3] && sort(["bb", "a"], by = length) == ["a", "bb"]',
  ),
];

const NUMBERS: readonly StandardEntry[] = [
  entry(
    "min",
    '(list) => if length(list) == 0 then error("Expected at least one element for min, found none") else fold((a, b) => if b < a then b else a, list[0], list)',
    "The smallest element.",
    "min([3, 1, 2]) == 1 && min([2Gi, 64Mi]) == 64Mi",
  ),
  entry(
    "max",
    '(list) => if length(list) == 0 then error("Expected at least one element for max, found none") else fold((a, b) => if b > a then b else a, list[0], list)',
    "The largest element.",
    "max([3, 1, 2]) == 3",
  ),
  entry(
    "sum",
    "(list, zero = 0) => fold((a, b) => a + b, if length(list) == 0 then zero else list[0], [x for i, x in list if i > 0])",
    "All the elements added up; zero is the sum of none.",
    "sum([1, 2, 3]) == 6 && sum([64Mi, 64Mi]) == 128Mi",
  ),
  entry("clamp", "(x, least, most) => max([least, min([most, x])])", "The number, or the bound that it is beyond.", "clamp(7, 1, 5) == 5"),
];

const TEXTS: readonly StandardEntry[] = [
  entry(
    "join",
    '(list, separator = "") => concat([if i == 0 then text(x) else separator + text(x) for i, x in list])',
    "One text of all the elements, with a separator between them.",
    'join(["a", "b"], ", ") == "a, b"',
  ),
  entry(
    "format",
    `(template, values) => fold((t, pair) => replace(t, "{" + text(pair[0]) + "}", text(pair[1])), template, entries(values))`,
    "A text with {name} replaced by the values of a tuple, or {0} by the elements of a list.",
    'format("{a}:{b}", { a = 1, b = 2 }) == "1:2" && format("{0}!", ["hi"]) == "hi!"',
  ),
  entry(
    "starts_with",
    '(text, part) => part == "" || (let parts = split(text, part) in length(parts) > 1 && parts[0] == "")',
    "Whether a text begins with another.",
    'starts_with("web-1", "web") && !starts_with("my-web", "web")',
  ),
  entry(
    "ends_with",
    '(text, part) => part == "" || (let parts = split(text, part) in length(parts) > 1 && parts[length(parts) - 1] == "")',
    "Whether a text ends with another.",
    'ends_with("web.js", ".js") && !ends_with("web.js", "web")',
  ),
  entry(
    "pad",
    '(x, width, with = "0") => join([with for _ in range(0, width - length(text(x)))]) + text(x)',
    "A number or text, filled up on the left to a width.",
    'pad(7, 3) == "007"',
  ),
  entry("repeat", "(text, count) => join([text for _ in indexes(count)])", "A text several times over.", 'repeat("ab", 2) == "abab"'),
];

const TUPLES: readonly StandardEntry[] = [
  entry(
    "merge",
    "(tuples) => fold((a, b) => a + b, {}, tuples)",
    "Tuples laid over each other, the last on top.",
    "merge([{ a = 1, b = 1 }, { b = 2 }]) == { a = 1, b = 2 }",
  ),
  entry(
    "entries",
    "(tuple) => [[name, value] for name, value in tuple]",
    "Pairs of name and value; of a list, pairs of index and element.",
    'entries({ a = 1 }) == [["a", 1]]',
  ),
  entry("values", "(tuple) => [value for _, value in tuple]", "The values of a tuple's fields.", "values({ a = 1, b = 2 }) == [1, 2]"),
  entry(
    "map_values",
    "(f, tuple) => { [name] = f(value) for name, value in tuple }",
    "The tuple with a function applied to every value.",
    "map_values((x) => x + 1, { a = 1 }) == { a = 2 }",
  ),
  entry(
    "pick",
    "(tuple, names) => { [name] = tuple[name] for name in names }",
    "The tuple with only the named fields.",
    'pick({ a = 1, b = 2 }, ["a"]) == { a = 1 }',
  ),
  entry(
    "omit",
    "(tuple, names) => { [name] = value for name, value in tuple if !contains(names, name) }",
    "The tuple without the named fields.",
    'omit({ a = 1, b = 2 }, ["a"]) == { b = 2 }',
  ),
  entry(
    "get",
    "(tuple, name, default = null) => if has(tuple, name) then tuple[name] else default",
    "A field, or a default where the tuple has none.",
    'get({ a = 1 }, "b", 5) == 5',
  ),
  entry(
    "default",
    "(x, otherwise) => if x == null then otherwise else x",
    "A value, or another one where it is null.",
    "default(null, 5) == 5",
  ),
];

const JOBS: readonly StandardEntry[] = [
  entry(
    "per_index",
    "(count, f) => [{ tasks = i } + f(i) for i in indexes(count)]",
    "What differs from task to task of a job: for the field overrides, a function of the index.",
    "per_index(2, (i) => { env = { SHARD = i } })[1] == { tasks = 1, env = { SHARD = 1 } }",
  ),
  entry(
    "only_index",
    "(index, values) => [{ tasks = index } + values]",
    "Overrides for a single task; lists of overrides are put together with +.",
    "only_index(0, { ram = 1Gi })[0].ram == 1Gi",
  ),
];

export const STANDARD: readonly StandardEntry[] = [...BANDS, ...LISTS, ...NUMBERS, ...TEXTS, ...TUPLES, ...JOBS];

/** Every name that a file can use without writing it down. */
export const GLOBALS: ReadonlySet<string> = new Set([...KERNEL, ...STANDARD].map((e) => e.name));

const FILE: FileNode = parseStandard();

function parseStandard(): FileNode {
  const problems = new Problems();
  const text = STANDARD.map((e) => `${e.name} = ${e.code}\n`).join("");
  const file = parseFile({ path: STANDARD_PATH, text }, problems);
  resolve(file, GLOBALS, problems);
  assert(problems.list.length === 0, `Standard library: ${problems.list[0]?.message}`);
  return file;
}

/** The outermost scope of one evaluation: nothing worked out in one is seen by another. */
export function standardScope(): Scope {
  const span = { source: FILE.source, start: 0, end: 0 };
  const kernel = new VariableScope(
    undefined,
    new Map(KERNEL.map((native) => [native.name, new ValueThunk({ kind: "native", native }, span)])),
  );
  const library = new Tuple([writtenLayer(FILE.body, kernel)]);
  return new VariableScope(kernel, new Map<string, Thunk>(STANDARD.map((e) => [e.name, library.cell(e.name)!])));
}
