/**
 * `borg install --systemd`: a unit with which a cell of this machine comes back at boot. It writes one file and starts nothing. Stopping the unit stops the cell as
 * Ctrl-C does, and tasks go on: systemd signals the first process alone and leaves the control groups below the unit to the cell.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DataDirectory } from "../../daemon/data.ts";
import { configDirectory, type Environment, ownCell } from "../config.ts";
import type { Context } from "../context.ts";
import { entryPoint } from "../entry-point.ts";
import { EXIT, Failure } from "../exit.ts";
import { home } from "../home.ts";
import { loginName } from "../login.ts";
import { codeOf } from "../private-file.ts";

export interface InstallOptions {
  readonly systemd?: boolean;
  readonly data?: string;
  readonly cell?: string;
  readonly to?: string;
}

/** What a unit is made from. */
export interface UnitFacts {
  readonly cell: string;
  /** Words of the command that starts it. */
  readonly command: readonly string[];
  /** Undefined: a unit of a user's own manager. */
  readonly user: string | undefined;
}

const SYSTEM_UNITS = "/etc/systemd/system";
/** As long as `borg down` waits, and a little more. */
const STOP_SECONDS = 120;

export async function install(context: Context, options: InstallOptions): Promise<number> {
  if (options.systemd !== true) throw new Failure("usage", "Cannot tell what to install for", "as in: borg install --systemd");
  const { terminal } = context;
  const path = resolve(terminal.cwd, options.data ?? ownCell(options.cell, terminal.env).data);
  const data = existsSync(path) ? new DataDirectory(path) : undefined;
  const cell = data?.readCell();
  if (data === undefined || cell === undefined)
    throw new Failure("notFound", `There is no cell in "${path}"`, "borg up makes one; name its directory with --data");
  const isSystem = process.getuid?.() === 0;
  const folder = options.to === undefined ? unitFolder(isSystem, terminal.env) : resolve(terminal.cwd, options.to);
  const unit = `borg-${cell.cell}.service`;
  const text = unitText({ cell: cell.cell, command: commandOf(data), user: isSystem ? loginName() : undefined });
  const file = join(folder, unit);
  const already = writeUnit(file, text);
  const systemctl = isSystem ? "systemctl" : "systemctl --user";
  const start = `${systemctl} daemon-reload && ${systemctl} enable --now ${unit}`;
  context.tell(sentence(file, already, isSystem, start), { cell: cell.cell, unit, file, start, already });
  return EXIT.done;
}

const sentence = (file: string, already: boolean, isSystem: boolean, start: string): string =>
  [
    already ? `${file} is there already, just so` : `Wrote ${file}`,
    `Stop the cell if it is up, and let systemd start it now and at every boot: ${start}`,
    ...(isSystem ? [] : ["Without a login too: loginctl enable-linger"]),
  ].join("\n");

const unitFolder = (isSystem: boolean, env: Environment): string =>
  isSystem ? SYSTEM_UNITS : join(configDirectory(env), "..", "systemd", "user");

/** The script of this clone, which also installs what an update needs. Everything else the cell's directory says. */
function commandOf(data: DataDirectory): readonly string[] {
  const script = join(home()?.directory ?? "", "borg");
  return [...(existsSync(script) ? [script] : [process.execPath, ...entryPoint()]), "up", "--data", data.path];
}

export function unitText({ cell, command, user }: UnitFacts): string {
  return `# Written by borg install. Delegate: the groups below are the cell's. KillMode: a stop is for borg up alone, and tasks go on.
[Unit]
Description=Borg cell ${specifiers(cell)}
After=network.target

[Service]
${user === undefined ? "" : `User=${user}\n`}ExecStart=${command.map(quoted).join(" ")}
Delegate=yes
KillMode=process
TimeoutStopSec=${STOP_SECONDS}
Restart=on-failure
RestartSec=5
# A mistake in a setting, and a damaged journal, do not go away by trying again.
RestartPreventExitStatus=${EXIT.usage} ${EXIT.damaged}
LimitNOFILE=65536

[Install]
WantedBy=${user === undefined ? "default.target" : "multi-user.target"}
`;
}

const specifiers = (text: string): string => text.replaceAll("%", "%%");

/** As systemd takes words apart: quotes, backslashes, variables and its own specifiers. */
const quoted = (word: string): string => `"${specifiers(word.replace(/["\\]/g, "\\$&")).replaceAll("$", () => "$$")}"`;

/** Whether it was there, just so. One that differs is somebody's work. */
function writeUnit(file: string, text: string): boolean {
  try {
    if (existsSync(file)) {
      if (readFileSync(file, "utf8") === text) return true;
      throw new Failure("refused", `"${file}" is there already and says something else`, "remove it, or write beside it with --to DIR");
    }
    mkdirSync(resolve(file, ".."), { recursive: true });
    writeFileSync(file, text, { mode: 0o644, flag: "wx" });
    return false;
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure("usage", `Cannot write "${file}": ${codeOf(cause)}`, "choose another place with --to DIR", { cause });
  }
}
