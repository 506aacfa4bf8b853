/** `borg status`: who leads, how far the others are behind, and how their etcd is, in one screen. */
import { join } from "node:path";
import { DataDirectory } from "../../daemon/data.ts";
import { CLOCK_MS_MAX, readClocks } from "../../daemon/peer/clocks.ts";
import type { MemberStatus, ReplicaStatus, ReplicasStatus } from "../../daemon/replica-status.ts";
import { spaceOf } from "../../store/etcd/space.ts";
import type { MasterView } from "../../wire/gen/borg/v1/api_pb.ts";
import { whereIs } from "../config.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit.ts";
import { safeLine } from "../text/safe.ts";
import { fieldsText, tableText } from "../text/table.ts";
import { bytesText, durationText } from "../text/units.ts";

/** Who follows counts as behind from so many entries on: the newest are on their way. */
const BEHIND = 10;

export async function status(context: Context): Promise<number> {
  const { at, data: path } = context.cell();
  const data = path === undefined ? undefined : new DataDirectory(path);
  const cell = data?.readCell();
  if (data === undefined || cell?.replicas === undefined) return alone(context);
  const { replicasStatus } = await import("../../daemon/replica-status.ts");
  const found = await replicasStatus(data, cell);
  const { self } = cell.spread ?? {};
  const clocks = self === undefined ? undefined : { ...readClocks(join(data.replicas, String(self)))?.aheadMs, [self]: 0 };
  const words = `${verdictOf(found)}${clockWords(clocks)}`;
  if (context.json) context.printJson(plainOf(cell.cell, found, words, clocks));
  else {
    const { terminal } = context;
    terminal.print(
      fieldsText([
        ["cell", `${cell.cell} at ${whereIs(at)}`],
        ["state", words],
        ["journal", journalWords(found)],
      ]),
    );
    terminal.print(`\n${replicaTable(found, context, clocks)}\n${memberTable(found.members, context)}`);
  }
  return leaderOf(found) === undefined ? EXIT.unreachable : EXIT.done;
}

/** One master with its journal in files, or a cell of which only its address is known here. */
async function alone(context: Context): Promise<number> {
  const master = await context.ask((client) => client.getMaster({}));
  const { role, term, position, pid, upMs, rssBytes } = master;
  const url = whereIs(context.cell().at);
  if (context.json)
    context.printJson({
      cell: (await context.ask((client) => client.getCell({}))).name,
      state: role,
      term,
      position,
      replicas: [],
      etcd: [],
    });
  else {
    const words = `${safeLine(role)} in term ${term}, pid ${pid}, up ${durationText(upMs)}, ${bytesText(rssBytes)} of memory`;
    const polls = pollsText(master);
    context.terminal.print(
      fieldsText([
        ["cell", url],
        ["master", words],
        ["journal", `position ${position}`],
        ["machines", `${master.links} linked${polls === "" ? "" : `, polled every ${polls}`}`],
      ]),
    );
  }
  return EXIT.done;
}

const leaderOf = ({ replicas }: ReplicasStatus): ReplicaStatus | undefined => replicas.find(({ view }) => view?.role === "leading");
const suspendedOf = ({ replicas }: ReplicasStatus): ReplicaStatus | undefined => replicas.find(({ view }) => view?.role === "suspended");

export function verdictOf(found: ReplicasStatus): string {
  const { replicas, members, head } = found;
  const leader = leaderOf(found);
  const [down, away] = [replicas.filter(({ view }) => view === undefined), members.filter(({ answers }) => !answers)];
  const suspended = suspendedOf(found);
  const who = suspended === undefined ? "" : `replica ${suspended.replica} is suspended, `;
  if (head === undefined)
    return `${who}nothing can be changed: ${away.length} of ${members.length} members of etcd do not answer; tasks go on`;
  if (leader === undefined && suspended !== undefined) return `${who}because it does not reach etcd; tasks go on`;
  if (leader === undefined) return "nobody leads yet: a replica is being elected";
  const problems = [
    ...(down.length === 0 ? [] : [`replica ${down.map(({ replica }) => replica).join(", ")} does not answer`]),
    ...(away.length === 0 ? [] : [`member ${away.map(({ member }) => member).join(", ")} of etcd does not answer`]),
    ...spaceProblems(members),
  ];
  return `replica ${leader.replica} leads${problems.length === 0 ? ", all are there" : `; ${problems.join("; ")}`}`;
}

function spaceProblems(members: readonly MemberStatus[]): readonly string[] {
  if (members.some(({ isFull }) => isFull)) return ["etcd is full and refuses every change: borg etcd defragment"];
  const levels = members.filter(({ answers }) => answers).map((member) => spaceOf(member).level);
  if (levels.includes("full")) return ["etcd is nearly full: no jobs are taken until entries are trimmed"];
  return levels.includes("alarm") ? ["etcd is half full: entries are not trimmed"] : [];
}

const journalWords = ({ head }: ReplicasStatus): string =>
  head === undefined ? "unknown" : `term ${head.term}, position ${head.position}`;

/** How long a machine waits for its next poll: the median, and who waits longest. */
const pollsText = ({ links, pollMsMedian, pollMsMax }: MasterView): string =>
  links === 0 || pollMsMax === 0 ? "" : `${(pollMsMedian / 1000).toFixed(1)}s (longest ${(pollMsMax / 1000).toFixed(1)}s)`;

/** Entries that it has not applied; undefined: nobody can tell. */
const behindOf = ({ view }: ReplicaStatus, { head }: ReplicasStatus): number | undefined =>
  view === undefined || head === undefined ? undefined : Math.max(0, head.position - view.position);

function replicaTable(found: ReplicasStatus, context: Context, clocks: Clocks | undefined): string {
  const behind = (each: ReplicaStatus): string => {
    const count = behindOf(each, found);
    return count === undefined ? "" : count < BEHIND ? "current" : `${count} entries`;
  };
  return tableText(
    [
      { title: "REPLICA", value: ({ replica }) => String(replica) },
      { title: "ROLE", value: ({ view }) => (view === undefined ? "does not answer" : safeLine(view.role)) },
      { title: "TERM", value: ({ view }) => (view === undefined ? "" : String(view.term)), side: "right" },
      { title: "POSITION", value: ({ view }) => (view === undefined ? "" : String(view.position)), side: "right" },
      { title: "BEHIND", value: behind },
      { title: "LINKS", value: ({ view }) => (view === undefined ? "" : String(view.links)), side: "right" },
      { title: "POLLS", value: ({ view }) => (view === undefined ? "" : pollsText(view)) },
      { title: "PID", value: ({ view }) => (view === undefined ? "" : String(view.pid)), side: "right" },
      { title: "UP", value: ({ view }) => (view === undefined ? "" : durationText(view.upMs)) },
      { title: "RAM", value: ({ view }) => (view === undefined ? "" : bytesText(view.rssBytes)), side: "right" },
      ...(clocks === undefined
        ? []
        : [{ title: "CLOCK", value: ({ replica }: ReplicaStatus) => aheadText(clocks[replica]), side: "right" as const }]),
    ],
    found.replicas,
    context.terminal,
  );
}

const memberTable = (members: readonly MemberStatus[], context: Context): string =>
  tableText(
    [
      { title: "ETCD", value: ({ member }) => String(member) },
      { title: "STATE", value: stateOf },
      { title: "DATA", value: ({ answers, usedBytes }) => (answers ? bytesText(usedBytes) : ""), side: "right" },
      {
        title: "OF QUOTA",
        value: ({ answers, usedBytes, quotaBytes }) => (answers ? `${percent(usedBytes, quotaBytes)} %` : ""),
        side: "right",
      },
      { title: "URL", value: ({ url }) => url },
    ],
    members,
    context.terminal,
  );

function stateOf({ answers, isLeader, isFull }: MemberStatus): string {
  if (!answers) return "does not answer";
  return isFull ? "full" : isLeader ? "leads" : "follows";
}

const percent = (part: number, whole: number): number => Math.round((100 * part) / whole);

/** By replica: how far its clock is ahead of this machine's, in milliseconds. */
type Clocks = Readonly<Record<number, number>>;

const aheadText = (ahead: number | undefined): string =>
  ahead === undefined ? "unknown" : `${ahead < 0 ? "-" : "+"}${(Math.abs(ahead) / 1000).toFixed(1)}s`;

function clockWords(clocks: Clocks | undefined): string {
  const wrong = Object.entries(clocks ?? {}).filter(([, ahead]) => Math.abs(ahead) > CLOCK_MS_MAX);
  const words = wrong.map(([replica, ahead]) => `the clock of replica ${replica} is ${aheadText(ahead)} from this machine's`);
  return words.length === 0 ? "" : `; ${words.join("; ")}: one that most differ from does not stand for election`;
}

function plainOf(cell: string, found: ReplicasStatus, state: string, clocks: Clocks | undefined): object {
  return {
    cell,
    state,
    term: found.head?.term ?? null,
    position: found.head?.position ?? null,
    replicas: found.replicas.map((each) => ({
      replica: each.replica,
      role: each.view?.role ?? null,
      term: each.view?.term ?? null,
      position: each.view?.position ?? null,
      behind: behindOf(each, found) ?? null,
      links: each.view?.links ?? null,
      pollMsMedian: each.view?.pollMsMedian ?? null,
      pollMsMax: each.view?.pollMsMax ?? null,
      pid: each.view?.pid ?? null,
      upMs: each.view?.upMs ?? null,
      problem: each.problem,
      clockAheadMs: clocks?.[each.replica] ?? null,
    })),
    etcd: found.members.map(({ member, url, answers, isLeader, usedBytes, quotaBytes, isFull, problem }) => ({
      ...{ member, url, answers, leads: isLeader, usedBytes, quotaBytes, full: isFull, problem },
    })),
  };
}
