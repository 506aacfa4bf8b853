/**
 * What a poll costs the master: 1,000 links over loopback sockets, every borglet answers every poll at once. The borglets live in a
 * thread of their own, so that the CPU of the master's side is the CPU of this one.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { makeAuthority } from "../src/rpc/certificates.ts";
import { type LinkHandle, LinkServer } from "../src/rpc/link-server.ts";
import type { Figures } from "./figures.ts";
import { machineIdentities } from "./identities.ts";

const LINKS_MAX = 1000;
/** Tasks on a machine: with none a poll is all framing, with twelve it is as in a full cell. */
const INSTANCES = [0, 12] as const;
/** Polls in flight: a machine's next one is sent when its answer came. */
const IN_FLIGHT = 100;

export async function benchLink(machines: number, seconds: number): Promise<Figures> {
  const links = Math.min(machines, LINKS_MAX);
  let figures: Figures = { links };
  for (const instances of INSTANCES) {
    const found = await measure(links, instances, seconds);
    const name = instances === 0 ? "empty" : "full";
    figures = { ...figures, [`${name}CpuUsPerPoll`]: found.cpuUs, [`${name}PollsPerSecond`]: found.perSecond };
  }
  return figures;
}

async function measure(links: number, instances: number, seconds: number): Promise<{ readonly cpuUs: number; readonly perSecond: number }> {
  const open: LinkHandle[] = [];
  let polls = 0;
  let next = 0;
  let counting = true;
  const allOpen = Promise.withResolvers<void>();
  const poll = () => {
    if (counting) open[next++ % links]!.send({ case: "poll", value: { term: 7, sequence: next, holdMs: 0, orders: [] } });
  };
  const path = join(mkdtempSync(join(tmpdir(), "borg-bench-link-")), "link.sock");
  const authority = await makeAuthority("bench", Date.now());
  const names = Array.from({ length: links }, (_, i) => `m${i}`);
  const machines = await machineIdentities(authority, "bench", names);
  const server = await LinkServer.listen({
    listeners: [{ endpoint: { kind: "unix", path } }],
    authorities: [authority.certificate],
    cell: "bench",
    bounds: { acceptsPerSecond: links },
    onOpen: (link) => {
      if (open.push(link) === links) allOpen.resolve();
    },
    onFrame: () => {
      polls++;
      poll();
    },
    onClose: () => {},
    log: () => {},
  });
  const worker = new Worker(new URL("link.worker.ts", import.meta.url), { workerData: { path, links, instances, machines } });
  await allOpen.promise;
  for (let i = 0; i < Math.min(IN_FLIGHT, links); i++) poll();
  await sleep(500); // Until the code is compiled and the sockets are warm.
  const before = { polls, cpu: process.threadCpuUsage(), at: performance.now() };
  await sleep(seconds * 1000);
  const cpu = process.threadCpuUsage(before.cpu);
  const count = polls - before.polls;
  const elapsed = (performance.now() - before.at) / 1000;
  counting = false;
  await worker.terminate();
  await server.close();
  return { cpuUs: Math.round(((cpu.user + cpu.system) / count) * 10) / 10, perSecond: Math.round(count / elapsed) };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
