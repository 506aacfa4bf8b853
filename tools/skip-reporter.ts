/** A reporter for node --test that writes down only what was not shown: one JSON line for every test that was skipped or is still to do. */
import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";

export interface Skip {
  readonly file: string;
  readonly test: string;
  /** What the test said; empty when it said nothing. */
  readonly reason: string;
}

const spoken = (reason: string | boolean | undefined): string => (typeof reason === "string" ? reason : "");

export default async function* skipReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { name, file = "", skip, todo } = event.data;
    if ((skip ?? false) === false && (todo ?? false) === false) continue;
    const left: Skip = { file: relative(process.cwd(), file), test: name, reason: spoken(skip) || spoken(todo) };
    yield `${JSON.stringify(left)}\n`;
  }
}
