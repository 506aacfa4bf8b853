/** What a borglet is made with. */
import type { Address } from "../base/env.ts";
import type { MachineFacts } from "../wire/gen/borg/v1/machine_pb.ts";
import type { Memory } from "./kept.ts";
import type { BorgletMachine } from "./machine.ts";

export interface BorgletOptions {
  readonly name: string;
  readonly facts: MachineFacts;
  /** Where hello is said: to all of them, because only the one that has this machine will poll. */
  readonly masters: readonly Address[];
  readonly machine: BorgletMachine;
  /** What was kept; the borglet goes on writing in it. */
  readonly memory: Memory;
  /** The kernel holds tasks to their memory limits; else the borglet looks after the fact. [I9] */
  readonly ramEnforced: boolean;
  /** Where it gives packages to other machines; 0: nowhere. */
  readonly peerPort: number;
}
