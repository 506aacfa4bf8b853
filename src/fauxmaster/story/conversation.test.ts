import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS, newStory } from "./commands.ts";
import { converse, parseScript, renderScript } from "./conversation.ts";
import { milliseconds, showMs, showRam, Words } from "./words.ts";

const TEXT = `# A story about echoes. [X1]
say a
say b
----
a
b

# Silence has no answer.
hush

say c
----
c
`;

const echo = (line: string): readonly string[] => (line === "hush" ? [] : [line.slice("say ".length)]);

test("a script is a title, comments and blocks, and written again it is the same text", () => {
  const script = parseScript(TEXT);
  assert.equal(script.title, "A story about echoes. [X1]");
  assert.deepEqual(
    script.blocks.map(({ line, commands, answer }) => [line, commands, answer]),
    [
      [2, ["say a", "say b"], ["a", "b"]],
      [9, ["hush"], []],
      [11, ["say c"], ["c"]],
    ],
  );
  assert.equal(renderScript(script, converse(script, echo)), TEXT);
});

test("other answers change only answers", () => {
  const script = parseScript(TEXT);
  assert.equal(
    renderScript(
      script,
      converse(script, (line) => [line.toUpperCase()]),
    ),
    TEXT.replace("----\na\nb", "----\nSAY A\nSAY B").replace("hush\n", "hush\n----\nHUSH\n").replace("----\nc", "----\nSAY C"),
  );
  assert.equal(renderScript(script, [[], [], []]), TEXT.replace("----\na\nb\n", "").replace("----\nc\n", ""));
});

test("a story that says what is not so yet is open", () => {
  assert.equal(parseScript(TEXT).open, undefined);
  assert.equal(parseScript(`# A title.\n# Not so yet: nobody answers.\nsay a\n`).open, "nobody answers.");
});

test("words are names, options and flags; a slip of the pen is not passed over", () => {
  const words = new Words("submit ann/web count=3 gang ram=1.5Gi notice=2m");
  assert.deepEqual([words.command, words.names], ["submit", ["ann/web", "gang"]]);
  assert.equal(words.has("gang"), true);
  assert.equal(words.number("count"), 3);
  assert.equal(words.bytes("ram"), 1.5 * 1024 ** 3);
  assert.throws(() => words.done(), /knows no "notice"/);
  assert.equal(words.ms("notice"), 120_000);
  words.done();
  assert.deepEqual(new Words("claim s1 ann/web/0=m1 all-or-nothing").names, ["s1", "ann/web/0=m1", "all-or-nothing"]);
});

test("times and amounts are shown as they are read", () => {
  for (const text of ["250ms", "5s", "2m"]) assert.equal(showMs(milliseconds(text)), text);
  assert.throws(() => milliseconds("soon"), /Expected a time/);
  assert.deepEqual([0, 512, 1024, 3 * 1024 ** 2].map(showRam), ["0", "512Ki", "1Mi", "3Gi"]);
});

test("a command that nobody knows, or that lacks something, is answered with how to say it", () => {
  const say = newStory();
  assert.match(say("dance")[0] ?? "", /^error: Nobody knows "dance"/);
  assert.match(say("wait 1s")[0] ?? "", /^error: There is no cell yet/);
  assert.deepEqual(say("cell embedded machines=1 cpu=1 ram=1Gi"), []);
  assert.match(say("wait soon")[0] ?? "", /^error: Expected a time such as 5s, found "soon" \(wait TIME\)/);
  for (const [name, { usage }] of COMMANDS) assert.ok(usage.startsWith(name), `${name} is not told how to use`);
});

test("the same story is told twice in the same words", () => {
  const story = [
    "cell replicated machines=2 cpu=4 ram=8Gi",
    "user ann",
    "submit ann/web count=3 cpu=1 ram=1Gi",
    "crash master",
    "wait 30s",
  ];
  const [one, two] = [newStory(), newStory()];
  for (const line of story) assert.deepEqual(one(line), two(line));
});
