/**
 * A task's output on its way to a terminal: text, tabs, line feeds and colours pass, everything else that a terminal would obey
 * is dropped (titles, clipboards, cursor movements, replies). Works on pieces: a sequence may be split between two of them.
 */

/** A longer colour sequence is no colour sequence. */
const PARAMETERS_MAX = 64;

type State = "text" | "escape" | "control" | "string" | "string-escape" | "skip-one";

const RESET = "\x1b[0m";
const HIDDEN = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

export class LogFilter {
  readonly #decoder = new TextDecoder();
  #state: State = "text";
  #parameters = "";
  #coloured = false;
  #returned = false;

  /** What of these bytes may be shown. */
  pass(bytes: Uint8Array): string {
    let out = "";
    for (const character of this.#decoder.decode(bytes, { stream: true })) out += this.#one(character);
    return out;
  }

  /** Colours that were left on end here. */
  end(): string {
    const out = this.#coloured ? RESET : "";
    this.#state = "text";
    this.#coloured = false;
    this.#returned = false;
    return out;
  }

  #one(character: string): string {
    switch (this.#state) {
      case "text":
        return this.#text(character);
      case "escape":
        return this.#escape(character);
      case "control":
        return this.#control(character);
      case "string":
        if (character === "\x1b") this.#state = "string-escape";
        else if (character === "\x07" || character === "\u009c" || character === "\n") this.#state = "text";
        return "";
      case "string-escape":
        this.#state = character === "\\" ? "text" : "string";
        return "";
      case "skip-one":
        this.#state = "text";
        return "";
    }
  }

  #text(character: string): string {
    // A bare carriage return would let a line overwrite what was read before; it becomes a new line.
    const before = this.#returned && character !== "\n" ? "\n" : "";
    this.#returned = character === "\r";
    if (character === "\n" || character === "\t") return before + character;
    if (character >= " " && character < "\x7f") return before + character;
    if (character === "\x1b") this.#state = "escape";
    else if (character === "\u009b") this.#begin();
    else if ("\u0090\u0098\u009d\u009e\u009f".includes(character)) this.#state = "string";
    if (character < "\u00a0" || HIDDEN.test(character)) return before;
    return before + character;
  }

  #begin(): void {
    this.#state = "control";
    this.#parameters = "";
  }

  #escape(character: string): string {
    if (character === "[") this.#begin();
    else if ("PX]^_".includes(character)) this.#state = "string";
    else if (character === "\x1b") this.#state = "escape";
    else if (character >= " " && character <= "/") this.#state = "skip-one";
    else {
      this.#state = "text";
      if (character === "\n") return character;
    }
    return "";
  }

  #control(character: string): string {
    if (character >= " " && character <= "?") {
      if (this.#parameters.length <= PARAMETERS_MAX) this.#parameters += character;
      return "";
    }
    this.#state = "text";
    if (character === "\n") return character;
    if (character === "\x1b") this.#state = "escape";
    if (character !== "m" || !/^[0-9;:]*$/.test(this.#parameters) || this.#parameters.length > PARAMETERS_MAX) return "";
    this.#coloured = !/^0*$/.test(this.#parameters);
    return `\x1b[${this.#parameters}m`;
  }
}
