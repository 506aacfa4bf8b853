/** What a shell wrote and its user has not seen yet. Whoever writes more than this keeps is made to wait. */

export const KEPT_BYTES = 256 * 1024;
const PIECE_BYTES = 64 * 1024;

export class ShellStream {
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** Of the first byte that is kept. */
  #at = 0;

  get isFull(): boolean {
    return this.#bytes >= KEPT_BYTES;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  /** All before this offset was seen. */
  seen(offset: number): void {
    while (this.#at < offset && this.#pieces.length > 0) {
      const [first] = this.#pieces as [Uint8Array];
      const taken = Math.min(first.length, offset - this.#at);
      if (taken === first.length) this.#pieces.shift();
      else this.#pieces[0] = first.subarray(taken);
      this.#at += taken;
      this.#bytes -= taken;
    }
  }

  /** The next piece; it stays until it was seen. */
  next(): { readonly at: number; readonly data: Uint8Array } {
    const whole = Buffer.concat(this.#pieces);
    return { at: this.#at, data: whole.subarray(0, PIECE_BYTES) };
  }
}
