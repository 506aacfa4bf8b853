/** Keys and pasted text as the bytes that a terminal sends for them. */
export interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** One paste; more is cut, and said so. */
export const PASTE_MAX = 65_536;

const PLAIN_KEYS: Readonly<Record<string, string>> = {
  Enter: "\r",
  Backspace: "\u007f",
  Tab: "\t",
  Escape: "\u001b",
  Insert: "\u001b[2~",
  Delete: "\u001b[3~",
  PageUp: "\u001b[5~",
  PageDown: "\u001b[6~",
  F1: "\u001bOP",
  F2: "\u001bOQ",
  F3: "\u001bOR",
  F4: "\u001bOS",
  F5: "\u001b[15~",
  F6: "\u001b[17~",
  F7: "\u001b[18~",
  F8: "\u001b[19~",
  F9: "\u001b[20~",
  F10: "\u001b[21~",
};

const ARROWS: Readonly<Record<string, string>> = {
  ArrowUp: "A",
  ArrowDown: "B",
  ArrowRight: "C",
  ArrowLeft: "D",
  Home: "H",
  End: "F",
};

/** Undefined: the key is the browser's. Shift and Tab leave the terminal; Ctrl or Meta with C and V copy and paste where they do in this browser. */
export function keyBytes({ key, ctrlKey, altKey, metaKey, shiftKey }: Key, arrowsAreKeys: boolean): string | undefined {
  if (metaKey || (key === "Tab" && shiftKey) || (ctrlKey && shiftKey)) return undefined;
  const arrow = ARROWS[key];
  if (arrow !== undefined) {
    const with_ = 1 + (shiftKey ? 1 : 0) + (altKey ? 2 : 0) + (ctrlKey ? 4 : 0);
    return with_ > 1 ? `\u001b[1;${with_}${arrow}` : `\u001b${arrowsAreKeys ? "O" : "["}${arrow}`;
  }
  const meta = altKey ? "\u001b" : "";
  const plain = PLAIN_KEYS[key];
  if (plain !== undefined) return meta + plain;
  if ([...key].length !== 1) return undefined;
  if (!ctrlKey) return altKey ? meta + key : key;
  return controlOf(key) === undefined ? undefined : meta + controlOf(key);
}

/** Ctrl and a letter. */
function controlOf(key: string): string | undefined {
  const upper = key.toUpperCase();
  if (upper >= "@" && upper <= "_") return String.fromCharCode(upper.charCodeAt(0) - 64);
  return key === " " ? "\u0000" : undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Pasted text has no control characters: it can neither end its own marks nor press keys. */
export function pasted(text: string, marks: boolean): string {
  const clean = text
    .slice(0, PASTE_MAX)
    .replace(CONTROLS, "")
    .replace(/\r\n?|\n/g, "\r");
  return marks ? `\u001b[200~${clean}\u001b[201~` : clean;
}
