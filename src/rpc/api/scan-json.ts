/**
 * Looks at JSON before it is parsed: JSON.parse takes five million nested lists and eight seconds, and what it gives then breaks
 * everything that walks it. It only counts; whether the text is JSON at all is for the parser to say.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Bytes outside strings that open (1), close (2) or separate (3). */
const KIND = new Uint8Array(256);
for (const byte of "[{") KIND[byte.charCodeAt(0)] = 1;
for (const byte of "]}") KIND[byte.charCodeAt(0)] = 2;
for (const byte of ",:") KIND[byte.charCodeAt(0)] = 3;

/** The problem in words, if there is one. */
export function scanJson(bytes: Uint8Array, depthMax: number, tokensMax: number): string | undefined {
  let depth = 0;
  let tokens = 1;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) {
      i = endOfString(bytes, i + 1);
      continue;
    }
    const kind = KIND[byte]!;
    if (kind === 0) continue;
    if (kind === 1 && ++depth > depthMax)
      return `Expected JSON nested at most ${depthMax} deep, found more: send the fields of the request`;
    if (kind === 2) depth--;
    else if (++tokens > tokensMax) return `Expected JSON with at most ${tokensMax} keys and values, found more: ask in several calls`;
  }
  return undefined;
}

/** Where the closing quote stands, or the end. */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === BACKSLASH) i++;
    else if (byte === QUOTE) return i;
  }
  return bytes.length;
}
