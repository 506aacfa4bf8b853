import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../base/random.ts";
import { LogFilter } from "./log-filter.ts";
import { safeBlock, safeLine } from "./safe.ts";

const ESC = "\x1b";

test("names and messages are shown, never obeyed: escapes, controls, directions, half surrogates", () => {
  assert.equal(safeLine(`a${ESC}[31mb`), "a\\x1b[31mb");
  assert.equal(safeLine("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  assert.equal(safeLine("a\u202eb\u0085c\u200b\ud800"), "a\\u202eb\\x85c\\u200b\\ud800");
  assert.equal(safeLine("größe 日本 👍"), "größe 日本 👍");
  assert.equal(safeBlock("one\r\ntwo\tx\x07"), "one\ntwo  x\\x07");
});

const passed = (...pieces: readonly (string | Uint8Array)[]): string => {
  const filter = new LogFilter();
  const out = pieces.map((piece) => filter.pass(typeof piece === "string" ? new TextEncoder().encode(piece) : piece)).join("");
  return out + filter.end();
};

test("logs keep text, tabs, lines and colours; a colour that was left on ends", () => {
  assert.equal(passed("a\tb\nc\r\nd"), "a\tb\nc\nd");
  assert.equal(passed(`${ESC}[1;31mred${ESC}[0m plain`), `${ESC}[1;31mred${ESC}[0m plain`);
  assert.equal(passed(`${ESC}[38;5;200mpink`), `${ESC}[38;5;200mpink${ESC}[0m`);
  assert.equal(passed("größe ", new Uint8Array([0xe6, 0x97]), new Uint8Array([0xa5])), "größe 日");
});

test("logs lose what a terminal would obey: titles, clipboards, cursor, queries, charsets, 8-bit forms", () => {
  assert.equal(passed(`a${ESC}]0;title\x07b`), "ab");
  assert.equal(passed(`a${ESC}]52;c;aGk=${ESC}\\b`), "ab");
  assert.equal(passed(`a${ESC}[2J${ESC}[10;10Hb${ESC}[6nc`), "abc");
  assert.equal(passed(`a${ESC}P+q544e${ESC}\\b${ESC}(0c${ESC}cd`), "abcd");
  assert.equal(passed("a\u009b31mb\u009d0;t\u009cc"), `a${ESC}[31mbc${ESC}[0m`);
  assert.equal(passed("safe\rFAKE"), "safe\nFAKE");
  assert.equal(passed("a\u202eb\x07\x08\x00c"), "abc");
  assert.equal(passed(`${ESC}[?25l${ESC}[>4;2mx${ESC}[${"1;".repeat(100)}1my`), "xy");
  assert.equal(passed(`a${ESC}]0;never ended\nb`), "ab");
});

test("a sequence split anywhere is filtered the same", () => {
  const text = `a${ESC}[31mred${ESC}]0;t\x07b\r\nc${ESC}[2Jd\re${ESC}P1${ESC}\\f`;
  const whole = passed(text);
  for (let at = 1; at < text.length; at++) assert.equal(passed(text.slice(0, at), text.slice(at)), whole, `split at ${at}`);
});

test("whatever comes, only colours get through", () => {
  const seed = Number(process.env["SEED"] ?? 7);
  const random = new Random(seed);
  const parts = [ESC, "[", "]", "m", "1", ";", "\x07", "\\", "P", "(", "\u009b", "\n", "x", "?", "\r", "\x9d"];
  for (let run = 0; run < 2000; run++) {
    const text = Array.from({ length: 12 }, () => parts[random.int(0, parts.length)]!).join("");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    const rest = passed(text).replaceAll(/\x1b\[[0-9;:]*m/g, "");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    assert.doesNotMatch(rest, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/, `seed ${seed} run ${run}: ${JSON.stringify(text)}`);
  }
});
