/**
 * The address of a cell with several masters. All replicas of a machine listen at it together, and whoever takes a connection leads it to the one that leads: to
 * this process's own server if that is itself, else byte by byte to the other one, which then proves itself and asks who is there as if it had been dialled.
 * While nobody leads a connection waits. It never looks at what is said.
 */
import { connect, type Socket } from "node:net";
import { dialOptions, type Endpoint } from "./endpoint.ts";

/** Connections that wait for a leader; one more is not kept. */
const PARKED_MAX = 1000;
/** For answers that are on their way when this replica stops leading; then those who asked must dial again. */
const FLUSH_MS = 300;
const LOOK_MS = 100;

/** By which of its addresses the cell was reached. */
export type Way = "owner" | "tls";

export type Leader = "self" | Readonly<Record<Way, Endpoint>> | undefined;

export interface FrontDoorOptions {
  /** How long a connection waits for a leader. */
  readonly parkMs: number;
  /** What becomes of it then: this replica answers in words that nobody leads, or hangs up. */
  readonly late: "answer" | "hang-up";
}

interface Parked {
  readonly socket: Socket;
  readonly way: Way;
  readonly accept: () => void;
  readonly untilMs: number;
}

export class FrontDoor {
  readonly #options: FrontDoorOptions;
  readonly #timer: NodeJS.Timeout;
  #leader: Leader;
  #parked: Parked[] = [];
  /** Led on to another replica. */
  readonly #piped = new Set<Socket>();
  /** Taken here: this replica leads, or nobody did for long. */
  readonly #own = new Set<Socket>();

  constructor(options: FrontDoorOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** `accept` gives it to this process's own server. */
  admit(socket: Socket, way: Way, accept: () => void): void {
    socket.on("error", () => socket.destroy());
    if (this.#leader !== undefined) return this.#lead(socket, way, accept);
    if (this.#parked.length >= PARKED_MAX) return this.#late({ socket, accept });
    this.#parked.push({ socket, way, accept, untilMs: performance.now() + this.#options.parkMs });
  }

  /** From now on this one leads. Whoever was led to another must dial again. */
  leads(leader: Leader): void {
    if (JSON.stringify(leader) === JSON.stringify(this.#leader)) return;
    // Also who was answered here because it had waited for long: it would be told for ever that this replica does not lead.
    const strayed = leader === "self" ? [] : [...this.#own];
    this.#leader = leader;
    for (const socket of this.#piped) socket.destroy();
    this.#piped.clear();
    setTimeout(() => {
      for (const socket of strayed) socket.destroy();
    }, FLUSH_MS).unref();
    if (leader === undefined) return;
    for (const { socket, way, accept } of this.#parked.splice(0)) if (!socket.destroyed) this.#lead(socket, way, accept);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { socket } of this.#parked) socket.destroy();
    for (const socket of this.#piped) socket.destroy();
  }

  #lead(socket: Socket, way: Way, accept: () => void): void {
    const leader = this.#leader;
    if (leader === undefined || leader === "self") {
      this.#keep(this.#own, socket);
      return accept();
    }
    this.#keep(this.#piped, socket);
    const { options, close } = dialOptions(leader[way]);
    const other = connect(options);
    other.once("connect", close).once("error", close);
    other.on("error", () => socket.destroy());
    other.once("close", () => socket.destroy());
    socket.once("close", () => other.destroy());
    socket.pipe(other);
    other.pipe(socket);
  }

  #keep(set: Set<Socket>, socket: Socket): void {
    set.add(socket);
    socket.once("close", () => set.delete(socket));
  }

  #look(): void {
    const now = performance.now();
    const late = this.#parked.filter(({ untilMs }) => untilMs <= now);
    if (late.length === 0) return;
    this.#parked = this.#parked.filter(({ untilMs }) => untilMs > now);
    for (const each of late) this.#late(each);
  }

  #late({ socket, accept }: Pick<Parked, "socket" | "accept">): void {
    if (socket.destroyed) return;
    if (this.#options.late === "hang-up") return void socket.destroy();
    this.#keep(this.#own, socket);
    accept();
  }
}
