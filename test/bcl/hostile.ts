/** Files that were written to hurt. Each must end in a problem, soon and in little memory. */

export interface Hostile {
  readonly name: string;
  readonly text: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly expected: RegExp;
}

const JOB = 'job j = { command = ["a"], env = { X = x } }\n';
const DEEP = /nested deeper than/;
const NESTING = /Cannot nest deeper than 200 levels/;
const STEPS = /more than \d+ steps/;
const ELEMENTS = /more than \d+ elements/;
const TEXT = /longer than \d+ characters|more than \d+ characters of text|more than \d+ elements/;

const hostile = (name: string, text: string, expected: RegExp, files?: Readonly<Record<string, string>>): Hostile => ({
  name,
  text,
  expected,
  ...(files === undefined ? {} : { files }),
});

/** Ways to need the stack: each goes one deeper for ever. */
export const RECURSIONS: readonly (readonly [string, string])[] = [
  ["calls", "f = (n) => f(n + 1)\nx = f(0)\n"],
  ["fields", "f = (n) => { a = f(n + 1).a }\nx = f(0).a\n"],
  ["lazy arguments", "f = (n, k) => if k < 0 then n else f(n + 1, k - 1)\nx = f(0, 100000)\n"],
  ["fold", "f = (n) => fold((a, b) => f(n + 1), 0, [1])\nx = f(0)\n"],
  ["text", `f = (n) => "a\${f(n + 1)}"\nx = f(0)\n`],
  ["map", "f = (n) => map(f, [n])[0]\nx = f(0)\n"],
  ["extension", "f = (n) => f(n + 1) { a = 1 }\nx = f(0).a\n"],
  ["nested extension", "f = (n) => { a = 1, b = { c = f(n + 1).b.c } } { b = { d = 1 } }\nx = f(0).b.c\n"],
  ["equality", "f = (n) => [f(n + 1)]\nx = text(f(0) == f(0))\n"],
  ["comprehension", "f = (n) => [y for y in f(n + 1)]\nx = f(0)[0]\n"],
  ["let", "f = (n) => let y = f(n + 1) in y\nx = f(0)\n"],
  ["super", "f = (n) => { a = 1 } { a = super.a + f(n + 1).a }\nx = f(0).a\n"],
  ["defaults", "f = (n, m = f(n)) => m\nx = f(0)\n"],
  ["sort", "f = (n) => sort([1, 2], by = (x) => f(n + 1))[0]\nx = f(0)\n"],
  ["declarations", "f = (n) => { job a = f(n + 1).a }\nx = f(0).a\n"],
];

const chain = (length: number, end: string): Record<string, string> => {
  const files: Record<string, string> = {};
  for (let i = 0; i < length; i++) files[`b${i}.bcl`] = `import "b${i + 1}.bcl" as a\nimport "b${i + 1}.bcl" as b\nx = a.x + b.x\n`;
  return { ...files, [`b${length}.bcl`]: end };
};

const wide = (count: number, text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`w${i}.bcl`, text]));
const imports = (count: number): string => Array.from({ length: count }, (_, i) => `import "w${i}.bcl" as w${i}\n`).join("");

export const HOSTILE: readonly Hostile[] = [
  ...RECURSIONS.map(([name, text]) => hostile(`recursion through ${name}`, text + JOB, DEEP)),
  hostile("exponential calls", `f = (n) => if n == 0 then 1 else f(n - 1) + f(n - 1)\nx = f(60)\n${JOB}`, STEPS),
  hostile("exponential lists", `f = (n) => if n == 0 then [1] else f(n - 1) + f(n - 1)\nx = length(f(60))\n${JOB}`, ELEMENTS),
  hostile(
    "exponential inheritance",
    `f = (n) => if n == 0 then { a = 1 } else let t = f(n - 1) in t + t\nx = f(60).a\n${JOB}`,
    /inherits from more than/,
  ),
  hostile("exponential text", `f = (n) => if n == 0 then "0123456789" else let t = f(n - 1) in t + t\nx = f(60)\n${JOB}`, TEXT),
  hostile("10 MB of text, piece by piece", `x = fold((a, b) => a + "0123456789", "", indexes(400000))\n${JOB}`, TEXT),
  hostile("10 MB of text in holes", `x = fold((a, b) => "\${a}0123456789", "", indexes(400000))\n${JOB}`, TEXT),
  hostile("10 MB of text at once", `x = join(["0123456789012345678901234567890123456789" for i in indexes(250000)])\n${JOB}`, TEXT),
  hostile("text that replaces itself", `f = (n) => if n == 0 then "aa" else replace(f(n - 1), "a", "aaaaaaaa")\nx = f(20)\n${JOB}`, TEXT),
  hostile(
    "splitting again and again",
    `big = repeat("a,", 100000)\nx = sum([length(split(big, ",")) for i in indexes(1000)])\n${JOB}`,
    ELEMENTS,
  ),
  ...["[", "(", "{a=", '"$' + "{", "-", "!", "(a) => ", "if true then 1 else ", "let a = 1 in ", "f(", "[1 for a in "].map((text) =>
    hostile(`100,000 times ${text}`, `x = ${text.repeat(100_000)}`, NESTING),
  ),
  hostile("100,000 brackets that close", `x = ${"[".repeat(100_000)}${"]".repeat(100_000)}`, NESTING),
  ...[" + 1", "(1)", ".a", "[0]", " { }"].map((text) => hostile(`100,000 times${text} in a row`, `x = 1${text.repeat(100_000)}`, NESTING)),
  hostile("a tuple that contains itself", `f = (n) => { a = f(n + 1) }\nassert f(0) == f(0)\n`, DEEP),
  hostile("a million jobs", `for i in indexes(1000000) { job "j-\${i}" = { command = ["a"] } }`, ELEMENTS),
  hostile("a billion elements", `x = [1 for a in indexes(1000) for b in indexes(1000) for c in indexes(1000)]\n${JOB}`, ELEMENTS),
  hostile(
    "a billion elements that are thrown away",
    `x = length([1 for a in indexes(1000) for b in indexes(1000) for c in indexes(1000) if false])\n${JOB}`,
    /more than \d+ (steps|elements)/,
  ),
  hostile("a library function on too much", `x = length(unique(indexes(3000)))\n${JOB}`, /more than \d+ (steps|elements)/),
  hostile("1,000 files in a row", `import "b0.bcl" as b\nx = b.x\n${JOB}`, /more than 500 files/, chain(1000, "x = 1")),
  hostile(
    "a bomb of imports",
    `${imports(1000)}x = 1\n${JOB}`,
    /more than \d+ characters|more than 500 files/,
    wide(1000, "x = 1\n".padEnd(100_000, "# 12345678\n")),
  ),
  hostile("files that import each other", 'import "c.bcl" as c\n', /in a circle/, { "c.bcl": 'import "main.bcl" as m\n' }),
  hostile(
    "comparing long texts for ever",
    `a = repeat(repeat("0123456789", 40), 1000)\nb = repeat(repeat("0123456789", 40), 1000)\nx = all([a == b for i in indexes(100000)])\n${JOB}`,
    STEPS,
  ),
  hostile(
    "ordering long texts for ever",
    `a = repeat(repeat("0123456789", 40), 1000)\nb = repeat(repeat("0123456789", 40), 1000)\nx = all([a <= b for i in indexes(100000)])\n${JOB}`,
    STEPS,
  ),
  hostile(
    "a slip among many names",
    `t = { ["name-${"x".repeat(40)}-\${i}"] = i for i in indexes(200000) }\nx = t["name-${"x".repeat(40)}-y"]\n${JOB}`,
    /Cannot find the field/,
  ),
  hostile("an endless message", `x = error(repeat(repeat("no ", 100), 3000))\n${JOB}`, /no no/),
  hostile("a deep error at the end of a long file", `${"# comment\n".repeat(180000)}f = (n) => f(n + 1)\nx = f(0)\n${JOB}`, DEEP),
  hostile("a mistake on every line", "x = )\n".repeat(100_000), /Expected a value/),
  hostile("brackets that never close", "x = (a,\n".repeat(100_000), /Expected/),
  hostile("a number of a million digits", `x = ${"9".repeat(1_000_000)}`, /Cannot read/),
  hostile("a name of a million letters", `x = ${"a".repeat(1_000_000)}`, /Cannot find/),
  hostile("a file of three million characters", "# hello\n".repeat(400_000), /more than \d+ characters/),
];
