/**
 * One subscriber of a framework: its stream of events, and its calls, one after the other. A call that waits for the cell keeps those behind it waiting,
 * so what a framework says is done in the order in which it was said.
 */
import type { JobId } from "../base/id.ts";
import type { EventStream } from "../wire/framework-desk.ts";
import type { Event } from "../wire/gen/mesos/v1/scheduler/scheduler_pb.ts";
import { errorEvent } from "./events.ts";
import { Statuses } from "./statuses.ts";

/** Calls that wait, and what they take in memory, about. One more is told to come again. */
export const CALLS_MAX = 10_000;
export const CALL_BYTES_MAX = 8 * 2 ** 20;

/** A call; it says when the next one may go on. */
export type Step = (next: () => void) => void;

/** What the session is of, once the cell has said so. */
export interface Subscribed {
  readonly job: JobId;
  readonly frameworkId: string;
  readonly isAware: boolean;
}

export interface Acknowledged {
  readonly taskId: string;
  readonly uuid: Uint8Array;
}

export class Session {
  readonly streamId: string;
  readonly user: string;
  /** By which the cell knows it. */
  readonly number: number;
  readonly statuses = new Statuses();
  /** Incarnations of executors that it knows to be there. */
  readonly executors = new Set<number>();
  subscribed: Subscribed | undefined;
  /** Acknowledgements that came one after the other go into one op. */
  acknowledgements: Acknowledged[] = [];
  /** Its own wish; nobody has to tell it that this is an error. */
  isTearingDown = false;
  isOver = false;
  readonly #stream: EventStream;
  /** Called once, when its reader turns out to be too slow. */
  readonly #stuck: (session: Session) => void;
  readonly #queue: { readonly step: Step; readonly bytes: number }[] = [];
  #bytes = 0;
  #busy = false;

  constructor(streamId: string, user: string, number: number, stream: EventStream, stuck: (session: Session) => void) {
    this.streamId = streamId;
    this.user = user;
    this.number = number;
    this.#stream = stream;
    this.#stuck = stuck;
  }

  get isFull(): boolean {
    return this.#queue.length + this.acknowledgements.length >= CALLS_MAX || this.#bytes >= CALL_BYTES_MAX;
  }

  send(event: Event): void {
    if (this.isOver || this.#stream.send(event)) return;
    this.end("The framework does not read its events");
    this.#stuck(this);
  }

  /** With an ERROR the framework is told to give up; a stream that just ends is subscribed again. */
  fail(message: string): void {
    if (!this.isOver) this.#stream.send(errorEvent(message));
    this.end(message);
  }

  end(reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#queue.length = 0;
    this.#stream.end(reason);
  }

  /** Its reader has gone by itself. One that said before that it ends, and was answered, need not stay until its turn comes. */
  lost(): void {
    this.isOver = true;
    if (!this.isTearingDown) this.#queue.length = 0;
  }

  /** `bytes`: what it holds until its turn. */
  enqueue(step: Step, bytes = 0): void {
    this.#queue.push({ step, bytes });
    this.#bytes += bytes;
    this.#run();
  }

  #run(): void {
    while (!this.#busy && (!this.isOver || this.isTearingDown)) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#bytes -= next.bytes;
      this.#busy = true;
      // A step that is done at once must not call this again from inside.
      let inside = true;
      next.step(() => {
        this.#busy = false;
        if (!inside) this.#run();
      });
      inside = false;
    }
  }
}
