/** One linearizable read of the head for everyone who waits. Who asks while a read is on its way gets the next one: this one may have been decided before. */
import { type Result, refused } from "../../base/result.ts";
import { decodeHead, type Head, type Keys } from "./keys.ts";
import type { Etcd } from "./port.ts";

type Waiting = (head: Result<Head>) => void;

export class Confirming {
  readonly #etcd: Etcd;
  readonly #keys: Keys;
  #asked = false;
  #waiting: Waiting[] = [];

  constructor(etcd: Etcd, keys: Keys) {
    this.#etcd = etcd;
    this.#keys = keys;
  }

  /** The head as it was at some moment after this call. */
  ask(then: Waiting): void {
    this.#waiting.push(then);
    this.#send();
  }

  #send(): void {
    if (this.#asked || this.#waiting.length === 0) return;
    this.#asked = true;
    const asked = this.#waiting;
    this.#waiting = [];
    this.#etcd.ask({ type: "txn", guards: [], ops: [{ type: "get", key: this.#keys.head }], otherwise: [] }, (answer) => {
      this.#asked = false;
      const reason = answer.type === "failed" ? answer.reason : `etcd answered "${answer.type}"`;
      const head = answer.type === "txn" ? decodeHead(answer.found[0]?.[0]) : refused(reason);
      for (const then of asked) then(head);
      this.#send();
    });
  }
}
