/** What the API answers, as JSON: what is zero, false or empty is left out. */
export interface Resources {
  readonly cpuMilli?: number;
  readonly ramBytes?: number;
  readonly diskBytes?: number;
}

export interface Label {
  readonly key: string;
  readonly value?: string;
}

export interface Job {
  readonly name: string;
  readonly state: string;
  readonly allocSet?: boolean;
  readonly framework?: boolean;
  readonly priority?: number;
  readonly band?: string;
  readonly count?: number;
  readonly pending?: number;
  readonly starting?: number;
  readonly running?: number;
  readonly stopping?: number;
  readonly backingOff?: number;
  readonly dead?: number;
  readonly finished?: number;
  readonly failed?: number;
  readonly killed?: number;
  readonly lost?: number;
  readonly failures?: number;
  readonly submittedMs?: number;
  readonly sinceMs?: number;
  readonly held?: boolean;
  readonly startAfter?: string;
  readonly limit?: Resources;
  readonly labels?: readonly Label[];
}

export interface JobRow {
  readonly job: Job;
  readonly limit?: Resources;
  readonly reservation?: Resources;
  readonly usage?: Resources;
  readonly restarts?: number;
  readonly restartsHour?: number;
  readonly unreachable?: number;
  readonly update?: string;
}

export interface Task {
  readonly name: string;
  readonly state: string;
  readonly cause?: string;
  readonly sinceMs?: number;
  readonly machine?: string;
  readonly host?: string;
  readonly ports?: readonly { readonly name: string; readonly number: number }[];
  readonly instance?: string;
  readonly run?: number;
  readonly starts?: number;
  readonly failures?: number;
  readonly priority?: number;
  readonly limit?: Resources;
  readonly reservation?: Resources;
  readonly usage?: Resources;
  readonly notBeforeMs?: number;
  readonly exited?: boolean;
  readonly exitCode?: number;
  readonly signal?: number;
  readonly message?: string;
  readonly startedMs?: number;
  readonly alloc?: boolean;
  readonly unreachable?: boolean;
  readonly waiting?: string;
  readonly health?: string;
  readonly ready?: boolean;
  readonly problem?: string;
  readonly labels?: readonly Label[];
  readonly inAlloc?: string;
  readonly diskTraffic?: { readonly readBytes?: number; readonly writtenBytes?: number };
}

export interface Machine {
  readonly name: string;
  readonly state: string;
  readonly sinceMs?: number;
  readonly host?: string;
  readonly tasks?: number;
  readonly capacity?: Resources;
  readonly limit?: Resources;
  readonly reservation?: Resources;
  readonly usage?: Resources;
  readonly attributes?: readonly { readonly key: string; readonly value?: string }[];
  readonly rack?: string;
  readonly powerDomain?: string;
  readonly heardMs?: number;
}

export interface Happened {
  readonly text: string;
  readonly event: {
    readonly position?: number;
    readonly index?: number;
    readonly timeMs?: number;
    readonly kind?: string;
    readonly subject?: string;
    readonly instance?: string;
    readonly machine?: string;
    readonly from?: string;
    readonly to?: string;
    readonly cause?: string;
    readonly preemptor?: string;
    readonly detail?: string;
  };
}

export interface Sums {
  readonly running?: number;
  readonly starting?: number;
  readonly pending?: number;
  readonly failing?: number;
  readonly stopping?: number;
  readonly jobsFailing?: number;
  readonly jobsPending?: number;
  readonly limit?: Resources;
  readonly reservation?: Resources;
  readonly usage?: Resources;
}

export interface Sample {
  readonly timeMs?: number;
  readonly capacity?: Resources;
  readonly limit?: Resources;
  readonly reservation?: Resources;
  readonly usage?: Resources;
}

export interface Cell {
  readonly name: string;
  readonly user: string;
  readonly roles?: readonly string[];
  readonly jobs?: number;
  readonly users?: number;
  readonly machines?: number;
  readonly up?: number;
  readonly draining?: number;
  readonly drained?: number;
  readonly unreachable?: number;
  readonly unreachableMs?: number;
  readonly capacity?: Resources;
  readonly production?: Sums;
  readonly rest?: Sums;
  readonly samples?: readonly Sample[];
  readonly countedSinceMs?: number;
}

/** Bytes come as base64. */
export interface MachineMap {
  readonly names?: readonly string[];
  readonly racks?: readonly string[];
  readonly rack?: readonly number[];
  readonly groups?: readonly string[];
  readonly states?: string;
  readonly tasks?: string;
  readonly cpuUsed?: string;
  readonly cpuReserved?: string;
  readonly cpuLimit?: string;
  readonly ramUsed?: string;
  readonly ramReserved?: string;
  readonly ramLimit?: string;
}

export type ViewKind = "CELL" | "JOBS" | "TASKS" | "MACHINES" | "MAP" | "EVENTS";

export interface ViewSpec {
  readonly kind: ViewKind;
  readonly query?: string;
  readonly sort?: string;
  readonly first?: number;
  readonly limit?: number;
}

export interface ViewChange {
  readonly view?: number;
  readonly anew?: boolean;
  readonly total?: number;
  readonly order?: readonly string[];
  readonly ordered?: boolean;
  readonly jobs?: readonly JobRow[];
  readonly tasks?: readonly Task[];
  readonly machines?: readonly Machine[];
  readonly cell?: Cell;
  readonly map?: MachineMap;
  readonly events?: readonly Happened[];
}

export interface ViewsAnswer {
  readonly seen?: number;
  readonly timeMs?: number;
  readonly changes?: readonly ViewChange[];
}

export interface ExplainedChange {
  readonly change: string;
  readonly machines?: number;
  readonly limit?: Resources;
  readonly priority?: number;
  readonly without?: object;
  readonly spread?: string;
  readonly beside?: string;
}

export interface Explanation {
  readonly task?: string;
  readonly state?: string;
  readonly problem?: string;
  readonly feasible?: number;
  readonly reasons?: readonly { readonly reason: string; readonly machines?: number }[];
  readonly changes?: readonly ExplainedChange[];
  readonly score?: readonly { readonly part: string; readonly value?: string }[];
  readonly summary?: readonly string[];
}

export interface Update {
  readonly phase?: string;
  readonly sinceMs?: number;
  readonly startedMs?: number;
  readonly reason?: string;
  readonly passed?: number;
  readonly waiting?: number;
  readonly failed?: number;
  readonly skipped?: number;
  readonly left?: number;
  readonly disruptions?: number;
}
