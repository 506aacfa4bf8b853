/**
 * Other borglets, as the actor knows them by address: the ones that it asks are machines, the ones that ask it are connections. A machine that cannot listen
 * gives nothing to others, and fetches all the same.
 */
import type { Address } from "../../base/env.ts";
import { PeerClient } from "../../rpc/peer-client.ts";
import { type PeerServer, servePeers } from "../../rpc/peer-server.ts";
import type { PackageSource } from "../../wire/gen/borg/v1/link_pb.ts";
import { type BetweenBorglets, peerAddress } from "../../wire/link-message.ts";
import type { BorgletProcessOptions } from "./machine.ts";

const ASKER = "asker/";

export interface Peers {
  /** 0: it does not listen. */
  readonly port: number;
  learn(source: PackageSource): void;
  send(to: Address, frame: BetweenBorglets): void;
  close(): void;
}

export async function openPeers(
  { cell, authorities, identity, host, log }: BorgletProcessOptions,
  hear: (from: Address, frame: BetweenBorglets) => void,
): Promise<Peers> {
  const onChunk = (machine: string, value: Extract<BetweenBorglets, { case: "packageChunk" }>["value"]): void =>
    hear(peerAddress(machine), { case: "packageChunk", value });
  const client = new PeerClient({ cell, authorities, onChunk });
  const server = await servePeers({
    host,
    identity,
    onRequest: (connection, value) => hear(`${ASKER}${connection}`, { case: "peerRequest", value }),
    log,
  }).catch((error: unknown): PeerServer | undefined => {
    log(`This machine gives no packages to others: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  });
  return {
    port: server?.port ?? 0,
    learn: (source) => client.learn(source),
    send: (to, frame) => {
      if (frame.case === "peerRequest") client.ask(to.slice(peerAddress("").length), frame.value);
      else server?.answer(Number(to.slice(ASKER.length)), frame.value);
    },
    close: () => {
      client.close();
      server?.close();
    },
  };
}
