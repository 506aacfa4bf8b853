/** How the replicas of a cell of this machine and the members of its etcd are, asked of each of them: for people, benches and tests. It changes nothing. */
import { connect } from "node:tls";
import { connectCell } from "../rpc/client.ts";
import { decodeHead, type Head, Keys } from "../store/etcd/keys.ts";
import type { Answer, Question } from "../store/etcd/port.ts";
import { QUOTA_BYTES } from "../store/etcd/space.ts";
import { EtcdClient, type EtcdTls } from "../store/etcd-client.ts";
import type { MasterView } from "../wire/gen/borg/v1/api_pb.ts";
import type { CellFile, DataDirectory } from "./data.ts";
import { EtcdKeys } from "./etcd-keys.ts";
import { etcdUrl, etcdUrls, replicaSocket, replicasOf } from "./replicas.ts";

const ANSWER_MS = 3000;

export interface ReplicaStatus {
  readonly replica: number;
  /** Undefined: it does not answer, and `problem` says why. */
  readonly view: MasterView | undefined;
  readonly problem: string;
}

export interface MemberStatus {
  readonly member: number;
  readonly url: string;
  readonly answers: boolean;
  readonly isLeader: boolean;
  readonly usedBytes: number;
  readonly quotaBytes: number;
  readonly isFull: boolean;
  readonly problem: string;
}

export interface ReplicasStatus {
  readonly replicas: readonly ReplicaStatus[];
  readonly members: readonly MemberStatus[];
  /** The newest term and the last position; undefined: most members are away, and nothing can be changed. */
  readonly head: Head | undefined;
}

export async function replicasStatus(data: DataDirectory, cell: CellFile): Promise<ReplicasStatus> {
  const [replicas, members, head] = await Promise.all([
    Promise.all(replicasOf(cell).map((replica) => replicaStatus(data, replica))),
    Promise.all(replicasOf(cell).map((member) => memberStatus(data, cell, member))),
    headOf(data, cell),
  ]);
  return { replicas, members, head };
}

export async function replicaStatus(data: DataDirectory, replica: number): Promise<ReplicaStatus> {
  const client = connectCell({ at: { kind: "unix", path: replicaSocket(data.replicas, replica, "api") }, timeoutMs: ANSWER_MS });
  try {
    return { replica, view: await client.getMaster({}), problem: "" };
  } catch (error) {
    return { replica, view: undefined, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    client.close();
  }
}

export async function memberStatus(data: DataDirectory, cell: CellFile, member: number): Promise<MemberStatus> {
  const url = etcdUrl(cell, member);
  const answer = await askEtcd(data, url, { type: "status" });
  const empty = { isLeader: false, usedBytes: 0, quotaBytes: QUOTA_BYTES, isFull: false };
  if (answer.type !== "status")
    return { member, url, answers: false, ...empty, problem: answer.type === "failed" ? answer.reason : `It answered "${answer.type}"` };
  const { isLeader = false, usedBytes, quotaBytes, isFull } = answer;
  return { member, url, answers: true, isLeader, usedBytes, quotaBytes: quotaBytes || QUOTA_BYTES, isFull, problem: "" };
}

/** A linearizable read: it is answered only while most members are there. */
export async function headOf(data: DataDirectory, cell: CellFile): Promise<Head | undefined> {
  const get = { type: "get", key: new Keys(cell.cell).head } as const;
  const answers = etcdUrls(cell).map((url) => askEtcd(data, url, { type: "txn", guards: [], ops: [get], otherwise: [] }));
  const heads = answers.map(async (asked) => {
    const answer = await asked;
    const head = answer.type === "txn" ? decodeHead(answer.found[0]?.[0]) : undefined;
    if (!head?.ok) throw new Error("This member cannot say");
    return head.value;
  });
  return Promise.any(heads).catch(() => undefined);
}

/** One that hangs is found out here: a gRPC connection that is being made cannot be ended, and would keep this process for minutes. */
function shakesHands(url: string, { authority, certificate, key }: EtcdTls): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), ca: authority, cert: certificate, key, ALPNProtocols: ["h2"] });
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once("secureConnect", () => end(true)).on("error", () => end(false));
    socket.setTimeout(ANSWER_MS, () => end(false));
  });
}

async function askEtcd(data: DataDirectory, url: string, question: Question): Promise<Answer> {
  const tls = new EtcdKeys(data).client();
  if (!(await shakesHands(url, tls))) return { type: "failed", outcome: "never", reason: "It does not answer" };
  const client = new EtcdClient({ urls: [url], tls, deadlineMs: ANSWER_MS });
  return new Promise((resolve) => {
    client.ask(question, (answer) => {
      client.close();
      resolve(answer);
    });
  });
}
