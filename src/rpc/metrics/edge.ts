/**
 * What Prometheus scrapes: GET /metrics (the cell, its master and schedulers), /metrics/machines and /metrics/jobs. Worked out from the API's own reads when it is
 * scraped, paid for like them, and from this replica's copy however old it is, with its age. Never over a clear connection, and only for who has a role.
 */
import { make } from "../../wire/codec.ts";
import * as wire from "../../wire/gen/borg/v1/api_pb.ts";
import type { CallState, Calls } from "../api/calls.ts";
import { chargedTo } from "../api/charge.ts";
import { answerPage, type Page, refusalPage } from "../api/http.ts";
import type { Bounds } from "../bounds.ts";
import { type CallCode, CallError } from "../call-error.ts";
import type { MesosExchange } from "../mesos/edge.ts";
import type { Call, CellHandlers } from "../service.ts";
import { CELL_FAMILIES, JOB_FAMILIES, type Listed, MACHINE_FAMILIES } from "./families.ts";
import { familiesText, METRICS_TYPE } from "./text.ts";

export interface MetricsOptions {
  readonly handlers: CellHandlers;
  readonly calls: Calls;
  readonly bounds: Bounds;
  readonly log: (line: string) => void;
}

const METHOD = "metrics";
/** More of them are left out, and the text says so. */
const LISTED_MAX = 20_000;
const PAGE = 2000;
const DAYS = 1;

const STATUS: Readonly<Partial<Record<CallCode, number>>> = { unauthenticated: 401, "not-permitted": 403, unavailable: 503, unknown: 503 };

export async function scrape(exchange: MesosExchange, path: string, options: MetricsOptions): Promise<void> {
  const { request, response, connection, token } = exchange;
  if (request.method !== "GET" && request.method !== "HEAD")
    return answerPage(
      request,
      response,
      refusalPage(405, "unimplemented", `Cannot ${request.method} metrics: use GET`, { allow: "GET, HEAD" }),
    );
  const { isReserve, user } = connection;
  const { state } = options.calls.begin({ token, user, session: undefined, timeoutMs: undefined, isReserve, bytes: 0 });
  let page: Page;
  try {
    const identity = await options.calls.enter(state, METHOD);
    if (identity.controller !== undefined)
      throw new CallError("not-permitted", `The token of "${identity.controller}" is for its own jobs: metrics need a token of a user`);
    exchange.complete();
    const body = await textFor(path, options.handlers, callOf(exchange, state, identity.user, options.bounds));
    page = { status: 200, headers: { "content-type": METRICS_TYPE, "cache-control": "no-store" }, body };
  } catch (error) {
    page = problemPage(error, options);
  } finally {
    options.calls.end(state);
  }
  exchange.answering();
  answerPage(request, response, page);
}

function problemPage(error: unknown, { log }: MetricsOptions): Page {
  if (error instanceof CallError) return refusalPage(STATUS[error.code] ?? 500, error.code, error.message);
  log(`Cannot tell metrics: ${error instanceof Error ? error.stack : String(error)}`);
  return refusalPage(500, "internal", "Cannot tell metrics: the cell has a bug here, its log says more");
}

interface Looking {
  readonly call: Call;
  ageMs: number;
}

function callOf({ response }: MesosExchange, state: CallState, user: string, { callMs }: Bounds): Looking {
  const looking: { call: Call; ageMs: number } = {
    ageMs: 0,
    call: {
      ...{ user, deadlineMs: callMs, stale: true, ...chargedTo(state, response) },
      shown: (_, ageMs) => {
        looking.ageMs = Math.max(looking.ageMs, ageMs ?? Number.NaN);
      },
    },
  };
  return looking;
}

function textFor(path: string, handlers: CellHandlers, looking: Looking): Promise<string> {
  if (path === "/metrics/machines") return machinesText(handlers, looking.call);
  if (path === "/metrics/jobs") return jobsText(handlers, looking.call);
  return cellText(handlers, looking);
}

async function cellText(handlers: CellHandlers, looking: Looking): Promise<string> {
  const { call } = looking;
  const cell = (await handlers.getCell(make(wire.GetCellRequestSchema, {}), call)) as wire.CellView;
  const master = (await handlers.getMaster(make(wire.GetMasterRequestSchema, {}), call)) as wire.MasterView;
  const { schedulers } = (await handlers.listSchedulers(make(wire.ListSchedulersRequestSchema, {}), call)) as wire.ListSchedulersResponse;
  const { days } = (await handlers.reportEvictions(
    make(wire.ReportEvictionsRequestSchema, { days: DAYS }),
    call,
  )) as wire.ReportEvictionsResponse;
  return familiesText(CELL_FAMILIES, { cell, ageMs: looking.ageMs, master, schedulers, today: days.at(-1) });
}

async function machinesText(handlers: CellHandlers, call: Call): Promise<string> {
  const listed = await pages(async (after) => {
    const request = make(wire.ListMachinesRequestSchema, { after, limit: PAGE });
    const { machines, more } = (await handlers.listMachines(request, call)) as wire.ListMachinesResponse;
    return { items: machines, more };
  });
  return familiesText(MACHINE_FAMILIES, listed);
}

async function jobsText(handlers: CellHandlers, call: Call): Promise<string> {
  const listed = await pages(async (after) => {
    const { jobs, more } = (await handlers.listJobs(
      make(wire.ListJobsRequestSchema, { after, limit: PAGE }),
      call,
    )) as wire.ListJobsResponse;
    return { items: jobs, more };
  });
  return familiesText(JOB_FAMILIES, { ...listed, items: listed.items.filter(({ allocSet }) => !allocSet) });
}

async function pages<T extends { readonly name: string }>(page: (after: string) => Promise<Listed<T>>): Promise<Listed<T>> {
  const items: T[] = [];
  for (;;) {
    const found = await page(items.at(-1)?.name ?? "");
    items.push(...found.items);
    if (!found.more || items.length >= LISTED_MAX) return { items, more: found.more };
  }
}
