/** The borglets of bench/link.ts: links that answer every poll with the same report. */
import { workerData } from "node:worker_threads";
import { create } from "@bufbuild/protobuf";
import type { KeyAndCertificate } from "../src/rpc/certificates.ts";
import { LinkClient } from "../src/rpc/link-client.ts";
import { Health, Phase, type Report, ReportSchema } from "../src/wire/gen/borg/v1/machine_pb.ts";

interface LinkWorkerData {
  readonly path: string;
  readonly links: number;
  readonly instances: number;
  readonly machines: Readonly<Record<string, KeyAndCertificate>>;
}

const { path, links, instances, machines } = workerData as LinkWorkerData;

function report(machine: string): Report {
  const names = Array.from({ length: instances }, (_, i) => `ubar/jfoo-${i}/17:1200${i}`);
  const used = { cpuMilli: 250, ramBytes: 2 ** 30, diskBytes: 2 ** 32 };
  return create(ReportSchema, {
    machine,
    term: 7,
    sequence: 1,
    instances: names.map((instance) => ({ instance, phase: Phase.RUNNING, run: 1, health: Health.GOOD })),
    usage: names.map((instance) => ({ instance, last: used, average: used, peak: used })),
  });
}

for (let i = 0; i < links; i++) {
  const machine = `m${i}`;
  const value = report(machine);
  const client: LinkClient = new LinkClient({
    at: { kind: "unix", path },
    machine,
    identity: machines[machine]!,
    onOpen: () => {},
    onFrame: () => client.send({ case: "report", value }),
    onClose: () => {},
    log: () => {},
  });
}
