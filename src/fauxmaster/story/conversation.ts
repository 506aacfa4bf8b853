/**
 * A conversation script: a story in plain text. Comments begin with `#`; a block is one or more commands, a line `----`, and the exact
 * answer, which ends at an empty line. Blocks without the line are told nothing of: their answer must be empty.
 */

export interface Block {
  readonly commands: readonly string[];
  readonly answer: readonly string[];
  /** Of its first command, counted from 1. */
  readonly line: number;
}

export interface Script {
  /** The first comment, without its mark: what the story is about. */
  readonly title: string;
  /** Why the answers are not what the cell says yet, if the story says so: they are what it should say. */
  readonly open: string | undefined;
  readonly blocks: readonly Block[];
  readonly passages: readonly Passage[];
}

/** In the order of the text, so that a script can be written again with other answers. */
type Passage = { readonly text: string } | { readonly block: number };

export const MARK = "----";
/** A comment that begins so says what is not so yet. */
const OPEN = "# Not so yet: ";

export function parseScript(text: string): Script {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const blocks: Block[] = [];
  const passages: Passage[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as string;
    if (line.trim() === "" || line.startsWith("#")) {
      passages.push({ text: line });
      at += 1;
      continue;
    }
    const block = readBlock(lines, at);
    passages.push({ block: blocks.length });
    blocks.push(block);
    at += block.commands.length + (lines[at + block.commands.length] === MARK ? 1 : 0) + block.answer.length;
  }
  const open = lines.find((line) => line.startsWith(OPEN))?.slice(OPEN.length);
  return { title: titleOf(lines), open, blocks, passages };
}

function readBlock(lines: readonly string[], from: number): Block {
  let at = from;
  const commands: string[] = [];
  while (at < lines.length && lines[at] !== "" && lines[at] !== MARK) commands.push(lines[at++] as string);
  const answer: string[] = [];
  if (lines[at] === MARK) for (at += 1; at < lines.length && lines[at] !== ""; at++) answer.push(lines[at] as string);
  return { commands, answer, line: from + 1 };
}

/** Comment lines at the top are one sentence or more; the title is the first line of them. */
const titleOf = (lines: readonly string[]): string => (lines.find((line) => line.startsWith("#")) ?? "").replace(/^#\s*/, "");

/** The same script with these answers, block by block. */
export function renderScript(script: Script, answers: readonly (readonly string[])[]): string {
  const out: string[] = [];
  for (const passage of script.passages) {
    if ("text" in passage) out.push(passage.text);
    else out.push(...renderBlock(script.blocks[passage.block] as Block, answers[passage.block] ?? []));
  }
  return out.join("\n");
}

const renderBlock = ({ commands }: Block, answer: readonly string[]): readonly string[] =>
  answer.length === 0 ? commands : [...commands, MARK, ...answer];

/** What somebody says to somebody who answers, in order. An empty line inside an answer would end it. */
export function converse(script: Script, say: (command: string) => readonly string[]): readonly (readonly string[])[] {
  return script.blocks.map(({ commands }) => commands.flatMap((command) => say(command)).map((line) => (line === "" ? "." : line)));
}
