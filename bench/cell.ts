/** A made-up cell of a given size as journal entries: machines of the shapes a real cell has, jobs of all sizes, one claim an op, then reports and reservations. */
import { Random } from "../src/base/random.ts";
import { encodeEntry, makeEntry, masterOp, type Op, schedulerOp, userOp } from "../src/cell/op.ts";
import { Phase } from "../src/wire/gen/borg/v1/machine_pb.ts";
import { Role } from "../src/wire/gen/borg/v1/op_pb.ts";
import { Band } from "../src/wire/gen/borg/v1/resource_pb.ts";

const GI = 1024 ** 3;
const USERS = 500;
const OPS_PER_ENTRY = 1000;
const START_MS = 1_000_000;

export interface MadeCell {
  readonly entries: readonly Uint8Array[];
  readonly ops: number;
}

/** The same seed gives the same bytes. */
export function makeCell(machines: number, tasks: number, seed: number): MadeCell {
  const random = new Random(seed, "cell");
  const ops = [...setUp(), ...machineOps(machines), ...jobOps(machines, tasks, random)];
  const entries: Uint8Array[] = [];
  for (let at = 0; at < ops.length; at += OPS_PER_ENTRY)
    entries.push(encodeEntry(makeEntry(START_MS + at, ops.slice(at, at + OPS_PER_ENTRY))));
  return { entries, ops: ops.length };
}

function setUp(): Op[] {
  const ops = [
    masterOp({ case: "cellInit", value: { cell: "bench", owner: "admin" } }),
    userOp("admin", "s", { case: "schedulerSet", value: { name: "service", limits: { priorityMax: 450 } } }),
  ];
  for (let i = 0; i < USERS; i++) {
    const user = `u${i}`;
    ops.push(userOp("admin", `g${i}`, { case: "userGrant", value: { user, roles: [Role.USER] } }));
    ops.push(userOp("admin", `q${i}`, { case: "quotaSet", value: { user, band: Band.BATCH, quota: { unlimited: true } } }));
  }
  return ops;
}

const machineName = (index: number): string => `m${String(index).padStart(5, "0")}`;

function machineOps(machines: number): Op[] {
  return Array.from({ length: machines }, (_, i) => {
    const capacity = { cpuMilli: i % 16 === 0 ? 64_000 : 32_000, ramBytes: (i % 3 === 0 ? 64 : 128) * GI, diskBytes: 1000 * GI };
    const attributes = [{ key: "os", value: i % 5 === 0 ? "a" : "b" }];
    const facts = {
      capacity,
      attributes,
      portFirst: 20_000,
      portLast: 29_999,
      rack: `r${Math.floor(i / 40)}`,
      powerDomain: `p${Math.floor(i / 800)}`,
    };
    return masterOp({ case: "machineJoin", value: { machine: machineName(i), facts } });
  });
}

/** Jobs until there are enough tasks; task k goes to machine k mod N, which has room for it. */
function jobOps(machines: number, tasks: number, random: Random): Op[] {
  const submits: Op[] = [];
  const claims: Op[] = [];
  const reports = Array.from({ length: machines }, (): string[] => []);
  let made = 0;
  for (let number = 0; made < tasks; number++) {
    const count = Math.min(tasks - made, random.chance(0.5) ? 1 : random.int(2, 140));
    const [user, name] = [`u${random.int(0, USERS)}`, `job${number}`];
    const limit = { cpuMilli: 10 * random.int(5, 200), ramBytes: 1_000_000 * random.int(100, 4000) };
    const task = { command: ["server", "--port=$BORG_PORT_HTTP"], limit, ports: random.chance(0.5) ? ["http"] : [] };
    submits.push(
      userOp(user, `j${number}`, {
        case: "jobSubmit",
        value: { spec: { user, name, count, priority: random.chance(0.6) ? 100 : 0, task } },
      }),
    );
    for (let i = 0; i < count; i++) {
      const [incarnation, machine] = [made + 1, made % machines];
      claims.push(
        schedulerOp("service", {
          case: "taskClaims",
          value: { claims: [{ task: `${user}/${name}/${i}`, incarnation, place: machineName(machine) }] },
        }),
      );
      reports[machine]?.push(`${user}/${name}/${i}:${incarnation}`);
      made += 1;
    }
  }
  return [...submits, ...claims, ...reports.flatMap((instances, i) => aftermath(machineName(i), instances))];
}

function aftermath(machine: string, instances: readonly string[]): Op[] {
  if (instances.length === 0) return [];
  const running = instances.map((instance) => ({ instance, phase: Phase.RUNNING, run: 1 }));
  const reservations = instances.map((instance) => ({ instance, amount: { cpuMilli: 40, ramBytes: 90_000_000 } }));
  return [
    masterOp({ case: "machineReport", value: { machine, instances: running } }),
    masterOp({ case: "reservations", value: { machine, reservations } }),
  ];
}
