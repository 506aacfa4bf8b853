// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { columnOf, lineOf, scan } from "./tidy-tokens.ts";

const show = (text: string): string =>
  scan("a.ts", text)
    .tokens.map((token) => (token.kind === "punct" || token.kind === "name" ? token.text : `${token.kind}<${token.text}>`))
    .join(" ");

test("scan() tells strings, templates, numbers and comments from code", () => {
  assert.equal(show(`a = "Date // x" + 'it\\'s';`), `a = string<"Date // x"> + string<'it\\'s'> ;`);
  assert.equal(show("x /* Date */ // Date\ny"), "x y");
  assert.equal(show("a.b?.c ?? 0.5 ...d"), "a . b ?. c ? ? number<0.5> ... d");
  assert.equal(show("#a => 1_000n ++ --"), "#a => number<1_000n> ++ --");
  assert.deepEqual(
    scan("a.ts", "#!/usr/bin/env node\nx // one\n/* two */").comments.map((token) => token.text),
    ["#!/usr/bin/env node", "// one", "/* two */"],
  );
});

test("scan() follows templates into their holes and back, however deep", () => {
  assert.equal(show("`a ${b} c`"), "template<`a ${> b template<} c`>");
  assert.equal(show("`${`${{ x: 1 }.x}`}` + y"), "template<`${> template<`${> { x : number<1> } . x template<}`> template<}`> + y");
  assert.equal(show("`\\` \\${ $ {` z"), "template<`\\` \\${ $ {`> z");
});

test("scan() tells a regular expression from a division", () => {
  assert.equal(show('x = /["/]`/g; y'), 'x = regex</["/]`/g> ; y');
  assert.equal(show("a / b / c"), "a / b / c");
  assert.equal(show("f(a) / 2 / 3"), "f ( a ) / number<2> / number<3>");
  assert.equal(show("if (a) /'/.test(b)"), "if ( a ) regex</'/> . test ( b )");
  assert.equal(show("return /a\\/'/u"), "return regex</a\\/'/u>");
  assert.equal(show("a[0] / b! / c++ / d"), "a [ number<0> ] / b ! / c ++ / d");
  assert.equal(show("!/x'/.test(y)"), "! regex</x'/> . test ( y )");
  assert.equal(show("x.of / 2 / y"), "x . of / number<2> / y");
});

test("scan() pairs brackets and counts how many are open", () => {
  const source = scan("a.ts", "f({ a: [1] }) `${(b)}` )");
  const pairs = source.tokens.map((token, index) => `${token.text}${source.partner[index]}`).filter((text) => /^[()[\]{}]/.test(text));
  assert.deepEqual(pairs, ["(9", "{8", "[7", "]5", "}2", ")1", "(13", ")11", "}`-1", ")-1"]);
  assert.deepEqual(source.depth, [0, 0, 1, 2, 2, 2, 3, 2, 1, 0, 0, 1, 2, 1, 0, 0]);
});

test("lineOf() and columnOf() count from one", () => {
  const text = "ab\n\ncd";
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((at) => `${lineOf(text, at)}:${columnOf(text, at)}`),
    ["1:1", "1:2", "1:3", "2:1", "3:1", "3:2"],
  );
});

test("scan() never fails and loses no text, whatever the text is", () => {
  const piece = fc.constantFrom(
    "`",
    "${",
    "}",
    "{",
    "(",
    ")",
    "/",
    "//",
    "/*",
    "*/",
    '"',
    "'",
    "\\",
    "\n",
    "a",
    "#",
    "=>",
    "0",
    " ",
    "é",
    "😀",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(piece, { maxLength: 40 }).map((all) => all.join("")),
      ),
      (text) => {
        const source = scan("a.ts", text);
        const parts = [...source.tokens, ...source.comments].sort((a, b) => a.at - b.at);
        let at = 0;
        for (const part of parts) {
          assert.match(text.slice(at, part.at), /^[\s\uFEFF]*$/);
          assert.equal(text.slice(part.at, part.at + part.text.length), part.text);
          at = part.at + part.text.length;
        }
        assert.match(text.slice(at), /^[\s\uFEFF]*$/);
      },
    ),
    { numRuns: 2000 },
  );
});
