/** What is ready, in the words of load balancers. Every word that goes into a file is checked here: a machine chooses what it says its host is. Pure. */
import { isIP } from "node:net";
import type { NamedTask, ResolveResponse } from "../wire/gen/borg/v1/api_pb.ts";
import { portOf } from "./named.ts";

export const LB_FORMATS = ["nginx", "haproxy"] as const;
export type LbFormat = (typeof LB_FORMATS)[number];

export interface Backend {
  /** What the configuration calls it: `ann-web`. */
  readonly name: string;
  readonly servers: readonly { readonly name: string; readonly host: string; readonly port: number }[];
  /** Tasks that were left out, and why. */
  readonly skipped: readonly string[];
}

/** The first line of every file: only such a file is ever replaced. */
export const HEAD = "# Written by borg lb";
const HOST = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/i;
const TASK = /^[a-z0-9-]+\/[a-z0-9-]+\/[0-9]+$/;

export function backendOf(name: string, { tasks }: ResolveResponse, port: string | undefined): Backend {
  const servers: Backend["servers"][number][] = [];
  const skipped: string[] = [];
  for (const task of tasks) {
    const number = portOf(task, port);
    const problem = problemOf(task, number, port);
    if (problem === undefined)
      servers.push({ name: task.name.slice(task.name.indexOf("/") + 1).replace("/", "-"), host: task.host, port: number! });
    else skipped.push(problem);
  }
  return { name, servers, skipped };
}

function problemOf({ name, host }: NamedTask, number: number | undefined, port: string | undefined): string | undefined {
  if (!TASK.test(name)) return "a task without a name";
  if (isIP(host) === 0 && !HOST.test(host)) return `${name}: its machine says no host that could be written down`;
  return number === undefined ? `${name} has no port${port === undefined ? "" : ` "${port}"`}` : undefined;
}

export const configText = (format: LbFormat, backend: Backend): string => TEXTS[format](backend);

const address = (host: string, port: number): string => `${host.includes(":") ? `[${host}]` : host}:${port}`;

/** To be included in `http`. An upstream without any server is refused by nginx, so there is one that is down. */
function nginxText({ name, servers }: Backend): string {
  const lines = servers.map((one) => `    server ${address(one.host, one.port)};`);
  return `${HEAD}: what is ready of ${name}. It is replaced when that changes.\nupstream ${name} {\n${(lines.length === 0 ? ["    server 127.0.0.1:1 down;"] : lines).join("\n")}\n}\n`;
}

/** A file beside the others (`haproxy -f main.cfg -f this.cfg`). */
function haproxyText({ name, servers }: Backend): string {
  const lines = servers.map((one) => `    server ${one.name} ${address(one.host, one.port)}`);
  return `${HEAD}: what is ready of ${name}. It is replaced when that changes.\nbackend ${name}\n    balance roundrobin\n${lines.map((line) => `${line}\n`).join("")}`;
}

const TEXTS: Readonly<Record<LbFormat, (backend: Backend) => string>> = { nginx: nginxText, haproxy: haproxyText };
