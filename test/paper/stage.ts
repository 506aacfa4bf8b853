/** A cell behind the API's actor, on which sentences of the paper are shown: people ask through the API, machines and schedulers act as ops. */
import assert from "node:assert/strict";
import type { ApiCall } from "../../src/borgmaster/api/message.ts";
import { masterOp, schedulerOp } from "../../src/cell/op.ts";
import type { Task } from "../../src/cell/state.ts";
import { type Init, make } from "../../src/wire/codec.ts";
import { CellService } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { type MachineFactsSchema, Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { AttackedCell } from "../attack/desk.ts";
import type { OpBody } from "../cell/world.ts";

export const GIB = 2 ** 30;
export const limit = (cpuMilli: number, ramBytes = GIB): { cpuMilli: number; ramBytes: number } => ({ cpuMilli, ramBytes });

export class Stage {
  readonly cell = new AttackedCell();

  constructor() {
    // The cell of the desk has a machine of its own, which is put aside.
    this.master({ case: "machineDrain", value: { machine: "m1", draining: true } });
    this.master({ case: "cellVersion", value: { version: 5 } });
  }

  machine(name: string, more: Init<typeof MachineFactsSchema> = {}): this {
    const facts = { portFirst: 20_000, portLast: 20_009, ...more, capacity: { cpuMilli: 4000, ramBytes: 8 * GIB, ...more.capacity } };
    this.master({ case: "machineJoin", value: { machine: name, facts } });
    return this;
  }

  /** What the API answers: the response, or why not. */
  ask<T = Record<string, never>>(method: ApiCall["method"], request: object, by = "ann1"): T | string {
    const answer = this.cell.call(method, by, make(CellService.method[method].input as never, request as never) as object);
    return answer.type === "answered" ? (answer.response as T) : answer.reason;
  }

  /** "ok", or the refusal. */
  says(method: ApiCall["method"], request: object, by?: string): string {
    const answer = this.ask(method, request, by);
    return typeof answer === "string" ? answer : "ok";
  }

  read<T>(method: ApiCall["method"], request: object, by?: string): T {
    const answer = this.ask<T>(method, request, by);
    return typeof answer === "string" ? assert.fail(answer) : answer;
  }

  submit(name: string, more: object = {}, task: object = {}): string {
    const spec = { user: "ann1", name, count: 1, ...more, task: { command: ["serve"], limit: limit(500), ...task } };
    return this.says("submitJob", { spec });
  }

  master(body: OpBody): string {
    const outcome = this.cell.entry(masterOp(body));
    return outcome.ok ? "ok" : outcome.reason;
  }

  task = (id: string): Task => {
    const [user, job, index] = id.split("/");
    return this.cell.state.jobs.get(`${user}/${job}` as never)?.tasks[Number(index)] ?? assert.fail(`There is no task ${id}`);
  };

  instance = (id: string): string => this.task(id).instance?.id ?? assert.fail(`${id} has no instance`);

  /** A scheduler claims a place for a task: "ok", or why not. */
  claim(id: string, place: string, victims: readonly string[] = []): string {
    const claims = [{ task: id, incarnation: this.task(id).incarnation, place, victims: [...victims] }];
    const outcome = this.cell.entry(schedulerOp("service", { case: "taskClaims", value: { claims } }));
    assert.ok(outcome.ok && outcome.answer.type === "claims");
    const [answer] = outcome.answer.claims;
    return answer?.ok ? "ok" : (answer?.reason ?? "");
  }

  report(id: string, phase: Phase = Phase.RUNNING, more: object = {}): void {
    const { id: instance, place } = this.task(id).instance ?? assert.fail(`${id} has no instance`);
    this.master({ case: "machineReport", value: { machine: place.machine.id, instances: [{ instance, phase, run: 1, ...more }] } });
  }

  run(id: string, place: string): void {
    assert.equal(this.claim(id, place), "ok");
    this.report(id);
  }

  state = (id: string): string => this.task(id).state;

  wait(ms: number): void {
    this.cell.env.wallMs += ms;
    this.master({ case: "barrier", value: {} });
  }
}
