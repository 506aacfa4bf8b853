/**
 * Which masters a cell on several machines has, in its etcd: where each is, and the public key that only it holds. Who is not in it is no master, whatever certificate he
 * shows. A one-time token opens one new place, and the transaction that takes the place takes the token away: no second one can use it, however the two race.
 */
import { ok, type Result, refused } from "../base/result.ts";
import { bytesOf, Keys, textOf } from "../store/etcd/keys.ts";
import type { Answer, AnswerOf, Etcd, KeyValue, Op, Question } from "../store/etcd/port.ts";
import type { AuthorityNote } from "./authority-note.ts";
import type { MasterSeat } from "./data.ts";
import { replicaName, replicaOf } from "./replicas.ts";

/** More than five would only be slower: a majority of them must hear every change. */
export const MASTERS_MAX = 5;
/** Numbers of replicas; the ports of a cell have room for no more. */
const NUMBER_MAX = 9;
/** Tokens that nobody used yet; those whose time is over do not count. */
const INVITED_MAX = 100;
/** Each goes to another member of etcd. What is asked twice is done once: it is guarded, or says what shall be. */
const TRIES_MAX = 5;

export interface Listed {
  readonly masters: readonly MasterSeat[];
  /** Who has the lock. */
  readonly leader: number | undefined;
  /** The oldest entry of the journal that is still there. */
  readonly first: number;
  /** How far an exchange of the cell's authority is; undefined: there was none. */
  readonly authority: AuthorityNote | undefined;
}

export class Roster {
  readonly #etcd: Etcd;
  readonly #keys: Keys;

  constructor(etcd: Etcd, cell: string) {
    this.#etcd = etcd;
    this.#keys = new Keys(cell);
  }

  async read(): Promise<Listed> {
    const { masters, lock, first, authority } = this.#keys;
    const ops: readonly Op[] = [
      { type: "get", ...masters },
      { type: "get", key: lock },
      { type: "get", key: first },
      { type: "get", key: authority },
    ];
    const { found } = await this.#txn([], ops);
    const [holder, oldest, note] = [found[1]?.[0], found[2]?.[0], found[3]?.[0]];
    return {
      masters: seatsOf(found[0] ?? []),
      leader: holder === undefined ? undefined : replicaOf(textOf(holder.value)),
      first: oldest === undefined ? 1 : Number(textOf(oldest.value)),
      authority: note === undefined ? undefined : (JSON.parse(textOf(note.value)) as AuthorityNote),
    };
  }

  /** Whoever exchanges the authority decides by itself what comes next; two who do at once are one after the other. */
  async write(note: AuthorityNote): Promise<void> {
    await this.#txn([], [{ type: "put", key: this.#keys.authority, value: bytesOf(JSON.stringify(note)) }]);
  }

  /** The first of all, when nobody is there yet. False: somebody is. */
  async begin(seat: MasterSeat): Promise<boolean> {
    const { found } = await this.#txn([], [{ type: "get", ...this.#keys.masters }]);
    if ((found[0] ?? []).length > 0) return false;
    const key = this.#keys.master(seat.replica);
    return (await this.#txn([{ key, created: 0 }], [{ type: "put", key, value: seatValue(seat) }])).done;
  }

  async invite(tokenHash: string, untilMs: number, nowMs: number): Promise<Result<void>> {
    const { found } = await this.#txn([], [{ type: "get", ...this.#keys.invitations }]);
    const all = found[0] ?? [];
    const over = all.filter(({ value }) => Number(textOf(value)) <= nowMs);
    if (all.length - over.length >= INVITED_MAX) return refused(`${INVITED_MAX} tickets were made and not used: wait until they are over`);
    const removals = over.slice(0, INVITED_MAX).map(({ key }) => ({ type: "delete", key }) as const);
    await this.#txn([], [{ type: "put", key: this.#keys.invited(tokenHash), value: bytesOf(String(untilMs)) }, ...removals]);
    return ok(undefined);
  }

  /** A new place for who shows a token, in one transaction with the token's end. */
  async admit(tokenHash: string, { host, key }: Omit<MasterSeat, "replica">, nowMs: number): Promise<Result<number>> {
    const token = this.#keys.invited(tokenHash);
    const ops: readonly Op[] = [
      { type: "get", key: token },
      { type: "get", ...this.#keys.masters },
    ];
    const { found } = await this.#txn([], ops);
    const [invitation] = found[0] ?? [];
    if (invitation === undefined || Number(textOf(invitation.value)) <= nowMs)
      return refused("This ticket was used already, or its time is over: borg replica invite makes another");
    const masters = seatsOf(found[1] ?? []);
    const replica = freeNumber(masters);
    if (replica === undefined || masters.length >= MASTERS_MAX)
      return refused(`The cell has ${masters.length} masters, and no room for more: borg replica remove makes room`);
    const taken = masters.find((each) => each.host === host);
    if (taken !== undefined)
      return refused(`Master ${taken.replica} is at ${host} already: if it is gone, borg replica remove ${taken.replica} and join again`);
    const place = this.#keys.master(replica);
    const { done } = await this.#txn(
      [
        { key: token, created: invitation.created },
        { key: place, created: 0 },
      ],
      [
        { type: "delete", key: token },
        { type: "put", key: place, value: seatValue({ replica, host, key }) },
      ],
    );
    // A try without an answer may have done it.
    const isOwn = done || (await this.read()).masters.some((each) => each.replica === replica && each.key === key);
    return isOwn ? ok(replica) : refused("Somebody else used this ticket, or joined at the same moment: ask again");
  }

  /** Also what the journal knows of it: a replica that is gone keeps no entries back, and no version. */
  async remove(replica: number): Promise<void> {
    const name = replicaName(replica);
    const keys = [this.#keys.master(replica), this.#keys.replica(name), this.#keys.snapshot(name)];
    await this.#txn(
      [],
      keys.map((key) => ({ type: "delete", key })),
    );
  }

  async #txn(guards: Extract<Question, { readonly type: "txn" }>["guards"], ops: readonly Op[]): Promise<AnswerOf<"txn">> {
    let answer: Answer | undefined;
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      answer = await new Promise<Answer>((resolve) => this.#etcd.ask({ type: "txn", guards, ops, otherwise: [] }, resolve));
      if (answer.type === "txn") return answer;
    }
    throw new Error(answer?.type === "failed" ? answer.reason : `etcd answered "${answer?.type}"`);
  }
}

const seatValue = (seat: MasterSeat): Uint8Array => bytesOf(JSON.stringify(seat));

const seatsOf = (found: readonly KeyValue[]): readonly MasterSeat[] =>
  found.map(({ value }) => JSON.parse(textOf(value)) as MasterSeat).sort((a, b) => a.replica - b.replica);

function freeNumber(masters: readonly MasterSeat[]): number | undefined {
  const all = Array.from({ length: NUMBER_MAX }, (_, i) => i + 1);
  return all.find((number) => !masters.some(({ replica }) => replica === number));
}
