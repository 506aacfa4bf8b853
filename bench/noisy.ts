/**
 * What a bad neighbour costs: the p99 of a latency-sensitive HTTP task on a real machine, alone and beside each kind of trouble, in pairs one after the
 * other. The neighbour is batch. Told is the median of the pairs: how much p99 rose, in percent, and both p99 of the middle pair. Who sends the requests stands for
 * a client on another machine: it runs outside the cell, with a real-time priority where that is allowed, so that it waits for nobody in both halves.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { CellClient } from "../src/rpc/client.ts";
import { Band } from "../src/wire/gen/borg/v1/resource_pb.ts";
import { AppClass, RestartWhen } from "../src/wire/gen/borg/v1/spec_pb.ts";
import { freePort } from "../test/e2e/real-cell.ts";
import { type Figures, percentile, rounded } from "./figures.ts";
import { openRealCell } from "./real-cell.ts";

const MIB = 2 ** 20;
/** Requests a second, evenly spaced, whatever the answers do. */
const RATE = 100;
/** A neighbour runs this long before it is measured, so that it is in full swing. */
const SWING_MS = 1500;
const WAIT_MS = 30_000;

/** Each for ever, or until something ends it; then it is started again. */
const NOISE: Readonly<Record<string, string>> = {
  forkBomb: "f() { f & f & wait; }; f",
  memoryHog: 'exec node -e "const all=[]; for(;;) all.push(Buffer.alloc(4<<20,1))"',
  diskFiller: "i=0; while :; do i=$((i+1)); head -c 64M /dev/zero >big$i || exit 1; done",
  inodeFiller: "i=0; while :; do i=$((i+1)); : >file$i || exit 1; done",
  logFlood: "exec yes a line that nobody will ever read",
  spinners: "i=0; while [ $i -lt 256 ]; do i=$((i+1)); while :; do :; done & done; wait",
};

/** Some work for each answer, as a small service does. */
const SERVER =
  "const w=()=>{let s=0;for(let i=0;i<2e5;i++)s+=Math.sqrt(i);return s};require('http').createServer((q,r)=>r.end(String(w()))).listen(process.env.BORG_PORT_HTTP,'127.0.0.1')";

/** Sends requests at their times, whatever the answers do, and answers how long each took. */
const CLIENT = `const http=require('http');
http.createServer(async(q,r)=>{
  const u=new URL(q.url,'http://x'),[port,rate,seconds]=['port','rate','seconds'].map(n=>Number(u.searchParams.get(n)));
  const agent=new http.Agent({keepAlive:true,maxSockets:64}),all=[],begin=performance.now();
  const one=()=>new Promise(done=>{const at=performance.now(),end=()=>done(performance.now()-at);
    http.get({host:'127.0.0.1',port,agent},s=>{s.resume();s.on('end',end)}).on('error',()=>done(30000))});
  for(let i=0;i<rate*seconds;i++){const due=begin+i*1000/rate-performance.now();
    if(due>0)await new Promise(d=>setTimeout(d,due));all.push(one())}
  const found=await Promise.all(all);agent.destroy();r.end(JSON.stringify(found))
}).listen(process.env.BORG_PORT_HTTP,'127.0.0.1')`;

export interface NoisyArgs {
  /** Pairs a case. */
  readonly runs: number;
  /** Measured time of each half of a pair. */
  readonly seconds: number;
}

export async function benchNoisy({ runs, seconds }: NoisyArgs): Promise<Figures> {
  const cell = await openRealCell("noisy");
  const clientPort = await freePort();
  const client = startClient(clientPort);
  try {
    await cell.client.setQuota({
      requestId: "q",
      user: "bench",
      band: Band.PRODUCTION,
      quota: { limit: { cpuMilli: 2000, ramBytes: 2 ** 32, diskBytes: 2 ** 34 } },
    });
    await cell.client.setQuota({ requestId: "b", user: "bench", band: Band.BATCH, quota: { unlimited: true } });
    const server = await startServer(cell.client);
    const measure = (): Promise<number> => p99(clientPort, server, seconds);
    await measure();
    const figures: Record<string, number> = { runs, seconds, requestsPerSecond: RATE };
    for (const [name, script] of Object.entries(NOISE)) {
      const pairs: { readonly alone: number; readonly beside: number }[] = [];
      for (let run = 0; run < runs; run++) pairs.push(await onePair(cell.client, measure, `${name.toLowerCase()}-${run}`, script));
      const rise = ({ alone, beside }: (typeof pairs)[number]): number => (beside / alone - 1) * 100;
      const middle = pairs.sort((a, b) => rise(a) - rise(b))[Math.floor(pairs.length / 2)]!;
      Object.assign(figures, {
        [`${name}RisePercent`]: rounded(rise(middle), 1),
        [`${name}AloneP99Ms`]: rounded(middle.alone),
        [`${name}BesideP99Ms`]: rounded(middle.beside),
      });
    }
    return figures;
  } finally {
    client.kill("SIGKILL");
    await cell.close();
  }
}

/** As a plain user it has the usual priority. */
function startClient(port: number): ChildProcess {
  const start = `chrt --fifo 1 true 2>/dev/null && exec chrt --fifo 1 "$@"; exec "$@"`;
  const env = { ...process.env, BORG_PORT_HTTP: String(port) };
  return spawn("/bin/sh", ["-c", start, "client", process.execPath, "-e", CLIENT], { stdio: "ignore", env });
}

/** Latency-sensitive, and answers: its port. */
async function startServer(client: CellClient): Promise<number> {
  const name = "server";
  const task = { command: ["node", "-e", SERVER], ports: ["http"], limit: { cpuMilli: 750, ramBytes: 256 * MIB, diskBytes: 64 * MIB } };
  const spec = { user: "bench", name, count: 1, priority: 200, appClass: AppClass.LATENCY_SENSITIVE, task };
  await client.submitJob({ requestId: name, spec });
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await sleep(100)) {
    const { task: found } = await client.getTask({ task: `bench/${name}/0` });
    const port = found?.ports[0]?.number ?? 0;
    if (port > 0 && (await answers(port))) return port;
  }
  throw new Error(`The server did not answer within ${WAIT_MS / 1000} s`);
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );

async function onePair(client: CellClient, measure: () => Promise<number>, name: string, script: string) {
  const alone = await measure();
  const task = { command: ["/bin/sh", "-c", script], limit: { cpuMilli: 250, ramBytes: 256 * MIB, diskBytes: 512 * MIB } };
  const restart = { when: RestartWhen.ALWAYS, inPlaceMax: 1_000_000, backoffMinMs: 50, backoffMaxMs: 50 };
  await client.submitJob({
    requestId: name,
    spec: { user: "bench", name, count: 1, priority: 100, appClass: AppClass.BATCH, restart, task },
  });
  await untilRunning(client, `bench/${name}/0`);
  await sleep(SWING_MS);
  const beside = await measure();
  await client.killJob({ requestId: `kill-${name}`, job: `bench/${name}` });
  await untilGone(client, `bench/${name}/0`);
  return { alone, beside };
}

async function untilRunning(client: CellClient, task: string): Promise<void> {
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await sleep(50)) {
    const { task: found } = await client.getTask({ task });
    if ((found?.run ?? 0) > 0) return;
  }
  throw new Error(`"${task}" did not run within ${WAIT_MS / 1000} s`);
}

async function untilGone(client: CellClient, task: string): Promise<void> {
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await sleep(100)) {
    const { task: found } = await client.getTask({ task });
    if (found === undefined || found.instance === "") break;
  }
  // Files of the task are removed, and memory comes back.
  await sleep(500);
}

/** Asked of the client: how long requests took that were sent at their times, whatever the answers did. */
async function p99(clientPort: number, serverPort: number, seconds: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${clientPort}/?port=${serverPort}&rate=${RATE}&seconds=${seconds}`);
  return percentile((await response.json()) as number[], 0.99);
}
