/**
 * In what order reads are worked out. Many may become due at one moment (one confirmation serves all that wait); a portion is only so much, and what is left goes on at
 * the next timer, one read of each user after the other. So nobody's reads hold the thread, and who asks for little is not behind who asks for much. Admins go first.
 */

/** Units of work (price.ts) in one portion: 20 ms. */
const PORTION_WORK = 10;

/** Does it, and tells what it cost. */
export type Due = () => number;

export class Portions {
  readonly #goOn: () => void;
  /** Of admins: before all others. */
  readonly #first: Due[] = [];
  /** In the order in which they are served; no user without something due. */
  readonly #due = new Map<string, Due[]>();
  #done = 0;
  #isWaiting = false;

  /** `goOn`: asks for `next` to be called, soon and from outside. */
  constructor(goOn: () => void) {
    this.#goOn = goOn;
  }

  /** A message came from outside: what was done before it does not count. */
  begin(): void {
    if (!this.#isWaiting) this.#done = 0;
  }

  add(user: string, due: Due, isFirst = false): void {
    if (!this.#isWaiting && this.#done < PORTION_WORK) {
      this.#done += due();
      return;
    }
    const others = this.#due.get(user);
    if (isFirst) this.#first.push(due);
    else if (others === undefined) this.#due.set(user, [due]);
    else others.push(due);
    if (!this.#isWaiting) this.#goOn();
    this.#isWaiting = true;
  }

  next(): void {
    this.#done = 0;
    while (this.#done < PORTION_WORK) {
      const admins = this.#first.shift();
      if (admins !== undefined) {
        this.#done += admins();
        continue;
      }
      const first = this.#due.entries().next().value;
      if (first === undefined) break;
      const [user, dues] = first;
      this.#due.delete(user);
      const due = dues.shift() as Due;
      if (dues.length > 0) this.#due.set(user, dues);
      this.#done += due();
    }
    this.#isWaiting = this.#due.size + this.#first.length > 0;
    if (this.#isWaiting) this.#goOn();
  }
}
