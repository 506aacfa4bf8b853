/**
 * From what the feed tells to rows. Records that change all the time in ways nobody asks about (a machine's sequence) give a row only when something that is
 * kept of them is new. Values of environments, contents of files, arguments and tokens are never looked at.
 */
import { bandOfWire } from "../wire/band.ts";
import { type Event, EventKind } from "../wire/gen/borg/v1/event_pb.ts";
import type { FeedRecord } from "../wire/gen/borg/v1/feed_pb.ts";
import { ActorKind, Cause } from "../wire/gen/borg/v1/op_pb.ts";
import type { JobRecord, MachineRecord, UserGrants } from "../wire/gen/borg/v1/record_pb.ts";
import type { Resources } from "../wire/gen/borg/v1/resource_pb.ts";
import { CELL_OWNER, type Placed, type Row, type Value } from "./tables.ts";

const CPU_MILLI = 1000;
/** As `task.state` and `out-of-resources` are written everywhere. */
const KINDS = wordsOf(EventKind, (name) => name.toLowerCase().replace("_", "."));
const CAUSES = wordsOf(Cause, (name) => name.toLowerCase().replaceAll("_", "-"));
const ACTORS = wordsOf(ActorKind, (name) => name.toLowerCase());
/** Their subject is a job or a task, so they belong to its owner. */
const OWNED = /^(job|task|instance|framework)\./;
const OF_USERS = /^(user|quota)\./;

function wordsOf(kinds: object, word: (name: string) => string): ReadonlyMap<number, string> {
  const numbered = Object.entries(kinds).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return new Map(numbered.map(([name, number]) => [number, number === 0 ? "" : word(name)]));
}

/** What `borg events` leaves out too: a reservation that follows usage, a first run that "runs" tells as well. */
export const isNoise = ({ kind, detail }: Event): boolean =>
  kind === EventKind.RESERVATION_CHANGED || (kind === EventKind.INSTANCE_CHANGED && detail === "");

const orNull = (text: string): string | null => (text === "" ? null : text);

/** `user/job` and the index of `user/job/3`; an index that is no number is none. */
export function splitSubject(subject: string): { readonly job: string | null; readonly index: number | null } {
  const [user, job, index] = subject.split("/");
  if (job === undefined) return { job: null, index: null };
  return { job: `${user}/${job}`, index: index === undefined || !/^\d+$/.test(index) ? null : Number(index) };
}

export function eventRow(event: Event): Placed {
  const kind = KINDS.get(event.kind) ?? String(event.kind);
  const owned = OWNED.test(kind);
  const owner = owned ? (event.subject.split("/")[0] ?? "") : OF_USERS.test(kind) ? event.subject : CELL_OWNER;
  const { job, index } = owned ? splitSubject(event.subject) : { job: null, index: null };
  const { actor } = event;
  const row: Row = [
    event.position,
    event.index,
    event.timeMs,
    kind,
    event.subject,
    job,
    index,
    orNull(event.instance),
    orNull(event.machine),
    orNull(event.from),
    orNull(event.to),
    orNull(CAUSES.get(event.cause) ?? ""),
    orNull(actor?.controller || actor?.name || ""),
    orNull(ACTORS.get(actor?.kind ?? 0) ?? ""),
    orNull(event.preemptor),
    orNull(event.detail),
  ];
  return { table: "events", owner, timeMs: event.timeMs, row };
}

interface Moment {
  readonly position: number;
  readonly timeMs: number;
}

/** Records that are to be remembered: of each thing what was last kept of it. */
export class RecordRows {
  readonly #last = new Map<string, string>();
  /** Facts come only when they changed. */
  readonly #capacity = new Map<string, readonly Value[]>();

  of(record: FeedRecord, at: Moment): readonly Placed[] {
    const { body } = record;
    if (body.case === "job") return this.#changed(`job ${nameOf(body.value)}`, at, jobRow(body.value, at));
    if (body.case === "machine") return this.#machine(body.value, at);
    if (body.case === "user") return this.#user(body.value, at);
    return [];
  }

  forget(kind: "job" | "machine", id: string): void {
    this.#last.delete(`${kind} ${id}`);
    if (kind === "machine") this.#capacity.delete(id);
  }

  #machine(record: MachineRecord, at: Moment): readonly Placed[] {
    const { name, facts } = record;
    if (facts !== undefined) this.#capacity.set(name, [...sizes(facts.capacity), orNull(facts.rack), orNull(facts.powerDomain)]);
    const known = this.#capacity.get(name) ?? [null, null, null, null, null];
    const row: Row = [at.position, at.timeMs, name, record.reachable, record.draining, ...known];
    return this.#changed(`machine ${name}`, at, { table: "machines", owner: CELL_OWNER, timeMs: at.timeMs, row });
  }

  #user({ name, quotas }: UserGrants, at: Moment): readonly Placed[] {
    return quotas.flatMap(({ band, quota }) => {
      const word = bandOfWire(band) ?? "";
      const untilMs = quota?.untilMs ?? 0;
      const row: Row = [
        at.position,
        at.timeMs,
        name,
        word,
        ...sizes(quota?.limit),
        quota?.unlimited ?? false,
        untilMs === 0 ? null : untilMs,
      ];
      return this.#changed(`quota ${name} ${word}`, at, { table: "quota", owner: name, timeMs: at.timeMs, row });
    });
  }

  /** Position and time come first and do not count. */
  #changed(key: string, _at: Moment, placed: Placed | undefined): readonly Placed[] {
    if (placed === undefined) return [];
    const text = JSON.stringify(placed.row.slice(2));
    if (this.#last.get(key) === text) return [];
    this.#last.set(key, text);
    return [placed];
  }
}

const nameOf = ({ spec }: JobRecord): string => `${spec.value?.user}/${spec.value?.name}`;

/** Cores and bytes. */
const sizes = (resources: Resources | undefined): readonly [number, number, number] => [
  (resources?.cpuMilli ?? 0) / CPU_MILLI,
  resources?.ramBytes ?? 0,
  resources?.diskBytes ?? 0,
];

function jobRow(record: JobRecord, at: Moment): Placed | undefined {
  const { spec } = record;
  if (spec.case === undefined) return undefined;
  const limit = spec.case === "job" ? spec.value.task?.limit : spec.case === "allocSet" ? spec.value.limit : undefined;
  const row: Row = [
    at.position,
    at.timeMs,
    nameOf(record),
    spec.case === "allocSet" ? "alloc-set" : spec.case,
    spec.value.priority,
    record.count,
    record.submittedMs,
    record.generation,
    record.held,
    record.killed,
    ...sizes(limit),
    spec.case === "framework" ? null : orNull(spec.value.scheduler),
  ];
  return { table: "jobs", owner: spec.value.user, timeMs: at.timeMs, row };
}
