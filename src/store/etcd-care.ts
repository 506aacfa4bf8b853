/**
 * Gives back the room that an etcd no longer needs: old revisions are forgotten, each member writes its file anew without the holes, those that follow first, and the alarm that
 * refuses every put is ended. A member answers nobody while it writes, so one at a time.
 */
import { decodeEtcd, encodeEtcd } from "../wire/etcd.ts";
import {
  AlarmRequest_AlarmAction,
  AlarmRequestSchema,
  AlarmResponseSchema,
  AlarmType,
  CompactionRequestSchema,
  DefragmentRequestSchema,
  StatusRequestSchema,
  type StatusResponse,
  StatusResponseSchema,
} from "../wire/gen/etcd/rpc_pb.ts";
import type { EtcdTls } from "./etcd-client.ts";
import { askMember, EtcdRefusal } from "./etcd-member-call.ts";

const DEADLINE_MS = 5000;
/** Two GiB are written in some seconds; a slow disk takes its time. */
const DEFRAGMENT_MS = 300_000;

export interface GivenBack {
  readonly url: string;
  /** Of the file. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export interface CareResult {
  readonly members: readonly GivenBack[];
  /** How many alarms for lack of room were ended. */
  readonly alarms: number;
}

/** `say`: before a member is begun. All members must answer, or one that is away would come back as it was, and raise the alarm again. */
export async function giveBackRoom(urls: readonly string[], tls: EtcdTls | undefined, say: (url: string) => void): Promise<CareResult> {
  const ask = (url: string, method: string, request: Uint8Array, deadlineMs = DEADLINE_MS): Promise<Uint8Array> =>
    askMember({ url, tls, deadlineMs }, method, request);
  const status = async (url: string): Promise<StatusResponse> =>
    decodeEtcd(StatusResponseSchema, await ask(url, "Maintenance/Status", encodeEtcd(StatusRequestSchema, {})));
  const found = await Promise.all(urls.map(async (url) => ({ url, ...(await status(url)) })));
  const leads = ({ leader, header }: StatusResponse): number => Number(leader === header?.memberId);
  const inTurn = [...found].sort((a, b) => leads(a) - leads(b));
  const [first] = inTurn;
  if (first === undefined) return { members: [], alarms: 0 };
  await compact((request) => ask(first.url, "KV/Compact", request, DEFRAGMENT_MS), first.header?.revision ?? 0n);
  const members: GivenBack[] = [];
  for (const { url, dbSize } of inTurn) {
    say(url);
    await ask(url, "Maintenance/Defragment", encodeEtcd(DefragmentRequestSchema, {}), DEFRAGMENT_MS);
    members.push({ url, bytesBefore: Number(dbSize), bytesAfter: Number((await status(url)).dbSize) });
  }
  return { members, alarms: await endAlarms((request) => ask(first.url, "Maintenance/Alarm", request)) };
}

type Ask = (request: Uint8Array) => Promise<Uint8Array>;

/** The cell compacts by itself every now and then, so this revision may be forgotten already. */
async function compact(ask: Ask, revision: bigint): Promise<void> {
  try {
    await ask(encodeEtcd(CompactionRequestSchema, { revision, physical: true }));
  } catch (error) {
    if (!(error instanceof EtcdRefusal) || !error.message.includes("compacted")) throw error;
  }
}

async function endAlarms(ask: Ask): Promise<number> {
  const raised = decodeEtcd(
    AlarmResponseSchema,
    await ask(encodeEtcd(AlarmRequestSchema, { action: AlarmRequest_AlarmAction.GET })),
  ).alarms;
  const full = raised.filter(({ alarm }) => alarm === AlarmType.NOSPACE);
  for (const { memberID } of full)
    await ask(encodeEtcd(AlarmRequestSchema, { action: AlarmRequest_AlarmAction.DEACTIVATE, memberID, alarm: AlarmType.NOSPACE }));
  return full.length;
}
