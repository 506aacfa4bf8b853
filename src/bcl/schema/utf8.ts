/** Text to bytes and back. TextEncoder belongs to the host; this room has only the language. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0)!;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return Uint8Array.from(bytes);
}

const REPLACEMENT = "\ufffd";

/** Bytes that are no UTF-8 each become a replacement character: who wrote the spec may not have been BCL. */
export function utf8Text(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]!;
    const more =
      first < 0x80 ? 0 : first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xc2 && first < 0xe0 ? 1 : -1;
    const rest = [...bytes.subarray(at + 1, at + 1 + more)];
    const isWhole = more >= 0 && rest.length === more && rest.every((byte) => (byte & 0xc0) === 0x80);
    if (!isWhole) {
      text += REPLACEMENT;
      at += 1;
      continue;
    }
    const lead = more === 0 ? first : first & (0x3f >> more);
    const code = rest.reduce((sum, byte) => (sum << 6) | (byte & 63), lead);
    text += code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? REPLACEMENT : String.fromCodePoint(code);
    at += 1 + more;
  }
  return text;
}
