/** `borg run`: a job from the command line, without a file. It asks for what BCL asks for when nothing is said. */

import { MEASURES } from "../../base/dimension.ts";
import { isProd } from "../../wire/band.ts";
import { IMAGES_ABLE, packagePath, SECRETS_PLACE, UPDATE_DEFAULTS } from "../../wire/spec-defaults.ts";
import { change } from "../change.ts";
import { checkOfText } from "../check-text.ts";
import type { Context } from "../context.ts";
import { Failure } from "../exit.ts";
import { choiceOf, countOf, durationMsOf, exitsOf, pairOf, priorityOf, sizeOfText } from "../input.ts";
import { plainName } from "../names.ts";
import { ASKED, type Asked, optionOf } from "../text/resources.ts";
import { bytesText, plural } from "../text/units.ts";
import { finish, submitted, timeoutOf } from "./submit.ts";

export interface RunOptions extends Readonly<Record<Asked, string>> {
  readonly count: string;
  readonly priority: string;
  readonly port?: readonly string[];
  readonly env?: readonly string[];
  readonly health?: string;
  readonly ready?: string;
  readonly lameDuck?: string;
  readonly restart?: string;
  readonly fatalExits?: string;
  readonly okExits?: string;
  readonly scheduler?: string;
  readonly dir?: string;
  readonly package?: readonly string[];
  readonly secret?: readonly string[];
  readonly image?: string;
  readonly wait?: boolean;
  readonly rm?: boolean;
  readonly timeout?: string;
}

/** RestartWhen of the wire. */
const RESTARTS = { "on-failure": 1, always: 2, never: 3 } as const;
const RESTART_WORDS = Object.keys(RESTARTS) as readonly (keyof typeof RESTARTS)[];
/** AppClass, Spread, SchedulingMode and Operator of the wire. */
const [LATENCY_SENSITIVE, BATCH, SOFT, INCREMENTAL, EQUAL] = [1, 2, 1, 1, 1] as const;

export async function run(context: Context, name: string, command: readonly string[], options: RunOptions): Promise<number> {
  if (command.length === 0 && options.image === undefined)
    throw new Failure("usage", "Cannot run nothing", `as in: borg run ${name} -- /bin/sh -c 'echo hi; sleep 60'`);
  const timeoutMs = timeoutOf(options);
  if (options.rm === true && options.wait !== true) throw new Failure("usage", "Cannot use --rm without --wait");
  const spec = { user: await context.user(), ...runSpec(name, command, options) };
  const isService = spec.restart.when === RESTARTS.always;
  if (options.rm === true && isService) throw new Failure("usage", "Cannot use --rm for a job that is always restarted: it never ends");
  const full = `${spec.user}/${name}`;
  const secrets = (options.secret ?? []).map((each) => ({ name: plainName(each, "a secret"), path: `${SECRETS_PLACE}/${each}` }));
  const task = { ...spec.task, ...(await packagesFor(context, name, options)), secrets };
  const changed = await change(context, `submit job ${full}`, (client, requestId) =>
    client.submitJob({ requestId, spec: { ...spec, task } }),
  );
  const done = submitted("job", full, changed, plural(spec.count, "task"), spec.count);
  if (options.wait === true && !isService) {
    if (!context.json && context.terminal.live) context.terminal.complain(`${done.sentence}\n`);
    const { waitForEnd } = await import("../wait-end.ts");
    return waitForEnd(context, full, { timeoutMs, stream: true, remove: options.rm ?? false, plain: done.plain });
  }
  if (!context.json) context.terminal.print(`${done.sentence}\n`);
  return finish(context, { done: [done], names: [full], wait: options.wait ?? false, timeoutMs });
}

/** What the task finds on its machine, and where it starts. */
async function packagesFor(context: Context, name: string, { dir, image, package: named = [] }: RunOptions) {
  if (dir === undefined && image === undefined && named.length === 0) return {};
  const [{ packageNamed }, { pushPackage, shortId }] = await Promise.all([import("./packages.ts"), import("../package-push.ts")]);
  const packages: { user: string; name: string; version: string; root?: boolean }[] = [];
  const texts = [...(image === undefined ? [] : [{ text: image, root: true }]), ...named.map((text) => ({ text, root: false }))];
  for (const { text, root } of texts) {
    const { user, name: called, digest } = await packageNamed(context, text);
    packages.push({ user, name: called, version: digest, root });
  }
  if (dir === undefined) return { packages };
  const { user, digest, bytes, files } = await pushPackage(context, { name, path: dir, shared: false });
  if (!context.json)
    context.terminal.complain(
      `Pushed ${dir} as ${user}/${name}@${shortId(digest)}: ${plural(files.entries, "file")}, ${bytesText(bytes)} compressed\n`,
    );
  return { packages: [...packages, { user, name, version: digest }], directory: packagePath({ name, path: "" }) };
}

/** Values of the enums are written as numbers, checked by a test: the generated code is only loaded with the transport. */
export function runSpec(name: string, command: readonly string[], options: RunOptions) {
  const priority = priorityOf("--priority", options.priority);
  // Always restarted, and served before batch work.
  const isService = isProd(priority);
  // Whoever waits for the end of a program wants its first end.
  const unsaid = isService ? "always" : options.wait === true ? "never" : "on-failure";
  const restart = choiceOf("--restart", options.restart ?? unsaid, RESTART_WORDS);
  const { fatalExits = "", okExits = "" } = options;
  const ports = (options.port ?? []).map((port) => plainName(port, "a port"));
  return {
    name: plainName(name, "a job"),
    priority,
    count: countOf("--count", options.count),
    // Not every machine can give a task another root.
    constraints: options.image === undefined ? [] : [{ attribute: IMAGES_ABLE.attribute, operator: EQUAL, values: [IMAGES_ABLE.value] }],
    task: {
      command: [...command],
      environment: (options.env ?? []).map((text) => pairOf("--env", text)).map(([key, value]) => ({ key, value })),
      limit: Object.fromEntries(
        ASKED.map((dimension) => [MEASURES[dimension].field, sizeOfText(dimension, optionOf(dimension), options[dimension])]),
      ),
      ports,
      ...(options.health === undefined ? {} : { health: checkOfText("--health", options.health, ports) }),
      ...(options.ready === undefined ? {} : { ready: checkOfText("--ready", options.ready, ports) }),
      lameDuckMs: options.lameDuck === undefined ? 0 : durationMsOf("--lame-duck", options.lameDuck),
    },
    appClass: isService ? LATENCY_SENSITIVE : BATCH,
    spread: SOFT,
    mode: INCREMENTAL,
    update: UPDATE_DEFAULTS,
    restart: { when: RESTARTS[restart], fatalExits: exitsOf("--fatal-exits", fatalExits), okExits: exitsOf("--ok-exits", okExits) },
    ...(options.scheduler === undefined ? {} : { scheduler: options.scheduler }),
  };
}
