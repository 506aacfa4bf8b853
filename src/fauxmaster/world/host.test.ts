import { type MachineSubject, machineContract, type Program } from "../../borglet/contract.ts";
import { KeptFile } from "../../borglet/kept-file.ts";
import { make } from "../../wire/codec.ts";
import { MachineFactsSchema } from "../../wire/gen/borg/v1/machine_pb.ts";
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

function subject(): MachineSubject {
  const kernel = new Kernel({ seed: 7 });
  const machine = new SimulatedMachine(kernel, "m1", make(MachineFactsSchema, { capacity: { cpuMilli: 4000 } }));
  let host: SimulatedHost | undefined;
  return {
    open: (deliver) => {
      host = new SimulatedHost({ kernel, machine, kept: new KeptFile(machine.disk.disk, { salt: 1 }), deliver });
      return host;
    },
    close: () => host?.close(),
    step: () => kernel.run(kernel.nowMs + 20),
    reboot: () => machine.reboot(),
    discard: () => {},
    command: (program) => COMMANDS[program],
    lives: (instance) => (machine.task(instance)?.state ?? "ended") !== "ended",
  };
}

machineContract("simulated machine", subject);
