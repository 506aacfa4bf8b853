/** "Did you mean ...?": the nearest of the words that would have been right. */

/** Longer words are not compared: nobody mistypes them, and hostile files are full of them. */
const LENGTH_MAX = 64;
/** More words are not looked at: a tuple with so many names was made by a program. */
const WORDS_MAX = 2000;

/** The word nearest to `found` by edits, if it is near enough to be what was meant. */
export function nearest(found: string, words: Iterable<string>): string | undefined {
  if (found.length > LENGTH_MAX) return undefined;
  const allowed = found.length <= 2 ? 0 : found.length <= 4 ? 1 : found.length <= 8 ? 2 : 3;
  let best: string | undefined;
  let least = allowed + 1;
  let seen = 0;
  for (const word of words) {
    if (++seen > WORDS_MAX) break;
    if (word.length > LENGTH_MAX || Math.abs(word.length - found.length) >= least) continue;
    const distance = edits(found.toLowerCase(), word.toLowerCase());
    if (distance < least || (distance === least && best !== undefined && word < best)) {
      best = word;
      least = distance;
    }
  }
  return best;
}

export function didYouMean(found: string, words: Iterable<string>): string {
  const word = nearest(found, words);
  return word === undefined ? "" : `; did you mean "${word}"?`;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function edits(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = above;
    above = row;
  }
  return above[b.length]!;
}
