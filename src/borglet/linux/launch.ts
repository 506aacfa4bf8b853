/**
 * The first words of a task: a small script that the task's own user runs, sets the environment and becomes the task's program. In a file,
 * not in arguments, because everyone can read the arguments of a process.
 */
import type { ImageConfig } from "../../archive/image-config.ts";
import { deviceOfExtra } from "../../base/device-name.ts";
import { splitTask, taskOf } from "../../base/id.ts";
import type { StartOrder } from "../../wire/gen/borg/v1/machine_pb.ts";
import { packagePath, volumePath } from "../../wire/spec-defaults.ts";
import { filled } from "../own-values.ts";
import { hasSecrets } from "../secrets.ts";
import { HOST_WORDS } from "./helpers.ts";

export interface TaskSurroundings {
  readonly cell: string;
  /** As the task sees them. */
  readonly home: string;
  readonly temporary: string;
  readonly nodeDirectory: string;
  /** The directory of its alloc; empty: it is in none. */
  readonly shared?: string;
  /** Where its secrets are; empty: it has none. */
  readonly secrets?: string;
  /** Where its volumes are, by their names; not said: at /borg/volumes. */
  readonly volumes?: ReadonlyMap<string, string>;
  /** Where the spec's files begin; empty when they are at their own paths. */
  readonly root: string;
  /** Of the machine: instances of two cells on one host may have the same names. */
  readonly mark: string;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The image's variables count more than ours and the spec's more than those, but nobody can take the mark off: it is how a task's processes are found. */
export function environmentOf(order: StartOrder, view: TaskSurroundings, image?: ImageConfig): Map<string, string> {
  const [user = ""] = order.instance.split("/");
  const environment = new Map<string, string>([
    ["PATH", image === undefined ? `${view.nodeDirectory}:${PATH}` : PATH],
    ["HOME", view.home],
    ["TMPDIR", view.temporary],
    ["USER", user],
    ["LOGNAME", user],
    ["SHELL", "/bin/sh"],
    ["LANG", "C.UTF-8"],
    ...(image?.environment ?? []),
  ]);
  const own = ownVariables(order, view);
  for (const { key, value } of order.task?.environment ?? []) environment.set(key, filled(value, own));
  return new Map([...environment, ...own]);
}

/** What a spec cannot say otherwise. */
function ownVariables(order: StartOrder, view: TaskSurroundings): Map<string, string> {
  const { job, index } = splitTask(taskOf(order.instance));
  const [user = "", name = ""] = job.split("/");
  const environment = new Map<string, string>();
  environment.set("BORG_CELL", view.cell).set("BORG_USER", user).set("BORG_JOB", name).set("BORG_TASK", String(index));
  environment.set("BORG_MARK", `${view.mark} ${order.instance}`);
  environment.set("BORG_INSTANCE", order.instance).set("BORG_BNS", `${index}.${name}.${user}.${view.cell}.borg`);
  if (order.alloc !== "") environment.set("BORG_ALLOC", taskOf(order.alloc)).set("BORG_ALLOC_DIR", view.shared ?? "");
  if (order.directory !== "") environment.set("BORG_ALLOC_DIR", view.shared ?? "");
  if (view.root !== "") environment.set("BORG_ROOT", view.root);
  if (hasSecrets(order.task)) environment.set("BORG_SECRETS", view.secrets ?? "");
  for (const ref of order.task?.packages ?? [])
    environment.set(`BORG_PACKAGE_${variable(ref.name)}`, ref.root ? "/" : view.root + packagePath(ref));
  for (const { name } of order.task?.volumes ?? [])
    environment.set(`BORG_VOLUME_${variable(name)}`, view.volumes?.get(name) ?? volumePath(name));
  for (const [i, port] of (order.task?.ports ?? []).entries()) {
    const number = order.ports[i];
    if (number !== undefined) environment.set(`BORG_PORT_${variable(port)}`, String(number));
  }
  for (const [name, { numbers, amount }] of devicesOf(order)) {
    environment.set(`BORG_DEVICES_${variable(name)}`, numbers.join(","));
    environment.set(`BORG_DEVICES_${variable(name)}_MILLI`, String(amount));
  }
  return environment;
}

/** Units by the device's name: their numbers, and how much of them the task has together. */
function devicesOf({ devices }: StartOrder): ReadonlyMap<string, { readonly numbers: readonly number[]; readonly amount: number }> {
  const found = new Map<string, { readonly numbers: readonly number[]; readonly amount: number }>();
  for (const { name, number, amount } of devices) {
    const key = deviceOfExtra(name) ?? name;
    const before = found.get(key) ?? { numbers: [], amount: 0 };
    found.set(key, { numbers: [...before.numbers, number], amount: before.amount + amount });
  }
  return found;
}

const variable = (name: string): string => name.toUpperCase().replaceAll("-", "_");

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Some shells keep these for themselves. */
const SHELLS_OWN = new Set(["PPID", "UID", "EUID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO", "OPTIND"]);

/** What tasks of one alloc write there, all of them may change. */
const SHARING_UMASK = "umask 002\n";

/** Names that a shell cannot set go through env(1). */
export function launchScript(
  command: readonly string[],
  environment: ReadonlyMap<string, string>,
  directory: string,
  isSharing = false,
  env: readonly string[] = HOST_WORDS.env,
): string {
  const lines: string[] = [];
  const odd: string[] = [];
  for (const [key, value] of environment) {
    if (NAME.test(key) && !SHELLS_OWN.has(key)) lines.push(`export ${key}=${quote(value)}`);
    else odd.push(quote(`${key}=${value}`));
  }
  const words = command.map((word) => quote(filled(word, environment))).join(" ");
  // Of a program with "=" in its name env would make a variable.
  if (odd.length > 0 && command[0]?.includes("=")) throw new Error(`Cannot give "${command[0]}" a variable that a shell cannot name`);
  const start = odd.length === 0 ? `exec ${words}` : `exec ${env.join(" ")} ${odd.join(" ")} ${words}`;
  // The shim's own, which a task does not get.
  return `unset LC_ALL\n${isSharing ? SHARING_UMASK : ""}${lines.join("\n")}\ncd ${quote(directory)} || exit 126\n${start}\n`;
}

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
