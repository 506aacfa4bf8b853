/** Turns good files into bad ones: bytes, words, lines and whole pieces are dropped, doubled, swapped and replaced. */
import type { Random } from "../../src/base/random.ts";

const WORDS =
  '{ } [ ] ( ) = := => , . : + - * / % ! && || == < " """ ${ # \\ if then else let in for local assert import as job service quota alloc_set test self super null true 0 1e308 64Mi 30s 999999999 param error_of fold indexes'.split(
    " ",
  );

export function mutate(text: string, random: Random, others: readonly string[]): string {
  let result = text;
  for (let i = random.int(1, 6); i > 0; i--) result = mutateOnce(result, random, others);
  return result;
}

function mutateOnce(text: string, random: Random, others: readonly string[]): string {
  const at = random.int(0, text.length + 1);
  const length = random.int(0, 1 + Math.min(40, text.length - at));
  switch (random.int(0, 8)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
      return text.slice(0, at) + text.slice(at, at + length).repeat(random.int(2, 50)) + text.slice(at + length);
    case 2:
      return `${text.slice(0, at)} ${random.pick(WORDS)} ${text.slice(at)}`;
    case 3:
      return text.slice(0, at) + String.fromCharCode(random.int(0, 0x3000)) + text.slice(at + 1);
    case 4: {
      const lines = text.split("\n");
      return random.shuffle(lines).join("\n");
    }
    case 5: {
      const other = random.pick(others);
      const from = random.int(0, other.length);
      return text.slice(0, at) + other.slice(from, from + random.int(0, 300)) + text.slice(at);
    }
    case 6: {
      const words = text.split(/\b/);
      const [i, j] = [random.int(0, words.length), random.int(0, words.length)];
      [words[i], words[j]] = [words[j]!, words[i]!];
      return words.join("");
    }
    default: {
      const bracket = random.pick(["[", "(", "{a=", '"${', "-", "f("]);
      return text.slice(0, at) + bracket.repeat(random.int(1, 500)) + text.slice(at);
    }
  }
}
