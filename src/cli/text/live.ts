/** Lines that are redrawn in place on a terminal. Elsewhere a line is printed when it says something new. */
import type { Terminal } from "../terminal.ts";
import { cut } from "./width.ts";

/** Without a terminal, the same counts are not repeated just because time went on. */
const CLOCK = /\s{2}\d+[a-z0-9]*(?=;|$)/;

export class Live {
  readonly #terminal: Terminal;
  readonly #silent: boolean;
  #drawn: readonly string[] = [];

  constructor(terminal: Terminal, silent: boolean) {
    this.#terminal = terminal;
    this.#silent = silent;
  }

  draw(lines: readonly string[]): void {
    if (this.#silent) return;
    const { live, columns } = this.#terminal;
    if (!live) {
      lines.forEach((line, i) => {
        if (line.replace(CLOCK, "") !== this.#drawn[i]?.replace(CLOCK, "")) this.#terminal.print(`${line}\n`);
      });
    } else {
      this.#clear();
      this.#terminal.print(lines.map((line) => `${cut(line, (columns ?? 80) - 1)}\n`).join(""));
    }
    this.#drawn = lines;
  }

  /** Text that stays, above the lines. */
  say(text: string): void {
    if (this.#silent) return;
    const lines = this.#drawn;
    this.#clear();
    this.#terminal.print(text);
    if (!this.#terminal.live) return;
    this.#drawn = [];
    this.draw(lines);
  }

  /** The lines stay as they are. */
  end(): void {
    this.#drawn = [];
  }

  #clear(): void {
    if (this.#terminal.live && this.#drawn.length > 0) this.#terminal.print(`\x1b[${this.#drawn.length}A\r\x1b[J`);
  }
}
