/** `borg replica invite`, `ls` and `remove`: which machines hold masters of the cell. Its owner says so on one of them: no call of the API can. */
import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { CellFile, DataDirectory, Spread } from "../../daemon/data.ts";
import { EtcdKeys } from "../../daemon/etcd-keys.ts";
import { memberName } from "../../daemon/etcd-member.ts";
import { Keys } from "../../daemon/keys.ts";
import { etcdPeerUrl, etcdUrls, peerPort } from "../../daemon/replicas.ts";
import { Roster } from "../../daemon/roster.ts";
import { EtcdClient } from "../../store/etcd-client.ts";
import { type ClusterMember, EtcdCluster } from "../../store/etcd-cluster.ts";
import { EtcdRefusal } from "../../store/etcd-member-call.ts";
import { cellHere } from "../cell-here.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../exit.ts";
import { durationMsOf } from "../input.ts";
import { masterTicketText } from "../master-ticket.ts";
import { tableText } from "../text/table.ts";
import { durationText } from "../text/units.ts";
import { writeTicket } from "../who-proves.ts";

export interface MastersOptions {
  readonly data?: string;
}

export interface MasterInviteOptions extends MastersOptions {
  readonly ttl?: string;
  readonly out?: string;
}

const TTL_DEFAULT_MS = 3_600_000;
const TTL_MAX_MS = 7 * 86_400_000;
const TOKEN_BYTES = 32;
const PATIENCE_MS = 5000;

interface Here {
  readonly data: DataDirectory;
  readonly cell: CellFile & { readonly spread: Spread };
  readonly roster: Roster;
  readonly cluster: EtcdCluster;
  readonly close: () => void;
}

/** Only its hash is kept, in etcd; the first who shows the token takes it away. */
export async function masterInvite(context: Context, options: MasterInviteOptions): Promise<number> {
  const { terminal } = context;
  const ttlMs = options.ttl === undefined ? TTL_DEFAULT_MS : durationMsOf("--ttl", options.ttl);
  if (ttlMs <= 0 || ttlMs > TTL_MAX_MS) throw new Failure("usage", `Cannot make a ticket that is good for ${options.ttl}`, "at most 7d");
  const file = options.out === undefined ? undefined : resolve(terminal.cwd, options.out);
  return at(context, options, async ({ data, cell, roster }) => {
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    const hosts = [cell.host, ...cell.spread.masters.map(({ host }) => host).filter((host) => host !== cell.host)];
    const authorities = new Keys(data, cell.cell).authorities();
    const ticket = masterTicketText({ cell: cell.cell, hosts, port: peerPort(cell), authorities, token });
    if (file !== undefined) writeTicket(file, ticket);
    const hash = createHash("sha256").update(token).digest("hex");
    const invited = await roster.invite(hash, terminal.now() + ttlMs, terminal.now()).catch((error: unknown) => {
      if (file !== undefined) rmSync(file, { force: true });
      throw error;
    });
    if (!invited.ok) throw new Failure("refused", invited.reason);
    const sentence = `One machine may join cell ${cell.cell} as a master within ${durationText(ttlMs)}; whoever uses the ticket gets the cell's keys`;
    if (file !== undefined) context.tell(`${sentence}. It is in ${file}, for borg join`, { cell: cell.cell, ttlMs, file });
    else if (context.json) context.printJson({ cell: cell.cell, ttlMs, ticket });
    else {
      terminal.complain(`${sentence}. It is shown only now:\n`);
      terminal.print(`${ticket}\n`);
    }
    return EXIT.done;
  });
}

export function masterLs(context: Context, options: MastersOptions): Promise<number> {
  return at(context, options, async ({ cell, roster, cluster }) => {
    const [{ masters, leader }, members] = await Promise.all([roster.read(), cluster.list()]);
    const rows = masters.map(({ replica, host, key }) => {
      const member = members.find((each) => isMemberOf(cell, each, replica, host));
      return { replica, address: host, leads: replica === leader, membership: stateOf(member), key };
    });
    if (context.json) {
      context.printJson(rows);
      return EXIT.done;
    }
    context.terminal.print(
      tableText(
        [
          { title: "MASTER", value: ({ replica }) => String(replica) },
          { title: "ADDRESS", value: ({ address }) => address, whole: true },
          { title: "ROLE", value: ({ leads }) => (leads ? "leads" : "stands by") },
          { title: "ETCD", value: ({ membership }) => membership },
          { title: "KEY", value: ({ key }) => key.slice(0, 16) },
        ],
        rows,
        context.terminal,
      ),
    );
    return EXIT.done;
  });
}

/** Its member of etcd first: while that is refused nothing has changed. From then on no master speaks to it, whatever certificate it shows. */
export function masterRemove(context: Context, text: string, options: MastersOptions): Promise<number> {
  return at(context, options, async ({ cell, roster, cluster }) => {
    const replica = Number(text);
    const { masters } = await roster.read();
    const seat = masters.find((each) => each.replica === replica);
    if (seat === undefined)
      throw new Failure(
        "notFound",
        `Cell "${cell.cell}" has no master "${text}"`,
        `it has ${masters.map((each) => each.replica).join(", ")}: borg replica ls`,
      );
    if (masters.length === 1)
      throw new Failure(
        "refused",
        `Master ${replica} is the only one of cell "${cell.cell}"`,
        "stop the cell with borg down, or let another machine join first",
      );
    const member = (await cluster.list()).find((each) => isMemberOf(cell, each, replica, seat.host));
    if (member !== undefined)
      await cluster.remove(member.id).catch((error: unknown) => {
        if (!(error instanceof EtcdRefusal)) throw error;
        throw new Failure(
          "refused",
          `etcd does not let member ${replica} go: ${error.message}`,
          "a majority of the others must be there: borg status",
          {
            cause: error,
          },
        );
      });
    await roster.remove(replica);
    context.tell(
      `Master ${replica} at ${seat.host} is out of cell ${cell.cell}, and nothing that it shows is believed any more. Its machine: borg down, and remove its directory, which holds the cell's keys`,
      { cell: cell.cell, replica, address: seat.host },
    );
    return EXIT.done;
  });
}

/** One that was never started has no name. */
const isMemberOf = (cell: CellFile, { name, peerUrls }: ClusterMember, replica: number, host: string): boolean =>
  name === memberName(replica) || peerUrls.includes(etcdPeerUrl(cell, replica, host));

function stateOf(member: ClusterMember | undefined): string {
  if (member === undefined) return "no member";
  if (member.name === "") return "never started";
  return member.isLearner ? "catches up" : "votes";
}

/** In the directory of a cell on several machines. */
async function at(context: Context, options: MastersOptions, act: (here: Here) => Promise<number>): Promise<number> {
  const here = hereAt(context, options);
  try {
    return await act(here);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("unreachable", (error as Error).message, "a majority of the cell's masters must be up: borg status", {
      cause: error,
    });
  } finally {
    here.close();
  }
}

function hereAt(context: Context, options: MastersOptions): Here {
  const { data, cell } = cellHere(context, options.data);
  const { spread } = cell;
  if (spread === undefined)
    throw new Failure(
      "usage",
      `Cell "${cell.cell}" is on one machine`,
      "a cell on several is made with borg init --cell NAME --address IP",
    );
  const tls = new EtcdKeys(data).client();
  const etcd = new EtcdClient({ urls: etcdUrls(cell), tls, deadlineMs: PATIENCE_MS });
  const roster = new Roster(etcd, cell.cell);
  const cluster = new EtcdCluster(etcdUrls(cell), tls);
  return { data, cell: { ...cell, spread }, roster, cluster, close: () => etcd.close() };
}
