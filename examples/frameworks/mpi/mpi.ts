/**
 * Runs a program of MPI on the machines of a cell, with OpenMPI as it is. Usage:
 * node examples/frameworks/mpi/mpi.ts --address http://127.0.0.1:5051 --ranks 4 -- PROGRAM ARGUMENT...
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { Framework, type Task } from "../../../clients/framework/framework.ts";
import { Gang, type Share } from "./gang.ts";
import { Switchboard } from "./switchboard.ts";

const { values, positionals } = parseArgs({
  options: {
    address: { type: "string", default: "http://127.0.0.1:5051" },
    ranks: { type: "string", default: "2" },
    /** Of one rank. */
    cpus: { type: "string", default: "1" },
    mem: { type: "string", default: "256" },
    /** Ranks on one machine at most. */
    together: { type: "string", default: "1000" },
    /** Where tasks reach this program, and by which network mpirun and its daemons speak. */
    host: { type: "string", default: "127.0.0.1" },
    interface: { type: "string" },
  },
  allowPositionals: true,
});
if (positionals.length === 0) throw new Error("Say what to run: mpi.ts --ranks 4 -- PROGRAM ARGUMENT...");

const size = { cpus: Number(values.cpus), mem: Number(values.mem) };
const gang = new Gang(Number(values.ranks), size, Number(values.together));
const key = randomBytes(16).toString("hex");
/** By the names of their tasks, which stand for hosts. */
const nodes = new Map<string, Share>();
/** Those of them that run. */
const running = new Set<string>();
let launched = 0;
let isBegun = false;
let mpirun: ChildProcess | undefined;
let code = 1;

/** Of a launch that came to nothing. */
const LOST: ReadonlySet<string> = new Set(["TASK_LOST", "TASK_DROPPED"]);
/** After so many launches it gives up. */
const LAUNCHES_MAX = 1_000;

const switchboard = new Switchboard(key, (count) => {
  if (gang.isWhole && count === nodes.size && !isBegun) begin(nodes);
});
const port = String(await switchboard.listen(values.host));
const meeting = { MPI_HOST: values.host, MPI_PORT: port, MPI_KEY: key };

/** A task waits for what mpirun wants to run there: the daemon that starts its ranks. */
const WAIT =
  'set -eu; exec 3<>"/dev/tcp/$MPI_HOST/$MPI_PORT"; printf "NODE %s %s\\n" "$MPI_KEY" "$0" >&3; read -r command <&3; exec 3>&-; eval "exec $command"';

const nodeTask = (id: string, { ranks }: Share): Task => ({
  id,
  cpus: size.cpus * ranks,
  mem: size.mem * ranks,
  command: ["bash", "-c", WAIT, id],
  environment: meeting,
});

const framework = new Framework(
  { address: values.address, name: "mpi" },
  {
    connected: (id) => {
      console.log(`Subscribed as ${id}`);
      gang.clear();
      // A launch that the master before did not live to hear of is told as lost.
      if (nodes.size > 0) framework.reconcile([...nodes.keys()]);
    },
    disconnected: (reason) => console.log(`Not connected: ${reason}`),
    offers: (offers) => {
      framework.decline(offers.filter((offer) => !gang.hold(offer)));
      const gathered = gang.gather();
      if (gathered === undefined) return;
      for (const share of gathered.shares) launch(share);
      framework.decline(gathered.left);
      framework.suppress();
    },
    rescinded: (offerId) => gang.forget(offerId),
    update: ({ task, state, isOver, message }) => {
      if (state === "TASK_RUNNING") running.add(task);
      const share = nodes.get(task);
      if (!isOver || state === "TASK_FINISHED" || share === undefined) return;
      console.log(`${task} is over: ${state} (${message})`);
      if (!isBegun && !running.has(task) && LOST.has(state) && launched < LAUNCHES_MAX) return again(task, share);
      // A program of MPI does not outlive any of its ranks.
      if (mpirun === undefined) void end();
      else mpirun.kill();
    },
  },
);

function launch(share: Share): void {
  const id = `mpi-${launched}`;
  launched += 1;
  nodes.set(id, share);
  framework.launch(share.offer, [nodeTask(id, share)]);
}

/** An offer was no longer good when it was taken: its ranks look for another machine, and the others wait for them. */
function again(task: string, share: Share): void {
  nodes.delete(task);
  gang.lost(share);
  framework.revive();
}

function begin(all: ReadonlyMap<string, Share>): void {
  isBegun = true;
  const hosts = [...all].map(([id, { ranks }]) => `${id}:${ranks}`).join(",");
  console.log(`${values.ranks} ranks on ${[...all.values()].map(({ offer, ranks }) => `${offer.machine} (${ranks})`).join(", ")}`);
  const parameters = {
    // Our remote shell, which is found in this directory; daemons look for its first word only.
    plm_rsh_agent: "bash agent.sh",
    plm_rsh_no_tree_spawn: "1",
    btl: "tcp,self",
    ...(values.interface === undefined ? {} : { oob_tcp_if_include: values.interface, btl_tcp_if_include: values.interface }),
  };
  const mca = Object.entries(parameters).flatMap(([name, value]) => ["--mca", name, value]);
  // Daemons stay: a task is over when its ranks are.
  const words = ["--host", hosts, "-np", values.ranks, "--leave-session-attached", "--wdir", "/tmp", ...mca, ...positionals];
  // mpirun runs no program as root unless told twice; here it runs none, the tasks do.
  const environment = { ...process.env, ...meeting, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
  mpirun = spawn("mpirun", words, { stdio: ["ignore", "inherit", "inherit"], cwd: import.meta.dirname, env: environment });
  mpirun.on("error", (error) => console.log(`Cannot run mpirun (Debian's openmpi-bin has it): ${error.message}`));
  mpirun.on("close", (exit) => {
    code = exit ?? 1;
    void end();
  });
}

async function end(): Promise<void> {
  switchboard.close();
  await framework.teardown();
}

await framework.run();
process.exitCode = code;
