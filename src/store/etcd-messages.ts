/** Questions to etcd as gRPC calls, and what comes back as answers: the one place where etcd's messages have their names. */
import { decodeEtcd, encodeEtcd } from "../wire/etcd.ts";
import { Event_EventType, type KeyValue as KeyValueMessage } from "../wire/gen/etcd/kv_pb.ts";
import {
  CompactionRequestSchema,
  Compare_CompareTarget,
  LeaseGrantRequestSchema,
  LeaseGrantResponseSchema,
  LeaseKeepAliveRequestSchema,
  LeaseKeepAliveResponseSchema,
  LeaseRevokeRequestSchema,
  StatusRequestSchema,
  StatusResponseSchema,
  TxnRequestSchema,
  TxnResponseSchema,
  WatchCreateRequest_FilterType,
  WatchRequestSchema,
  WatchResponseSchema,
} from "../wire/gen/etcd/rpc_pb.ts";
import { bytesOf, textOf } from "./etcd/keys.ts";
import type { Answer, Guard, KeyRange, KeyValue, Op, Question, WatchEvent } from "./etcd/port.ts";

export interface Call {
  readonly path: string;
  readonly type: Question["type"];
  readonly request: Uint8Array;
}

export const WATCH = "/etcdserverpb.Watch/Watch";

export const KEEP_ALIVE = {
  path: "/etcdserverpb.Lease/LeaseKeepAlive",
  request: (lease: string): Uint8Array => encodeEtcd(LeaseKeepAliveRequestSchema, { ID: BigInt(lease) }),
} as const;

export function callOf(question: Exclude<Question, { readonly type: "keep-alive" }>): Call {
  const { type } = question;
  switch (type) {
    case "txn":
      return { path: "/etcdserverpb.KV/Txn", type, request: txnRequest(question) };
    case "grant":
      return { path: "/etcdserverpb.Lease/LeaseGrant", type, request: encodeEtcd(LeaseGrantRequestSchema, { TTL: BigInt(question.ttlS) }) };
    case "revoke":
      return {
        path: "/etcdserverpb.Lease/LeaseRevoke",
        type,
        request: encodeEtcd(LeaseRevokeRequestSchema, { ID: BigInt(question.lease) }),
      };
    case "compact":
      return {
        path: "/etcdserverpb.KV/Compact",
        type,
        request: encodeEtcd(CompactionRequestSchema, { revision: BigInt(question.revision) }),
      };
    case "status":
      return { path: "/etcdserverpb.Maintenance/Status", type, request: encodeEtcd(StatusRequestSchema, {}) };
  }
}

export function answerOf(call: Call, response: Uint8Array): Answer {
  switch (call.type) {
    case "txn":
      return txnAnswer(response);
    case "grant": {
      const { ID, TTL, error } = decodeEtcd(LeaseGrantResponseSchema, response);
      return error === "" ? { type: "granted", lease: String(ID), ttlS: Number(TTL) } : { type: "failed", outcome: "never", reason: error };
    }
    case "revoke":
      return { type: "revoked" };
    case "compact":
      return { type: "compacted" };
    case "keep-alive":
      return keepAliveAnswer(response);
    case "status": {
      const { dbSizeInUse, dbSize, dbSizeQuota, errors, leader, header } = decodeEtcd(StatusResponseSchema, response);
      const isFull = errors.some((each) => each.includes("NOSPACE"));
      const isLeader = header !== undefined && leader === header.memberId;
      return { type: "status", usedBytes: Number(dbSizeInUse || dbSize), quotaBytes: Number(dbSizeQuota), isFull, isLeader };
    }
  }
}

export function keepAliveAnswer(response: Uint8Array): Answer {
  return { type: "kept", ttlS: Number(decodeEtcd(LeaseKeepAliveResponseSchema, response).TTL) };
}

export function watchRequest(range: KeyRange, revision: number): Uint8Array {
  const value = { ...rangeOf(range), startRevision: BigInt(revision), filters: [WatchCreateRequest_FilterType.NODELETE] };
  return encodeEtcd(WatchRequestSchema, { requestUnion: { case: "createRequest", value } });
}

export function eventsOf(response: Uint8Array): readonly WatchEvent[] {
  const { events, canceled, cancelReason, compactRevision } = decodeEtcd(WatchResponseSchema, response);
  const puts = events.flatMap(({ type, kv }): WatchEvent[] =>
    type === Event_EventType.PUT && kv !== undefined ? [{ type: "put", entry: keyValueOf(kv) }] : [],
  );
  if (!canceled) return puts;
  const why = compactRevision > 0n ? `everything before revision ${compactRevision} is compacted` : cancelReason || "no reason given";
  return [...puts, { type: "ended", reason: `etcd ended the watch: ${why}` }];
}

function txnRequest({ guards, ops, otherwise }: Question & { readonly type: "txn" }): Uint8Array {
  return encodeEtcd(TxnRequestSchema, { compare: guards.map(compareOf), success: ops.map(opOf), failure: otherwise.map(opOf) });
}

function compareOf(guard: Guard) {
  const key = bytesOf(guard.key);
  if ("value" in guard) return { target: Compare_CompareTarget.VALUE, key, targetUnion: { case: "value", value: guard.value } } as const;
  return { target: Compare_CompareTarget.CREATE, key, targetUnion: { case: "createRevision", value: BigInt(guard.created) } } as const;
}

function rangeOf({ key, end }: KeyRange) {
  return { key: bytesOf(key), rangeEnd: end === undefined ? new Uint8Array() : bytesOf(end) };
}

function opOf(op: Op) {
  switch (op.type) {
    case "get":
      return { request: { case: "requestRange", value: { ...rangeOf(op), limit: BigInt(op.limit ?? 0) } } } as const;
    case "put":
      return { request: { case: "requestPut", value: { key: bytesOf(op.key), value: op.value, lease: BigInt(op.lease ?? 0) } } } as const;
    case "delete":
      return { request: { case: "requestDeleteRange", value: rangeOf(op) } } as const;
  }
}

function txnAnswer(response: Uint8Array): Answer {
  const { succeeded, responses, header } = decodeEtcd(TxnResponseSchema, response);
  const found = responses.map(({ response: each }) => (each.case === "responseRange" ? each.value.kvs.map(keyValueOf) : []));
  return { type: "txn", done: succeeded, found, revision: Number(header?.revision ?? 0) };
}

function keyValueOf({ key, value, createRevision, modRevision, lease }: KeyValueMessage): KeyValue {
  return { key: textOf(key), value, created: Number(createRevision), modified: Number(modRevision), lease: String(lease) };
}
