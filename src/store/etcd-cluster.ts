/**
 * Who the members of an etcd are, and changing that: one is added as a learner, which has no vote, and is promoted when it has caught up, so that adding never costs the
 * majority. Every question goes to one member after the other until one answers. Nothing else is asked here: the journal has a client of its own.
 */
import { decodeEtcd, encodeEtcd } from "../wire/etcd.ts";
import {
  type Member,
  MemberAddRequestSchema,
  MemberAddResponseSchema,
  MemberListRequestSchema,
  MemberListResponseSchema,
  MemberPromoteRequestSchema,
  MemberRemoveRequestSchema,
} from "../wire/gen/etcd/rpc_pb.ts";
import type { EtcdTls } from "./etcd-client.ts";
import { askMember, EtcdRefusal } from "./etcd-member-call.ts";

export interface ClusterMember {
  readonly id: bigint;
  /** Empty until it was started. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly isLearner: boolean;
}

const DEADLINE_MS = 5000;

export class EtcdCluster {
  readonly #urls: readonly string[];
  readonly #tls: EtcdTls;
  readonly #deadlineMs: number;

  constructor(urls: readonly string[], tls: EtcdTls, deadlineMs = DEADLINE_MS) {
    this.#urls = urls;
    this.#tls = tls;
    this.#deadlineMs = deadlineMs;
  }

  async list(): Promise<readonly ClusterMember[]> {
    const answer = await this.#ask("MemberList", encodeEtcd(MemberListRequestSchema, {}));
    return decodeEtcd(MemberListResponseSchema, answer).members.map(memberOf);
  }

  /** All members, the new one too: it has no name until it is started. */
  async addLearner(peerUrl: string): Promise<readonly ClusterMember[]> {
    const answer = await this.#ask("MemberAdd", encodeEtcd(MemberAddRequestSchema, { peerURLs: [peerUrl], isLearner: true }));
    return decodeEtcd(MemberAddResponseSchema, answer).members.map(memberOf);
  }

  /** Refused while it has not caught up. */
  async promote(id: bigint): Promise<void> {
    await this.#ask("MemberPromote", encodeEtcd(MemberPromoteRequestSchema, { ID: id }));
  }

  async remove(id: bigint): Promise<void> {
    await this.#ask("MemberRemove", encodeEtcd(MemberRemoveRequestSchema, { ID: id }));
  }

  async #ask(method: string, request: Uint8Array): Promise<Uint8Array> {
    let problem: unknown = new Error("No member of etcd is known");
    for (const url of this.#urls) {
      try {
        return await askMember({ url, tls: this.#tls, deadlineMs: this.#deadlineMs }, `Cluster/${method}`, request);
      } catch (error) {
        if (error instanceof EtcdRefusal) throw error;
        problem = error;
      }
    }
    throw new Error(`No member of etcd answers: ${(problem as Error).message}`, { cause: problem });
  }
}

const memberOf = ({ ID: id, name, peerURLs: peerUrls, isLearner }: Member): ClusterMember => ({ id, name, peerUrls, isLearner });
