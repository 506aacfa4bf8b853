/**
 * What an actor may see of the world. In production a thin shell drives these interfaces with sockets, files and
 * timers; in Fauxmaster and in the simulation tests a seeded event loop drives the very same actors.
 * Nothing here returns a promise: an answer that takes time arrives later as a message.
 */

/** Names another actor: "master/0", "borglet/m0007", "client/3". */
export type Address = string;

export interface TimerHandle {
  readonly tag: string;
}

export interface Env<Out> {
  /** Monotonic milliseconds since some start of this process. Leases and timeouts use only this. */
  now(): number;
  /** Wall-clock milliseconds. It may jump either way: it goes into records, never into decisions about order. */
  wall(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** A fresh unique name, for request ids and instance directories. */
  id(): string;
  /** Calls the actor's `onTimer(tag)` once, no sooner than after `afterMs`. */
  timer(afterMs: number, tag: string): TimerHandle;
  cancel(timer: TimerHandle): void;
  /** Hands a message over; it may be lost, late, repeated or overtaken. */
  send(to: Address, message: Out): void;
  /** One line for people. */
  log(line: string): void;
}

/**
 * A synchronous state machine. It gets its Env by its constructor, never waits and never throws on bad input;
 * an exception out of an actor is a bug: the simulation reports it, production restarts the process.
 */
export interface Actor<In> {
  start(): void;
  onMessage(from: Address, message: In): void;
  onTimer(tag: string): void;
}

/** `full` goes away when space returns; after `io` nothing that was written since the last sync can be trusted. */
export type DiskFault = "full" | "io" | "missing" | "exists";

export class DiskError extends Error {
  readonly fault: DiskFault;

  constructor(fault: DiskFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

/**
 * One directory of files, as far as a journal needs it. Calls are synchronous (the real one lives in a worker
 * thread of its own) and fail with DiskError. What is written can be read at once, but it survives a power cut only
 * after `sync` of that file; a name made, renamed or removed survives only after `syncNames`.
 */
export interface Disk {
  /** Names of all files, sorted. */
  list(): readonly string[];
  size(name: string): number;
  /** Bytes from `offset`; fewer than `length` only where the file ends. */
  read(name: string, offset: number, length: number): Uint8Array;
  /** Makes a new file of `size` zero bytes whose space is already taken, so that later writes inside it cannot run out. */
  create(name: string, size: number): void;
  /** Overwrites or extends. */
  write(name: string, offset: number, bytes: Uint8Array): void;
  truncate(name: string, size: number): void;
  /** Makes the bytes of a file durable. After a failure the file must not be written again by this process. */
  sync(name: string): void;
  /** Replaces `to` if it exists. */
  rename(from: string, to: string): void;
  remove(name: string): void;
  /** Makes names durable. */
  syncNames(): void;
}
