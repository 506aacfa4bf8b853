/** Whoever asks for a shell gets one only in a task that runs here. What it says, and that there is none, is heard of later, as `shell`. */
import type { Address } from "../base/env.ts";
import type { ShellRequest } from "../wire/gen/borg/v1/link_pb.ts";
import type { Memory } from "./kept.ts";
import type { BorgletMachine } from "./machine.ts";

export function useShell(machine: BorgletMachine, memory: Memory, from: Address, request: ShellRequest): void {
  const kept = memory.instances.get(request.instance);
  machine.shell(kept?.phase === "running" ? kept.order : undefined, from, request);
}
