import { type MachineSubject, machineContract, type Program } from "../../borglet/contract.ts";
import { KeptFile } from "../../borglet/kept-file.ts";
import type { FromMachine } from "../../borglet/message.ts";
import { make } from "../../wire/codec.ts";
import { MachineFactsSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
import { ExecutorDesk } from "./executor-desk.ts";
import { SimulatedHost } from "./host.ts";
import { Kernel } from "./kernel.ts";
import { SimulatedMachine } from "./simulated-machine.ts";

const COMMANDS: Readonly<Record<Program, readonly string[]>> = {
  serve: ["serve"],
  deaf: ["stubborn"],
  fail: ["crash", "100"],
  exit137: ["crash", "100", "137"],
  die9: ["die", "100", "9"],
};

const newMachine = (kernel: Kernel): SimulatedMachine =>
  new SimulatedMachine(kernel, "m1", make(MachineFactsSchema, { capacity: { cpuMilli: 4000 } }));

const ofMachine = (kernel: Kernel, machine: SimulatedMachine): Omit<MachineSubject, "open" | "close"> => ({
  step: () => kernel.run(kernel.nowMs + 20),
  reboot: () => machine.reboot(),
  discard: () => {},
  command: (program) => COMMANDS[program],
  lives: (instance) => (machine.task(instance)?.state ?? "ended") !== "ended",
});

/** What stands before a machine for the sake of executors changes nothing for other tasks. */
function withExecutors(): MachineSubject {
  const kernel = new Kernel({ seed: 7 });
  const machine = newMachine(kernel);
  let host: SimulatedHost | undefined;
  let desk: ExecutorDesk | undefined;
  return {
    ...ofMachine(kernel, machine),
    open: (deliver) => {
      const kept = new KeptFile(machine.disk.disk, { salt: 1 });
      host = new SimulatedHost({ kernel, machine, kept, deliver: (message) => desk?.onMessage("machine", message) });
      const timer = (afterMs: number, tag: string) => {
        kernel.after(afterMs, () => desk?.onTimer(tag));
        return { tag };
      };
      const env = { now: () => kernel.nowMs, log: () => {}, timer };
      desk = new ExecutorDesk({ kernel, machine, kept, env, host, enter: () => {} });
      desk.over({ start: () => {}, onTimer: () => {}, onMessage: (_, message) => deliver(message as FromMachine) });
      return desk.machine;
    },
    close: () => {
      host?.close();
      desk?.close();
    },
  };
}

function subject(): MachineSubject {
  const kernel = new Kernel({ seed: 7 });
  const machine = newMachine(kernel);
  let host: SimulatedHost | undefined;
  return {
    ...ofMachine(kernel, machine),
    open: (deliver) => {
      host = new SimulatedHost({ kernel, machine, kept: new KeptFile(machine.disk.disk, { salt: 1 }), deliver });
      return host;
    },
    close: () => host?.close(),
  };
}

machineContract("simulated machine", subject);
machineContract("simulated machine that takes executors", withExecutors);
