import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemberStatus, ReplicasStatus } from "../../daemon/replica-status.ts";
import type { MasterView } from "../../wire/gen/borg/v1/api_pb.ts";
import { verdictOf } from "./status.ts";

const QUOTA_BYTES = 1000;

function verdict(usedBytes: number, isFull = false): string {
  const member: MemberStatus = {
    member: 1,
    url: "u",
    answers: true,
    isLeader: true,
    usedBytes,
    quotaBytes: QUOTA_BYTES,
    isFull,
    problem: "",
  };
  const replicas = [{ replica: 1, view: { role: "leading" } as MasterView, problem: "" }];
  return verdictOf({ replicas, members: [member], head: { term: 1, position: 1 } } as unknown as ReplicasStatus);
}

test("status says how full etcd is before it is full, and what to type then [M2] [store.E8]", () => {
  assert.equal(verdict(499), "replica 1 leads, all are there");
  assert.equal(verdict(500), "replica 1 leads; etcd is half full: entries are not trimmed");
  assert.equal(verdict(800), "replica 1 leads; etcd is nearly full: no jobs are taken until entries are trimmed");
  assert.equal(verdict(800, true), "replica 1 leads; etcd is full and refuses every change: borg etcd defragment");
});
