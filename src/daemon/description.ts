/**
 * What operators say of machines that no probe can find out: rack, power domain, attributes, how fast a core is, how much its disk carries, what else can be counted there. Said with flags for all machines of a
 * command, and in a file for each by its name; the file is looked at again while the machine runs, and one that is wrong changes nothing.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { normalize } from "node:path";
import { DEVICE_NAME_MAX, extraOfDevice, WHOLE_MILLI } from "../base/device-name.ts";
import { readQuantity } from "../bcl/quantity.ts";

export interface Description {
  readonly rack: string;
  readonly powerDomain: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
  readonly coreSpeedPermille: number;
  /** Bytes a second that its tasks may read and write together; 0: none is offered. */
  readonly diskBandwidth: number;
  /** Of what the machine has, what no task is given. */
  readonly reserve: { readonly cpuMilli: number; readonly ramBytes: number; readonly diskBytes: number };
  /** Directories for the tasks of one user each. Where they are stays with the machine. */
  readonly volumes: readonly { readonly user: string; readonly name: string; readonly path: string }[];
  /** What jobs ask for with `extras`, and nobody can measure: gpus, licences. */
  readonly extras: readonly { readonly name: string; readonly amount: number }[];
  /** Which of the extras come in units, and how much one is. */
  readonly devices: readonly { readonly name: string; readonly unit: number }[];
}

/** As it is kept with a cell or with a machine from elsewhere: what the flags said, and which file says more. */
export interface Described {
  readonly rack?: string;
  readonly powerDomain?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly coreSpeed?: number;
  /** Bytes a second. */
  readonly diskBandwidth?: number;
  readonly reserve?: Reserve;
  /** Paths by "user/name"; `{machine}` in one is the machine's name. */
  readonly volumes?: Readonly<Record<string, string>>;
  readonly extras?: Readonly<Record<string, number>>;
  readonly devices?: Readonly<Record<string, string>>;
  readonly file?: string;
}

/** In the cell's units, so that it is kept as it counts: thousandths of a core, bytes. */
export interface Reserve {
  readonly cpu?: number;
  readonly ram?: number;
  readonly disk?: number;
}

export class DescriptionError extends Error {}

const FILE_BYTES_MAX = 2 ** 20;
const TEXT_MAX = 63;
const ATTRIBUTES_MAX = 64;
const KEY = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/;
const SPEED = { min: 0.05, max: 20 } as const;
const WORDS = ["rack", "power_domain", "attributes", "core_speed", "disk_bandwidth", "reserve", "volumes", "extras", "devices"] as const;
const BANDWIDTH_MAX = 1e12;
const RESERVE_MAX = 1e15;
const EXTRAS_MAX = 16;
const EXTRA = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const EXTRA_AMOUNT_MAX = 1e9;
/** Of one kind, on one machine. */
const DEVICES_MAX = 64;
const VOLUMES_MAX = 64;
const VOLUME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\/[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const PATH_MAX = 512;
const PLAIN_PATH = /^(\/[\x21-\x2e\x30-\x7e][\x20-\x2e\x30-\x7e]*)+$/;
/** What a probe finds out, or the borglet tells by itself, is not for people to say. */
const PROBED: ReadonlySet<string> = new Set(["arch", "cgroup", "disk", "disk_bandwidth", "jail", "kernel", "missing", "os", "user"]);
/** Conditions of the command line have these words for something else. */
const TAKEN: ReadonlySet<string> = new Set(["machine", "rack", "power_domain", "host", "state"]);

/** Of one machine: what its file says of it, else what the file says of all, else the flags. */
export function descriptionOf(described: Described, machine: string): Description {
  const file = described.file === undefined ? {} : readDescriptions(described.file);
  const own = file.machines?.[machine] ?? {};
  const attributes = { ...described.attributes, ...file.all?.attributes, ...own.attributes };
  if (Object.keys(attributes).length > ATTRIBUTES_MAX)
    throw new DescriptionError(`Machine ${machine} has more than ${ATTRIBUTES_MAX} attributes`);
  const devices = devicesFor({ ...described.devices, ...file.all?.devices, ...own.devices });
  const { cpu = 0, ram = 0, disk = 0 } = { ...described.reserve, ...file.all?.reserve, ...own.reserve };
  const counted = Object.fromEntries(devices.map(({ name, unit, count }) => [name, unit * count]));
  return {
    rack: own.rack ?? file.all?.rack ?? described.rack ?? "",
    powerDomain: own.power_domain ?? file.all?.power_domain ?? described.powerDomain ?? "",
    attributes: Object.entries(attributes)
      .map(([key, value]) => ({ key, value }))
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
    volumes: volumesFor(machine, { ...described.volumes, ...file.all?.volumes, ...own.volumes }),
    extras: extrasFor(machine, { ...described.extras, ...file.all?.extras, ...own.extras, ...counted }),
    devices: devices.map(({ name, unit }) => ({ name, unit })),
    coreSpeedPermille: Math.round((own.core_speed ?? file.all?.core_speed ?? described.coreSpeed ?? 1) * 1000),
    reserve: { cpuMilli: cpu, ramBytes: ram, diskBytes: disk },
    diskBandwidth: own.disk_bandwidth ?? file.all?.disk_bandwidth ?? described.diskBandwidth ?? 0,
  };
}

interface Said {
  readonly rack?: string;
  readonly power_domain?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly core_speed?: number;
  readonly disk_bandwidth?: number;
  readonly reserve?: Reserve;
  readonly volumes?: Readonly<Record<string, string>>;
  readonly extras?: Readonly<Record<string, number>>;
  readonly devices?: Readonly<Record<string, string>>;
}

interface Descriptions {
  readonly all?: Said;
  readonly machines?: Readonly<Record<string, Said>>;
}

/** All of the file is checked, also what is said of other machines: who reads it finds a mistake wherever it is. */
function readDescriptions(path: string): Descriptions {
  const found = parsed(path);
  const wrong = Object.keys(found).find((word) => word !== "all" && word !== "machines");
  if (wrong !== undefined) throw new DescriptionError(`"${path}" says "${wrong}", but it can only say "all" and "machines"`);
  const machines = found["machines"] === undefined ? {} : objectAt(path, "machines", found["machines"]);
  return {
    ...(found["all"] === undefined ? {} : { all: saidAt(path, "all", found["all"]) }),
    machines: Object.fromEntries(Object.entries(machines).map(([name, said]) => [name, saidAt(path, `machines.${name}`, said)])),
  };
}

function parsed(path: string): Readonly<Record<string, unknown>> {
  const text = textAt(path);
  try {
    return objectAt(path, "the file", JSON.parse(text));
  } catch (error) {
    if (error instanceof DescriptionError) throw error;
    throw new DescriptionError(`"${path}" is no JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** A plain file of bounded size: anything else that somebody put there, such as a pipe, could hold a borglet up for ever. */
function textAt(path: string): string {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(fd);
    if (!found.isFile()) throw new DescriptionError(`"${path}" is no plain file`);
    if (found.size > FILE_BYTES_MAX) throw new DescriptionError(`"${path}" is longer than 1 MiB`);
    return readFileSync(fd, "utf8");
  } catch (error) {
    if (error instanceof DescriptionError) throw error;
    throw new DescriptionError(`Cannot read "${path}": ${(error as Error).message}`, { cause: error });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function objectAt(path: string, place: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw new DescriptionError(`"${path}": ${place} must be an object, as in { "machines": { "m1": { "rack": "r7" } } }`);
}

function saidAt(path: string, place: string, value: unknown): Said {
  const found = objectAt(path, place, value);
  const wrong = Object.keys(found).find((word) => !(WORDS as readonly string[]).includes(word));
  if (wrong !== undefined) throw new DescriptionError(`"${path}": ${place} says "${wrong}", but it can only say ${WORDS.join(", ")}`);
  const { rack, power_domain, attributes, core_speed, disk_bandwidth, reserve, volumes, extras, devices } = found;
  return {
    ...(rack === undefined ? {} : { rack: textOf(`${place}.rack`, rack) }),
    ...(power_domain === undefined ? {} : { power_domain: textOf(`${place}.power_domain`, power_domain) }),
    ...(attributes === undefined ? {} : { attributes: attributesOf(`${place}.attributes`, objectAt(path, place, attributes)) }),
    ...(core_speed === undefined ? {} : { core_speed: speedOf(`${place}.core_speed`, core_speed) }),
    ...(disk_bandwidth === undefined ? {} : { disk_bandwidth: bandwidthOf(`${place}.disk_bandwidth`, disk_bandwidth) }),
    ...(reserve === undefined ? {} : { reserve: reserveOf(`${place}.reserve`, objectAt(path, place, reserve)) }),
    ...(volumes === undefined ? {} : { volumes: volumesOf(`${place}.volumes`, objectAt(path, place, volumes)) }),
    ...(extras === undefined ? {} : { extras: extrasOf(`${place}.extras`, objectAt(path, place, extras)) }),
    ...(devices === undefined ? {} : { devices: devicesOf(`${place}.devices`, objectAt(path, place, devices)) }),
  };
}

/** Flags are checked by the same. */
export function textOf(place: string, value: unknown): string {
  if (typeof value === "string" && value.length <= TEXT_MAX && /^[\x20-\x7e]*$/.test(value)) return value;
  throw new DescriptionError(`Cannot use ${JSON.stringify(value)} for ${place}: a line of at most ${TEXT_MAX} plain characters`);
}

export function attributesOf(place: string, found: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  for (const key of Object.keys(found)) {
    if (!KEY.test(key)) throw new DescriptionError(`Cannot use "${key}" in ${place}: letters, digits, dots, dashes and underscores`);
    if (PROBED.has(key)) throw new DescriptionError(`Cannot say "${key}" in ${place}: the machine finds it out by itself`);
    if (TAKEN.has(key)) throw new DescriptionError(`Cannot say "${key}" in ${place}: the word stands for something else of a machine`);
  }
  return Object.fromEntries(Object.entries(found).map(([key, value]) => [key, textOf(`${place}.${key}`, value)]));
}

export function speedOf(place: string, value: unknown): number {
  if (typeof value === "number" && value >= SPEED.min && value <= SPEED.max) return value;
  throw new DescriptionError(
    `Cannot use ${JSON.stringify(value)} for ${place}: a number from ${SPEED.min} to ${SPEED.max}; 1 is a normal core`,
  );
}

/** Bytes a second: `--disk-bandwidth 200Mi`, or "disk_bandwidth": "200MiB". 0 takes away what is said of all. */
export function bandwidthOf(place: string, value: unknown): number {
  const amount = amountIn(value, "bytes");
  if (amount !== undefined && amount <= BANDWIDTH_MAX) return amount;
  throw new DescriptionError(`Cannot use ${JSON.stringify(value)} for ${place}: bytes a second, as in 200MiB, at most 1TB`);
}

/** What is left to the system: `--reserve ram=2GiB`, or "reserve": { "cpu": 0.5, "ram": "2GiB" }. 0 takes away what is said of all. */
export function reserveOf(place: string, found: Readonly<Record<string, unknown>>): Reserve {
  const amounts = Object.entries(found).map(([name, value]): readonly [string, number] => {
    if (name !== "cpu" && name !== "ram" && name !== "disk")
      throw new DescriptionError(`Cannot say "${name}" in ${place}: cpu, ram or disk`);
    const amount = name === "cpu" ? amountIn(value, "number", 1000) : amountIn(value, "bytes");
    if (amount !== undefined && amount <= RESERVE_MAX) return [name, amount];
    throw new DescriptionError(
      `Cannot use ${JSON.stringify(value)} for ${place}.${name}: as in ${name === "cpu" ? "0.5 or 500m" : "2GiB"}`,
    );
  });
  return Object.fromEntries(amounts);
}

/** A whole number of what counts, as people write it: with a unit, or bare. */
function amountIn(value: unknown, dimension: "number" | "bytes", scale = 1): number | undefined {
  const text = typeof value === "string" ? value.replace(/([KMGTP]i)B$/, "$1") : JSON.stringify(value);
  const read = readQuantity(text);
  if (!read.ok || (read.value.dimension !== dimension && !/^[0-9]+$/.test(text))) return undefined;
  const amount = Math.round(read.value.amount * scale);
  return amount >= 0 ? amount : undefined;
}

/** Paths by "user/name": `--volume ann/data=/srv/data`, or "volumes": { "ann/data": "/srv/data" }. */
export function volumesOf(place: string, found: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  for (const [name, path] of Object.entries(found)) {
    if (!VOLUME.test(name))
      throw new DescriptionError(`Cannot use "${name}" in ${place}: whose it is and what it is called, as in ann/data`);
    if (typeof path !== "string" || path.length > PATH_MAX || !PLAIN_PATH.test(path) || normalize(path) !== path)
      throw new DescriptionError(
        `Cannot use ${JSON.stringify(path)} for ${place}.${name}: an absolute path of at most ${PATH_MAX} characters`,
      );
  }
  return found as Readonly<Record<string, string>>;
}

/** Counts by name: `--extra gpu=2`, or "extras": { "gpu": 2 }. 0 takes away what is said of all. */
export function extrasOf(place: string, found: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  for (const [name, amount] of Object.entries(found)) {
    if (!EXTRA.test(name)) throw new DescriptionError(`Cannot use "${name}" in ${place}: small letters, digits and dashes, as in gpu`);
    if (typeof amount !== "number" || !Number.isInteger(amount) || amount < 0 || amount > EXTRA_AMOUNT_MAX)
      throw new DescriptionError(`Cannot use ${JSON.stringify(amount)} for ${place}.${name}: a whole number from 0 to ${EXTRA_AMOUNT_MAX}`);
  }
  return found as Readonly<Record<string, number>>;
}

function extrasFor(machine: string, found: Readonly<Record<string, number>>): Description["extras"] {
  const extras = Object.entries(found)
    .filter(([, amount]) => amount > 0)
    .map(([name, amount]) => ({ name, amount }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (extras.length > EXTRAS_MAX) throw new DescriptionError(`Machine ${machine} has more than ${EXTRAS_MAX} extras`);
  return extras;
}

/** How many by name, and where one is less than whole its thousandths: `--device gpu=4`, `gpu=8x250`, or "devices": { "gpu": 4 }. */
export function devicesOf(place: string, found: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  for (const [name, said] of Object.entries(found)) {
    if (!EXTRA.test(name) || name.length > DEVICE_NAME_MAX)
      throw new DescriptionError(
        `Cannot use "${name}" in ${place}: at most ${DEVICE_NAME_MAX} small letters, digits and dashes, as in gpu`,
      );
    const parts = partsOf(said);
    if (parts === undefined || parts.count > DEVICES_MAX || parts.unit < 1 || parts.unit > WHOLE_MILLI)
      throw new DescriptionError(
        `Cannot use ${JSON.stringify(said)} for ${place}.${name}: how many, from 0 to ${DEVICES_MAX}, or with the thousandths of each, from 1 to ${WHOLE_MILLI}, as in 8x250`,
      );
  }
  return Object.fromEntries(Object.entries(found).map(([name, said]) => [name, String(said)]));
}

function partsOf(said: unknown): { readonly count: number; readonly unit: number } | undefined {
  const found = /^([0-9]{1,3})(?:x([0-9]{1,4}))?$/.exec(typeof said === "number" ? String(said) : typeof said === "string" ? said : "");
  return found === null ? undefined : { count: Number(found[1]), unit: Number(found[2] ?? WHOLE_MILLI) };
}

function devicesFor(
  found: Readonly<Record<string, string>>,
): readonly { readonly name: string; readonly unit: number; readonly count: number }[] {
  return Object.entries(found)
    .flatMap(([name, said]) => {
      const parts = partsOf(said);
      return parts === undefined || parts.count === 0 ? [] : [{ name: extraOfDevice(name), ...parts }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** No two in one another: whoever has the outer one would have the inner one too. */
function volumesFor(machine: string, found: Readonly<Record<string, string>>): Description["volumes"] {
  const volumes = Object.entries(found)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, path]) => {
      const [user = "", name = ""] = key.split("/");
      return { user, name, path: path.replaceAll("{machine}", machine || "m") };
    });
  if (volumes.length > VOLUMES_MAX) throw new DescriptionError(`Machine ${machine} has more than ${VOLUMES_MAX} volumes`);
  for (const { path, user, name } of volumes) {
    const inner = volumes.find((other) =>
      other.path !== path ? other.path.startsWith(`${path}/`) : `${other.user}/${other.name}` !== `${user}/${name}`,
    );
    if (inner !== undefined)
      throw new DescriptionError(
        `Volumes ${user}/${name} and ${inner.user}/${inner.name} of machine ${machine} are in one another: "${path}", "${inner.path}"`,
      );
  }
  return volumes;
}
