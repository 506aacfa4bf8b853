/** `borg package push`, `ls` and `rm`: programs that people bring along. */
import type { PackageView } from "../../wire/gen/borg/v1/api_pb.ts";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { plainName } from "../names.ts";
import { type Pushed, pushPackage, shortId } from "../package-push.ts";
import { confirmed, each, type LabelOptions, labelsSaid, type ManyOptions, nameOr, selectorOf, type Told, whose } from "../selection.ts";
import { bytesText, plural } from "../text/units.ts";

export interface PushOptions extends LabelOptions {
  readonly shared?: boolean;
  readonly oci?: boolean;
}

export async function packagePush(
  context: Context,
  name: string,
  path: string,
  { shared = false, oci = false, ...options }: PushOptions,
): Promise<number> {
  const labels = labelsSaid(options);
  const pushed = await pushPackage(context, {
    name: plainName(name, "a package"),
    path,
    shared,
    oci,
    ...(labels === undefined ? {} : { labels }),
  });
  const { user, digest, bytes, files, converted, already, position } = pushed;
  const called = `${user}/${name}@${digest}`;
  const what = `${plural(files.entries, "file")}, ${bytesText(bytes)} compressed`;
  if (!context.json && converted !== undefined) for (const line of imageLines(converted)) context.terminal.complain(`${line}\n`);
  context.tell(already ? `Package ${called} was there already` : `Pushed ${called} (${what})`, {
    package: called,
    user,
    name,
    digest,
    bytes,
    fileCount: files.entries,
    fileBytes: files.bytes,
    shared,
    image: converted === undefined ? null : imagePlain(converted),
    already,
    position,
  });
  return EXIT.done;
}

type Described = NonNullable<Pushed["converted"]>;

function imageLines({ image, notes }: Described): string[] {
  const { entrypoint, command, directory } = image.config;
  const words = [...entrypoint, ...command];
  const runs =
    words.length === 0 ? "names no command: a job gives one" : `runs ${JSON.stringify(words)}${directory === "" ? "" : ` in ${directory}`}`;
  return [`The image ${runs}`, ...notes];
}

function imagePlain({ image, notes }: Described) {
  const { architecture, entrypoint, command, directory, user } = image.config;
  return { architecture, entrypoint, command, directory, user, layers: image.layers.length, notes };
}

export async function packageRm(context: Context, named: string | undefined, options: ManyOptions): Promise<number> {
  const text = nameOr(named, options);
  if (text === undefined) return removeMany(context, await packagesSelected(context, options), options);
  const found = await onePackage(context, text);
  if (options.dryRun === true) return removeMany(context, [found], options);
  const { sentence, plain } = await removeOne(context, found);
  context.tell(sentence, plain);
  return EXIT.done;
}

/** At least one. */
async function packagesSelected(context: Context, options: ManyOptions): Promise<readonly PackageView[]> {
  const [user, selector] = [await whose(context, options), selectorOf(options)];
  const { packages } = await context.ask((client) => client.listPackages({ user, selector }));
  if (packages.length > 0) return packages;
  const of = user === "" ? "" : ` of ${user}`;
  throw new Failure("notFound", `There is no package${of} with ${selector}`, "borg package ls shows the labels of each");
}

async function removeMany(context: Context, packages: readonly PackageView[], options: ManyOptions): Promise<number> {
  const items = packages.map(({ user: owner, name, digest }) => ({
    line: `${owner}/${name}@${shortId(digest)}`,
    plain: { package: `${owner}/${name}@${digest}`, user: owner, name, digest, position: null },
  }));
  if (!(await confirmed(context, { verb: "remove", total: plural(packages.length, "package"), items }, options))) return EXIT.done;
  return each(context, packages, (one) => removeOne(context, one));
}

async function removeOne(context: Context, { user, name, digest }: PackageView): Promise<Told> {
  const { position } = await change(context, `remove package ${user}/${name}`, (client, requestId) =>
    client.removePackage({ requestId, user, name, digest }),
  );
  const plain = { package: `${user}/${name}@${digest}`, user, name, digest, position };
  return { sentence: `Removed package ${user}/${name}@${shortId(digest)}`, plain };
}

const TEXT = /^(?:([a-z0-9][-a-z0-9]*)\/)?([a-z0-9][-a-z0-9]*)(?:@(?:sha256:)?([0-9a-f]{4,64}))?$/;

/** As people type them: `web`, `ann/web`, `web@0123abcd`. Without a hash it is the newest. */
export async function packageNamed(context: Context, text: string): Promise<PackageView> {
  return (await packagesNamed(context, text))[0]!;
}

/** The same, but it must be clear which one is meant. */
async function onePackage(context: Context, text: string): Promise<PackageView> {
  const found = await packagesNamed(context, text);
  if (found.length === 1) return found[0]!;
  const ids = found.map(({ digest }) => shortId(digest)).join(", ");
  throw new Failure("usage", `Cannot tell which of ${found.length} packages "${text}" is`, `name its hash, one of: ${ids}`);
}

/** The newest first, never none. */
async function packagesNamed(context: Context, text: string): Promise<readonly PackageView[]> {
  const [, owner, name, hash = ""] = TEXT.exec(text) ?? [];
  if (name === undefined) throw new Failure("usage", `Cannot understand "${text}" as a package`, "as in web, ann/web or web@0123abcd");
  const user = owner ?? (await context.user());
  const { packages } = await context.ask((client) => client.listPackages({ user }));
  const found = packages.filter((each) => each.name === name && each.digest.startsWith(hash));
  if (found.length === 0)
    throw new Failure(
      "notFound",
      `There is no package "${user}/${name}${hash === "" ? "" : `@${hash}`}"`,
      "borg package ls --all shows those that you may use",
    );
  return [...found].sort((a, b) => b.createdMs - a.createdMs);
}
