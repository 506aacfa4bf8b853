/**
 * `borg lb`: keeps a file of a load balancer's configuration as the cell is: what is ready is in it, what is not has left it. The file is replaced whole, the
 * reload command runs only after it changed (and once at the beginning: whoever died before may have missed it). A master that is away changes nothing.
 */
import { execFile } from "node:child_process";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { ResolveResponse } from "../../wire/gen/borg/v1/api_pb.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { backendOf, configText, HEAD, LB_FORMATS, type LbFormat } from "../lb-config.ts";
import { type Asked, answers, askedOf, type NamedOptions, resolveOnce } from "../named.ts";
import { plainName } from "../names.ts";
import { safeLine } from "../text/safe.ts";
import { plural } from "../text/units.ts";

export interface LbOptions extends NamedOptions {
  readonly format: string;
  readonly out: string;
  readonly port?: string;
  readonly reload?: string;
  readonly once?: boolean;
}

/** Changes that come together are written together. */
const DEBOUNCE_MS = 250;
const RELOAD_MS = 30_000;
/** A reload that fails is tried again so often, so much later each time. */
const RELOADS = 3;
const RELOAD_AGAIN_MS = 1000;
const BYTES_MAX = 2 ** 24;

export async function lb(context: Context, name: string | undefined, options: LbOptions): Promise<number> {
  const keeper = new Keeper(context, await askedOf(context, name, options), options);
  const first = await resolveOnce(context, keeper.asked);
  if (first.kind === "")
    throw new Failure("notFound", `Nothing that lives is called "${keeper.asked.text}"`, "borg ls shows jobs, borg ls services services");
  keeper.refuseStrange();
  await keeper.apply(first, true);
  if (options.once === true) return EXIT.done;
  const signal = context.terminal.interrupted();
  for await (const found of answers(context, keeper.asked, signal)) {
    await keeper.apply(found, false);
    await context.terminal.sleep(DEBOUNCE_MS, signal);
  }
  return EXIT.done;
}

class Keeper {
  readonly asked: Asked;
  readonly #context: Context;
  readonly #format: LbFormat;
  readonly #path: string;
  readonly #port: string | undefined;
  readonly #reload: string | undefined;
  /** Said once, not at each change. */
  #skipped = "";

  constructor(context: Context, asked: Asked, { format, out, port, reload }: LbOptions) {
    if (asked.all) throw new Failure("usage", "Cannot balance over tasks that are not ready", "leave --all out");
    this.asked = asked;
    this.#context = context;
    this.#format = LB_FORMATS.find((each) => each === format) ?? badFormat(format);
    this.#path = resolve(context.terminal.cwd, out);
    this.#port = port === undefined ? undefined : plainName(port, "a port");
    this.#reload = reload;
  }

  /** What somebody else wrote is not replaced. */
  refuseStrange(): void {
    const before = this.#read();
    if (before === undefined || before === "" || before.startsWith(HEAD)) return;
    throw new Failure(
      "refused",
      `"${this.#path}" is there, and borg lb did not write it`,
      "choose another file with --out, or move it away",
    );
  }

  async apply(found: ResolveResponse, isFirst: boolean): Promise<void> {
    const backend = backendOf(backendName(this.asked), found, this.#port);
    const text = configText(this.#format, backend);
    const changed = this.#read() !== text;
    if (changed) this.#write(text);
    const reloaded = (changed || isFirst) && this.#reload !== undefined ? await this.#reloads(this.#reload) : false;
    this.#complain(backend.skipped);
    if (changed || isFirst) this.#tell(backend.servers.length, found.size, changed, reloaded);
  }

  #tell(servers: number, size: number, changed: boolean, reloaded: boolean): void {
    const { json, terminal } = this.#context;
    const plain = { file: this.#path, job: this.asked.text, servers, size, written: changed, reloaded };
    const words = `${safeLine(this.asked.text)}: ${servers} of ${plural(size, "task")} in ${safeLine(this.#path)}`;
    terminal.print(json ? `${JSON.stringify(plain)}\n` : `${words}${changed ? "" : ", as before"}${reloaded ? "; reloaded" : ""}\n`);
  }

  #complain(skipped: readonly string[]): void {
    const words =
      skipped.length === 0
        ? ""
        : `Left out: ${skipped.slice(0, 3).join("; ")}${skipped.length > 3 ? ` and ${skipped.length - 3} more` : ""}`;
    if (words !== "" && words !== this.#skipped) this.#context.terminal.complain(`${safeLine(words)}\n`);
    this.#skipped = words;
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.#path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw new Failure("refused", `Cannot read "${this.#path}": ${(error as Error).message}`, "choose another file with --out");
    }
  }

  /** Whole or not at all: whoever reads it meanwhile reads the old one. */
  #write(text: string): void {
    const beside = join(dirname(this.#path), `.${basename(this.#path)}.${process.pid}.new`);
    try {
      const file = openSync(beside, "w", 0o644);
      try {
        writeSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(beside, this.#path);
    } catch (error) {
      rmSync(beside, { force: true });
      throw new Failure("refused", `Cannot write "${this.#path}": ${(error as Error).message}`, "choose another file with --out");
    }
  }

  /** Whether it went well. */
  async #reloads(command: string): Promise<boolean> {
    const { terminal } = this.#context;
    for (let i = 1; i <= RELOADS; i++) {
      const problem = await runs(command, terminal.cwd);
      if (problem === undefined) return true;
      terminal.complain(`The reload command failed (${i} of ${RELOADS}): ${safeLine(problem)}\n`);
      if (i < RELOADS) await terminal.sleep(i * RELOAD_AGAIN_MS, terminal.interrupted());
    }
    return false;
  }
}

const backendName = ({ name, user, service }: Asked): string => (name === "" ? `${user}-${service}` : name.replaceAll("/", "-"));

function badFormat(format: string): never {
  throw new Failure("usage", `Cannot write for "${format}"`, `--format is ${LB_FORMATS.join(" or ")}`);
}

/** Why it failed; undefined: it did not. */
function runs(command: string, cwd: string): Promise<string | undefined> {
  return new Promise((done) => {
    execFile("/bin/sh", ["-c", command], { cwd, timeout: RELOAD_MS, maxBuffer: BYTES_MAX }, (error, _, err) =>
      done(error === null ? undefined : err.trim().split("\n").at(-1) || error.message),
    );
  });
}
