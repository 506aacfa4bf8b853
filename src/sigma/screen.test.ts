/** The terminal of the pages: what programs write, as a screen; and that nothing they write does more than that. Rules: V1 to V6 of the room's card. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BACK_MAX, COLUMNS_MAX, PLAIN, ROWS_MAX, textOf } from "./app/shell/grid.ts";
import { Screen } from "./app/shell/screen.ts";
import { keyBytes, pasted } from "./app/shell/typed.ts";

const ESC = "\u001b";

/** What is seen after this was written: rows without the blanks at their ends, joined by |. */
function seen(text: string, rows = 4, columns = 10): string {
  const screen = new Screen(rows, columns);
  screen.write(text);
  return shown(screen);
}

const shown = (screen: Screen): string => screen.grid.lines.map(textOf).join("|").replace(/\|+$/, "");

test("Text, lines and the moves of a cursor are where a VT100 has them [N5] [sigma.V1]", () => {
  const cases: readonly (readonly [what: string, written: string, screen: string])[] = [
    ["lines", "one\r\ntwo", "one|two"],
    ["a line feed alone stays in its column", "ab\ncd", "ab|  cd"],
    ["letters at the end begin a new line", "0123456789ab", "0123456789|ab"],
    ["the last column waits for the next letter", "0123456789\r\nx", "0123456789|x"],
    ["back and over", "abc\b\bX", "aXc"],
    ["tabs", "a\tb", "a       b"],
    ["to a place", `${ESC}[2;3Hx${ESC}[Hy`, "y|  x"],
    ["up, down, left, right", `${ESC}[3Bx${ESC}[2Ay${ESC}[5Cz${ESC}[9D${ESC}[1Bw`, "| y     z|w|x".replace("|w|x", "|w|x")],
    ["to a column and a row", `abc${ESC}[2Gx${ESC}[3dy`, "axc||  y"],
    ["erase to the end of a line", `abcdef\r${ESC}[3C${ESC}[K`, "abc"],
    ["erase from its beginning", `abcdef${ESC}[3D${ESC}[1K`, "    ef"],
    ["erase what is below", `a\r\nb\r\nc${ESC}[2;1H${ESC}[J`, "a"],
    ["erase all, and the cursor stays", `abc${ESC}[2Jx`, "   x"],
    ["letters put in and taken out", `abcdef\r${ESC}[2@${ESC}[1;5H${ESC}[2P`, "  abef"],
    ["letters made blank", `abcdef\r${ESC}[2X`, "  cdef"],
    ["insert mode", `abc\r${ESC}[4hx${ESC}[4ly`, "xybc"],
    ["lines put in", `a\r\nb\r\nc${ESC}[2;1H${ESC}[L`, "a||b|c"],
    ["lines taken out", `a\r\nb\r\nc${ESC}[1;1H${ESC}[2M`, "c"],
    ["kept and found again", `ab${ESC}7\r\ncd${ESC}8x`, "abx|cd"],
    ["a letter again", `a${ESC}[3b`, "aaaa"],
    ["no new line where that is off", `${ESC}[?7l0123456789ab`, "012345678b"],
    ["lines that are drawn", `${ESC}(0lqk${ESC}(Bq`, "┌─┐q"],
    ["a second set", `${ESC})0\u000eq\u000fq`, "─q"],
    ["wide letters", "日本a", "日本a"],
    ["a wide letter that does not fit goes to the next line", "123456789日", "123456789|日"],
    ["half a wide letter is nothing", `日本\r${ESC}[1Cx`, " x本"],
    ["marks join their letter", "e\u0301x", "e\u0301x"],
  ];
  for (const [what, written, screen] of cases) assert.equal(seen(written), screen, what);
});

test("A region scrolls by itself, and what leaves the screen at its top can be seen again [sigma.V2]", () => {
  assert.equal(seen("1\r\n2\r\n3\r\n4\r\n5"), "2|3|4|5");
  assert.equal(seen(`1\r\n2\r\n3\r\n4${ESC}[2;3r${ESC}[3;1H\nx`), "1|3|x|4", "as pagers scroll");
  assert.equal(seen(`1\r\n2\r\n3\r\n4${ESC}[2;3r${ESC}[2;1H${ESC}Mx`), "1|x|2|4", "and back");
  assert.equal(seen(`1\r\n2\r\n3${ESC}[S`), "2|3");
  assert.equal(seen(`1\r\n2\r\n3${ESC}[T`), "|1|2|3");
  const screen = new Screen(4, 10);
  for (let i = 0; i < BACK_MAX + 100; i++) screen.write(`line ${i}\r\n`);
  assert.equal(screen.grid.back.length, BACK_MAX);
  assert.equal(textOf(screen.grid.back.at(-1)!), `line ${BACK_MAX + 96}`);
  screen.write(`${ESC}[3J`);
  assert.equal(screen.grid.back.length, 0);
});

test("A program that draws has a screen of its own, and the one before comes back [sigma.V3]", () => {
  const screen = new Screen(4, 10);
  screen.write(`$ vi\r\n${ESC}[?1049h${ESC}[?1h${ESC}[?2004h${ESC}[?25l${ESC}[2J${ESC}[Htext\r\n~\r\n~\r\n:${ESC}[5;1H\n\n\n`);
  assert.ok(screen.grid.isAlternate && screen.arrowsAreKeys && screen.marksPaste && !screen.isCursorSeen);
  assert.equal(screen.grid.back.length, 0, "what it scrolls is not kept");
  screen.write(`${ESC}[?1049l${ESC}[?1l${ESC}[?2004l${ESC}[?25h$ `);
  assert.deepEqual([shown(screen), screen.arrowsAreKeys, screen.isCursorSeen], ["$ vi|$", false, true]);
});

test("Colours and weights are those that were asked for; full colours become the nearest of 256 [sigma.V4]", () => {
  const looks = (text: string) => {
    const screen = new Screen(2, 10);
    screen.write(text);
    return screen.grid.lines[0]!.looks[0]!;
  };
  assert.deepEqual(looks(`${ESC}[1;34mx`), { ...PLAIN, bold: true, fore: 5 });
  assert.deepEqual(looks(`${ESC}[97;41;4;7mx`), { ...PLAIN, fore: 16, back: 2, underline: true, inverse: true });
  assert.deepEqual(looks(`${ESC}[38;5;208;48;2;255;0;0mx`), { ...PLAIN, fore: 209, back: 197 });
  assert.deepEqual(looks(`${ESC}[1;31m${ESC}[mx`), PLAIN);
  assert.deepEqual(looks(`${ESC}[38;5mx`), { ...PLAIN, fore: 1 }, "a colour that was cut off");
  assert.deepEqual(looks(`${ESC}[44m${ESC}[K`), { ...PLAIN, back: 5 }, "what is erased has the ground");
});

test("A screen of another size keeps what fits, and the cursor's line [sigma.V5]", () => {
  const screen = new Screen(4, 10);
  screen.write("1\r\n2\r\n3\r\n0123456789");
  screen.resize(2, 5);
  assert.deepEqual([shown(screen), screen.grid.back.map(textOf)], ["3|01234", ["1", "2"]]);
  screen.resize(3, 12);
  screen.write("\r\nx");
  assert.equal(shown(screen), "3|01234|x");
  screen.write(`${ESC}[?1049h`);
  screen.resize(1e9, 1e9);
  assert.deepEqual([screen.grid.rows, screen.grid.columns], [ROWS_MAX, COLUMNS_MAX]);
  screen.write(`${ESC}[?1049l`);
  assert.equal(screen.grid.lines.length, ROWS_MAX);
  screen.resize(Number.NaN, -1);
  screen.write("still there");
});

test("Nothing that a program writes does more than put letters on a screen of bounded size [sigma.V6] [KX2]", () => {
  assert.equal(seen(`a${ESC}]0;title\u0007b${ESC}]8;;http://evil${ESC}\\c${ESC}P+q544e${ESC}\\d`), "abcd", "titles, links and questions");
  assert.equal(seen(`a${ESC}]52;c;c3R1ZmY=\u0007b`), "ab", "no clipboard");
  assert.equal(seen("a\u202eb\u200bc\u0007\u0000d"), "abcd", "nothing turns text around");
  assert.equal(seen(`a${ESC}[${"9".repeat(500)}Cb`), "ab", "a number without end");
  assert.equal(seen(`a${ESC}[999999999;999999999Hb`).endsWith("|         b"), true);
  assert.equal(seen(`a${ESC}[1\u0018b`), "ab", "cancelled");
  assert.equal(seen(`${ESC}]${"x".repeat(4096)}after`), "after", "a title without end is over at some time");
  assert.equal(seen(`a${ESC}[9999999b`), "aaaaaaaaaa|a");
  const screen = new Screen(4, 10);
  assert.equal(screen.write(`${ESC}[6n${ESC}[5n${ESC}[c`), `${ESC}[1;1R${ESC}[0n${ESC}[?6c`);
  assert.equal(screen.write(`${ESC}[21t${ESC}]0;rm -rf\u0007${ESC}[21t${ESC}[>c`), "", "no answer has words of the program");
  assert.equal(screen.write(`${ESC}[6n`.repeat(10_000)).length, 8 * 6, "who asks without end is not answered without end");
  screen.write(`e${"\u0301".repeat(100_000)}`);
  assert.ok(screen.grid.lines.flatMap(({ letters }) => letters).join("").length < 100);
});

test("Any bytes whatever leave a whole screen [sigma.V6]", () => {
  const alphabet = [ESC, ESC, "[", "[", "?", ";", "1", "9", "4", "h", "l", "r", "H", "J", "K", "L", "M", "P", "@", "S", "T", "m", "A", "B"];
  const letters = [
    ...alphabet,
    "日",
    "e",
    "\u0301",
    "\n",
    "\r",
    "\b",
    "\t",
    "c",
    "7",
    "8",
    "x",
    "]",
    "\u0007",
    "1049",
    "(",
    "0",
    "b",
    "X",
    "Z",
  ];
  let state = 7;
  const next = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  for (let round = 0; round < 300; round++) {
    const screen = new Screen(2 + next(6), 2 + next(12));
    for (let i = 0; i < 60; i++) {
      screen.write(Array.from({ length: 12 }, () => letters[next(letters.length)]).join(""));
      if (next(8) === 0) screen.resize(next(9), next(15));
      const { lines, rows, columns, cursor, back } = screen.grid;
      assert.equal(lines.length, rows);
      assert.ok(lines.every((line) => line.letters.length === columns && line.looks.length === columns && line.looks.every(Boolean)));
      assert.ok(cursor.row >= 0 && cursor.row < rows && cursor.column >= 0 && cursor.column < columns);
      assert.ok(back.length <= BACK_MAX);
    }
  }
});

test("Keys are what a terminal sends for them, and pasted text presses none [sigma.V6]", () => {
  const key = (name: string, more: object = {}): string | undefined =>
    keyBytes({ key: name, ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, ...more }, false);
  assert.deepEqual(
    [key("a"), key("é"), key("Enter"), key("c", { ctrlKey: true }), key("[", { ctrlKey: true }), key("b", { altKey: true })],
    ["a", "é", "\r", "\u0003", ESC, `${ESC}b`],
  );
  assert.deepEqual([key("ArrowUp"), key("ArrowLeft", { ctrlKey: true }), key("F5")], [`${ESC}[A`, `${ESC}[1;5D`, `${ESC}[15~`]);
  assert.equal(keyBytes({ key: "ArrowUp", ctrlKey: false, altKey: false, metaKey: false, shiftKey: false }, true), `${ESC}OA`);
  assert.deepEqual(
    [key("Tab"), key("Tab", { shiftKey: true }), key("v", { metaKey: true }), key("Shift")],
    ["\t", undefined, undefined, undefined],
  );
  assert.equal(pasted(`ls\r\n${ESC}[201~rm\u0003\n`, true), `${ESC}[200~ls\r[201~rm\r${ESC}[201~`);
  assert.equal(pasted("x".repeat(100_000), false).length, 65_536);
});
