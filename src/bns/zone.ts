/**
 * Names of a cell as DNS has them (Borg §2.6): `50.jfoo.ubar.cc.borg` is a task, `jfoo.ubar.cc.borg` a job, `site._service.ubar.cc.borg` a service, and
 * `_http._tcp.` before any of them its port of that name. Says what a name means and whether it is there; knows no packets.
 */

/** A task that is ready, and where. */
export interface ServedTask {
  /** As in `ubar/jfoo/50`. */
  readonly user: string;
  readonly job: string;
  readonly index: number;
  readonly host: string;
  readonly ports: readonly { readonly name: string; readonly number: number }[];
}

/** A job, or the jobs of a service together. */
export interface Served {
  /** How many tasks there should be: the indexes below it are names. */
  readonly size: number;
  /** Only those that are ready. */
  readonly tasks: readonly ServedTask[];
}

/** What is told of a cell; undefined: there is no such thing. */
export interface Directory {
  /** The cell's name; empty while that is not known. */
  readonly cell: string;
  hasUser(user: string): boolean;
  job(user: string, job: string): Served | undefined;
  service(user: string, service: string): Served | undefined;
}

export type Found =
  /** It is no name of this cell. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "absent" }
  /** The cell itself. */
  | { readonly kind: "apex" }
  /** A name that only stands between others: it is there, and has nothing. */
  | { readonly kind: "between" }
  | { readonly kind: "job" | "task"; readonly size: number; readonly tasks: readonly ServedTask[] }
  /** The named port of what is ready. */
  | { readonly kind: "port"; readonly port: string; readonly tasks: readonly ServedTask[] };

const ABSENT: Found = { kind: "absent" };
const BETWEEN: Found = { kind: "between" };
const INDEX = /^(0|[1-9][0-9]{0,5})$/;
const PROTOCOLS: ReadonlySet<string> = new Set(["_tcp", "_udp"]);
const SERVICE = "_service";

/** Where a cell's names begin: `cc.borg`, and `cc.borg.example.com` where there is a domain. */
export const zonesOf = (cell: string, domain: string): readonly string[] =>
  domain === "" ? [`${cell}.borg`] : [`${cell}.borg.${domain}`, `${cell}.borg`];

/** The zone that a name is in, both in small letters. */
export const zoneOf = (name: string, zones: readonly string[]): string | undefined =>
  zones.find((zone) => name === zone || name.endsWith(`.${zone}`));

/** What a name in a zone means, in small letters and without a dot at its end. */
export function find(directory: Directory, name: string, zone: string): Found {
  const labels = name === zone ? [] : name.slice(0, -zone.length - 1).split(".");
  const port = portOf(labels);
  if (port === undefined) return PROTOCOLS.has(labels[0] ?? "") ? betweenPorts(directory, labels.slice(1)) : thing(directory, labels);
  const found = thing(directory, labels.slice(2));
  if (found.kind !== "job" && found.kind !== "task") return ABSENT;
  const tasks = found.tasks.filter(({ ports }) => ports.some((each) => each.name === port));
  // While nobody serves, nobody knows which ports there will be.
  return tasks.length === 0 && found.tasks.length > 0 ? ABSENT : { kind: "port", port, tasks };
}

/** `http` of `_http._tcp...`. */
const portOf = ([first = "", second = ""]: readonly string[]): string | undefined =>
  first.startsWith("_") && PROTOCOLS.has(second) ? first.slice(1) : undefined;

function betweenPorts(directory: Directory, labels: readonly string[]): Found {
  const { kind } = thing(directory, labels);
  return kind === "job" || kind === "task" ? BETWEEN : ABSENT;
}

function thing(directory: Directory, labels: readonly string[]): Found {
  const [user = "", job = "", index = ""] = labels.toReversed();
  if (labels.length === 0) return { kind: "apex" };
  if (labels.length > 3 || !directory.hasUser(user)) return ABSENT;
  if (labels.length === 1) return BETWEEN;
  if (job === SERVICE) return labels.length === 2 ? BETWEEN : whole(directory.service(user, index));
  const served = directory.job(user, job);
  if (labels.length === 2 || served === undefined) return whole(served);
  if (!INDEX.test(index) || Number(index) >= served.size) return ABSENT;
  return { kind: "task", size: 1, tasks: served.tasks.filter((task) => task.index === Number(index)) };
}

const whole = (served: Served | undefined): Found => (served === undefined ? ABSENT : { kind: "job", ...served });
