/** Frameworks (Mesos) and their roles: `borg ls frameworks`, `borg role ls`, `borg role set`, and what `borg show` says of one. */
import { MEASURES } from "../../base/dimension.ts";
import type { FrameworkView, RoleView } from "../../wire/gen/borg/v1/api_pb.ts";
import { change } from "../change.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { countOf, sizeOfText } from "../input.ts";
import { plainName } from "../names.ts";
import { BOUND, optionOf, sizeOf, sizeWords, toldOf } from "../text/resources.ts";
import { safeLine } from "../text/safe.ts";
import { type Column, fieldsText, tableText } from "../text/table.ts";
import { agoText, durationText, iso, plural } from "../text/units.ts";
import { resourcesPlain } from "../text/views.ts";
import { BAND_WORDS, wordOf } from "../text/words.ts";

const MILLIONTHS = 1e6;
const WEIGHT_MAX = 10_000;

export function frameworkPlain(view: FrameworkView): Readonly<Record<string, unknown>> {
  const { name, id, state, spec, starting, running, stopping, unacknowledged } = view;
  return {
    ...{ name, id, state, role: spec?.role ?? "*", priority: spec?.priority ?? 0, band: wordOf(BAND_WORDS, view.band) },
    ...{ title: spec?.title ?? "", principal: spec?.principal ?? "", schedulerHost: spec?.hostname ?? "", webui: spec?.webuiUrl ?? "" },
    ...{ failoverMs: spec?.failoverMs ?? 0, partitionAware: spec?.partitionAware ?? false },
    ...{ subscribed: iso(view.sessionMs), disconnected: iso(view.disconnectedMs) },
    ...{ starting, running, stopping, unacknowledged, used: resourcesPlain(view.used) },
    ...{ openOffers: view.offers, offered: resourcesPlain(view.offered), share: view.share / MILLIONTHS },
  };
}

const shareText = (share: number): string => `${((100 * share) / MILLIONTHS).toFixed(1)}%`;

const columns = (nowMs: number): readonly Column<FrameworkView>[] => [
  { title: "FRAMEWORK", value: ({ name }) => name, whole: true },
  { title: "ROLE", value: ({ spec }) => safeLine(spec?.role ?? "*") },
  { title: "STATE", value: ({ state }) => state },
  { title: "PRIORITY", value: ({ spec }) => String(spec?.priority ?? 0), side: "right" },
  { title: "RUNNING", value: ({ running }) => String(running), side: "right" },
  { title: "UNACKED", value: ({ unacknowledged }) => String(unacknowledged), side: "right" },
  { title: "OFFERS", value: ({ offers }) => String(offers), side: "right" },
  { title: "SHARE", value: ({ share }) => shareText(share), side: "right" },
  { title: "LED FOR", value: ({ sessionMs }) => agoText(sessionMs, nowMs), side: "right" },
];

export interface FrameworksMeant {
  /** Empty for everyone's. */
  readonly user: string;
  /** Users with such labels; undefined: nobody asked. */
  readonly meant: ReadonlySet<string> | undefined;
  readonly dead: boolean;
}

export async function lsFrameworks(context: Context, { user, meant, dead }: FrameworksMeant): Promise<number> {
  const rows: FrameworkView[] = [];
  for (let after = ""; ; ) {
    const page = await context.ask((client) => client.listFrameworks({ user, dead, after }));
    rows.push(...page.frameworks.filter(({ name }) => meant === undefined || meant.has(name.slice(0, name.indexOf("/")))));
    if (!page.more) break;
    after = page.frameworks.at(-1)?.name ?? "";
  }
  const { terminal } = context;
  if (context.json) context.printJson(rows.map(frameworkPlain));
  else if (rows.length === 0) terminal.complain(`No frameworks${user === "" ? "" : ` of ${user}; --all shows everyone's`}\n`);
  else terminal.print(tableText(columns(terminal.now()), rows, terminal));
  return EXIT.done;
}

/** What `borg show` says above the tasks. */
export function frameworkText(view: FrameworkView, nowMs: number): string {
  const { spec } = view;
  const gone = view.disconnectedMs === 0 ? "" : `, without a scheduler for ${agoText(view.disconnectedMs, nowMs)}`;
  return fieldsText([
    ["framework", safeLine(view.name)],
    ["id", safeLine(view.id)],
    ["state", `${safeLine(view.state)}${gone}`],
    ["calls itself", safeLine(spec?.title ?? "")],
    ["role", safeLine(spec?.role ?? "*")],
    ["priority", `${spec?.priority ?? 0} (${wordOf(BAND_WORDS, view.band)})`],
    ["share", `${shareText(view.share)} of the cell: ${amountWords(view.used)}`],
    [
      "scheduler",
      [spec?.hostname ?? "", spec?.webuiUrl ?? ""]
        .filter((part) => part !== "")
        .map(safeLine)
        .join(", "),
    ],
    ["principal", safeLine(spec?.principal ?? "")],
    ["without a scheduler", `torn down after ${durationText(spec?.failoverMs ?? 0)}`],
    ["offered", view.offers === 0 ? "" : `${amountWords(view.offered)}, in ${plural(view.offers, "offer")} that it has not answered`],
    ["not acknowledged", view.unacknowledged === 0 ? "" : `the end of ${view.unacknowledged} tasks`],
  ]);
}

function amountWords(found: FrameworkView["used"]): string {
  const words = found === undefined ? [] : toldOf(found).map((dimension) => sizeWords(dimension, sizeOf(found, dimension)));
  return words.length === 0 ? "nothing" : words.join(", ");
}

function rolePlain({ role, frameworks, used, share }: RoleView): Readonly<Record<string, unknown>> {
  const { name = "", weight = 1, users = [] } = role ?? {};
  const guarantee = resourcesPlain(role?.guarantee);
  return { role: name, weight, guarantee, users, frameworkCount: frameworks, used: resourcesPlain(used), share: share / MILLIONTHS };
}

const ROLE_COLUMNS: readonly Column<RoleView>[] = [
  { title: "ROLE", value: ({ role }) => safeLine(role?.name ?? ""), whole: true },
  { title: "WEIGHT", value: ({ role }) => String(role?.weight ?? 1), side: "right" },
  { title: "FRAMEWORKS", value: ({ frameworks }) => String(frameworks), side: "right" },
  { title: "SHARE", value: ({ share }) => shareText(share), side: "right" },
  { title: "GUARANTEE", value: ({ role }) => (role?.guarantee === undefined ? "-" : amountWords(role.guarantee)) },
  { title: "USERS", value: ({ role }) => ((role?.users.length ?? 0) === 0 ? "everybody" : (role?.users ?? []).join(", ")) },
];

export async function lsRoles(context: Context): Promise<number> {
  const { roles } = await context.ask((client) => client.listRoles({}));
  const { terminal } = context;
  if (context.json) context.printJson(roles.map(rolePlain));
  else if (roles.length === 0) terminal.complain("No roles: none was set, and there are no frameworks\n");
  else terminal.print(tableText(ROLE_COLUMNS, roles, terminal));
  return EXIT.done;
}

export interface RoleOptions extends Readonly<Partial<Record<(typeof BOUND)[number], string>>> {
  readonly weight?: string;
  readonly user?: readonly string[];
}

/** The whole role: what is not named is as everybody's. */
export async function roleSet(context: Context, name: string, options: RoleOptions): Promise<number> {
  const weight = options.weight === undefined ? 1 : countOf("--weight", options.weight, WEIGHT_MAX);
  const users = [...(options.user ?? [])].map((user) => plainName(user, "a user"));
  const named = BOUND.filter((dimension) => options[dimension] !== undefined);
  const amounts = named.map((dimension) => [
    MEASURES[dimension].field,
    sizeOfText(dimension, optionOf(dimension), options[dimension] ?? "0"),
  ]);
  const guarantee = Object.fromEntries(amounts) as Record<string, number>;
  const role = { name, weight, users, ...(named.length === 0 ? {} : { guarantee }) };
  const { position } = await change(context, `set role ${name}`, (client, requestId) => client.setRole({ requestId, role }));
  const whose = users.length === 0 ? "everybody" : users.join(", ");
  const kept = named.length === 0 ? "no guarantee" : `${named.map((d) => sizeWords(d, sizeOf(guarantee, d))).join(", ")} guaranteed`;
  context.tell(`Role ${safeLine(name)} has weight ${weight} and ${kept}, for ${whose}`, {
    ...{ role: name, weight, guarantee: resourcesPlain(guarantee), users, position },
  });
  return EXIT.done;
}
