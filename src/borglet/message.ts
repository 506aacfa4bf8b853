/** What a borglet hears besides what masters say (wire/link-message.ts). Messages are values: nobody changes one after it was sent. */
import type { Address } from "../base/env.ts";
import type { ShellChunk } from "../wire/gen/borg/v1/link_pb.ts";
import type { MachineFacts } from "../wire/gen/borg/v1/machine_pb.ts";
import type { BetweenBorglets, Framed, ToBorglet } from "../wire/link-message.ts";
import type { HealthAnswer, Sample, Seen, Unpacked } from "./machine.ts";
import type { Shortage } from "./out-of-resources.ts";

/** From the shell, in a master's name: there is a new link to it, and whatever it asked over an old one is void. */
export interface Connected {
  readonly type: "connected";
}

/** From its own machine. */
export type FromMachine =
  | { readonly type: "seen"; readonly seen: readonly Seen[] }
  | { readonly type: "usage"; readonly samples: readonly Sample[] }
  | { readonly type: "health"; readonly answer: HealthAnswer }
  /** What a shell says to the master that asked. */
  | { readonly type: "shell"; readonly to: Address; readonly chunk: ShellChunk }
  /** What an executor says to its framework, for whoever polled last. */
  | { readonly type: "executor"; readonly instance: string; readonly data: Uint8Array }
  | { readonly type: "package"; readonly unpacked: Unpacked }
  /** Its tasks use nearly all of something. What they use was told just before. */
  | { readonly type: "short"; readonly shortage: Shortage }
  /** Its disk has become full, or has room again. */
  | { readonly type: "disk"; readonly full: boolean }
  /** Somebody describes it anew: these are its facts, but for what it finds out while it runs. */
  | { readonly type: "described"; readonly facts: MachineFacts };

/** From its master over the link, from other borglets over connections of their own (linux/peers.ts). */
export type BorgletHears = Framed<ToBorglet | BetweenBorglets> | Connected | FromMachine;
