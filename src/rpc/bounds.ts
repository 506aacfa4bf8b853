import { USER_BOUNDS } from "../wire/user-bounds.ts";

/** Every bound of the API server in one place. What happens at each one stands beside it. */
export interface Bounds {
  /** A larger body is refused, by its declared length before a byte of it is read. */
  readonly bodyBytes: number;
  /** Bodies being received, of all calls together; beyond it calls are told to come again. */
  readonly bodiesBytes: number;
  /** Larger headers are answered 431, and the connection is closed. */
  readonly headerBytes: number;
  /** JSON that nests deeper, or has more tokens, is refused before it is parsed; so is binary with more fields. */
  readonly depth: number;
  readonly tokens: number;
  /** Open connections. One more closes the one that has waited longest without a complete request; if all are busy, the new one. */
  readonly connections: number;
  /** Beyond these, while all are busy: connections on which only admins are served, so that no crowd locks them out. */
  readonly connectionsReserve: number;
  /**
   * TLS handshakes that begin each second, a seventh of the thread, and at once: more in one turn would make everybody wait for them. Others wait, one of each address after the other; beyond so
   * many, or half of them from one address, a connection is closed before its handshake (api/handshakes.ts).
   */
  readonly handshakesPerSecond: number;
  readonly handshakesBurst: number;
  readonly handshakesWaiting: number;
  /** Requests in progress on one connection of HTTP/1, sent without waiting for answers; one more ends the connection. */
  readonly pipelined: number;
  /** The same of HTTP/2, where it is common; a client is told this number, and twice as many end the connection. */
  readonly streams: number;
  /** Calls in progress of one user, where no others were set (`borg quota bounds`), as below; one more is told to come again. */
  readonly callsPerUser: number;
  /** The same on the owner's own socket: a reserve that no crowd of users can take. */
  readonly callsOfOwner: number;
  /** Of these, calls that wait for news (events, logs, the feed); one more is told to come again. */
  readonly pollsPerUser: number;
  /**
   * Work that one user with a token may ask for, in a burst and each second from then on, and others where those were set; whoever wants more is told when to come again. A unit is about 2 ms of
   * the API's thread (src/borgmaster/api/price.ts), and every call costs at least one: a user has a fifth of the thread. The owner's own socket has no such bound.
   */
  readonly workBurst: number;
  readonly workPerSecond: number;
  /** What all users but admins may ask for together each second, half of the thread; those who spend at the same time share it. */
  readonly workOfAll: number;
  /** And in a burst: a crowd whose every user has its own burst left would else hold the thread for long. Who has hardly asked for anything goes on. */
  readonly workBurstOfAll: number;
  /** A unit of work for each so many bytes of a body, paid by its declared length before a byte is read. */
  readonly workBytes: number;
  /** Calls that were told to come again are answered only after a while, so that asking again at once is no flood; so many of them at a time. */
  readonly heldCalls: number;
  readonly heldMs: number;
  /** While the API's thread is late by so much, calls of all but admins and the owner's own socket wait (api/gate.ts), so long and so many; then they are told to come again. */
  readonly lateMs: number;
  readonly lateWaitMs: number;
  readonly lateCalls: number;
  /** From the connection to the end of the first request's headers; then the connection is closed. */
  readonly headersMs: number;
  /** From the end of the headers to the end of the body; then the call is refused and the connection closed. */
  readonly receiveMs: number;
  /** Between requests on one connection; then it is closed. */
  readonly idleMs: number;
  /** For a client to take its answer; then the connection is closed. */
  readonly answerMs: number;
  /** How often connections are looked at for the four above. */
  readonly sweepMs: number;
  /** For a call that names no time of its own; what it asks to wait for comes on top. Then the answer is `unknown`. */
  readonly callMs: number;
  /** A longer time that a caller asks for is cut to this. */
  readonly callMsMax: number;
  /** For calls in progress when the server closes; then they are cut off. */
  readonly drainMs: number;
  /** Open event streams of one user's frameworks, and of the owner's on its own socket; one more is told to come again. */
  readonly streamsPerUser: number;
  readonly streamsOfOwner: number;
  /** What may wait on one stream for its reader; a record beyond it cuts the stream off. So does a reader that takes nothing for `answerMs`. */
  readonly streamBytes: number;
  /** The same of all streams together; beyond it whoever is behind is cut off when its next record comes. */
  readonly streamsBytes: number;
  /** How often a stream tells that it lives. */
  readonly heartbeatMs: number;
}

export const BOUNDS: Bounds = {
  bodyBytes: 4 * 2 ** 20,
  bodiesBytes: 128 * 2 ** 20,
  headerBytes: 16 * 1024,
  depth: 64,
  tokens: 100_000,
  connections: 1000,
  connectionsReserve: 32,
  handshakesPerSecond: 100,
  handshakesBurst: 8,
  handshakesWaiting: 500,
  pipelined: 16,
  streams: 100,
  callsPerUser: USER_BOUNDS.calls,
  callsOfOwner: 256,
  pollsPerUser: USER_BOUNDS.polls,
  workBurst: 400,
  workPerSecond: USER_BOUNDS.workPerSecond,
  workOfAll: 250,
  workBurstOfAll: 400,
  workBytes: 128 * 1024,
  heldCalls: 1000,
  heldMs: 1000,
  lateMs: 200,
  lateWaitMs: 3000,
  lateCalls: 1000,
  headersMs: 5000,
  receiveMs: 30_000,
  idleMs: 60_000,
  answerMs: 30_000,
  sweepMs: 1000,
  callMs: 30_000,
  callMsMax: 120_000,
  drainMs: 2000,
  streamsPerUser: 64,
  streamsOfOwner: 256,
  streamBytes: 16 * 2 ** 20,
  streamsBytes: 128 * 2 ** 20,
  heartbeatMs: 5000,
};
