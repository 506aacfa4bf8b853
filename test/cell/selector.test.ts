import assert from "node:assert/strict";
import { test } from "node:test";
import { constraintText } from "../../src/cell/constraint.ts";
import { selects } from "../../src/cell/labels.ts";
import { parseSelector } from "../../src/wire/selector.ts";

const read = (text: string): string => {
  const parsed = parseSelector(text);
  return parsed.ok ? parsed.value.map(constraintText).join("; ") : `refused: ${parsed.reason}`;
};

test("a selector is a list of conditions, written as people know them [L1]", () => {
  assert.equal(read("app=web"), "app = web");
  assert.equal(read(" app == web , tier != db "), "app = web; tier != db");
  assert.equal(read("track,!legacy, ! old"), "track exists; legacy does not exist; old does not exist");
  assert.equal(read("region in (eu, us),tier notin(db)"), "region in eu, us; tier not in db");
  assert.equal(read('note="a, b (c)",x='), "note = a, b (c); x =");
  assert.equal(read("example.org/team=a"), "example.org/team = a");
  assert.equal(read(""), "");
});

test("what is no selector is refused in words that say what to write [L1]", () => {
  const wrong = ["a b", "=x", "a=b=(c", "in (a)", "a in", "a in ()(", '"a"=b', "1a=b", 'a="b"c', "!a=b", ",", "a,,b", "a in (b"];
  for (const text of wrong) assert.match(read(text), /^refused: Cannot understand/, text);
  assert.match(read("a b"), /as in app=web, tier!=db/);
  assert.match(read("__proto__=b"), /reserved/);
  assert.equal(read("a in ()"), "a in", "an empty value");
});

test("a selector has bounds: its length, its conditions, its values [L1]", () => {
  assert.match(read(`a=${"x".repeat(1023)}`), /at most 1024 characters, not 1025/);
  assert.match(read(Array.from({ length: 33 }, (_, i) => `k${i}`).join(",")), /at most 32 conditions, not 33/);
  assert.match(read(`a in (${Array.from({ length: 65 }, (_, i) => i).join(",")})`), /at most 64 values, not 65/);
  assert.match(read(`${"k".repeat(64)}=a`), /at most 63 characters/);
  assert.match(read(`a=${"x".repeat(254)}`), /at most 253 characters/);
});

test("all conditions have to hold; who has no such label is not equal to anything [L1]", () => {
  const labels = new Map([
    ["app", "web"],
    ["region", "eu"],
  ]);
  const holds = (text: string): boolean => {
    const parsed = parseSelector(text);
    return parsed.ok && selects(parsed.value, labels);
  };
  for (const text of ["", "app=web", "app", "!tier", "tier!=db", "region in (eu,us)", "tier notin (db)", "app=web,region!=us"])
    assert.ok(holds(text), text);
  for (const text of ["app=db", "tier", "!app", "app!=web", "region in (us)", "region notin (eu)", "app=web,region=us", "tier in (db)"])
    assert.ok(!holds(text), text);
});
