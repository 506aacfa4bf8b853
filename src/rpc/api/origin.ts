/**
 * Whether a request is meant for this server. A page in a browser can make the browser's own machine send requests, under a name that
 * was pointed at it (DNS rebinding) or across origins; the Host and Origin headers tell.
 */
import { type HttpRequest, type Page, refusalPage } from "./http.ts";

/** The names under which this server may be spoken to, without ports: a forwarded port has another number and is still ours. */
export type Hosts = ReadonlySet<string>;

export const hostNames = (hosts: readonly string[]): Hosts => new Set(hosts.map((host) => host.toLowerCase()));

export function originProblem(request: HttpRequest, hosts: Hosts, scheme: "http" | "https"): Page | undefined {
  const authority = authorityOf(request);
  if (authority === undefined)
    return refusalPage(421, "bad-request", "Expected exactly one Host header: send the name that the cell is reached by");
  if (!hosts.has(nameOf(authority)))
    return refusalPage(421, "not-permitted", `Cannot serve host "${printable(authority)}": this cell answers to ${[...hosts].join(", ")}`);
  const { origin } = request.headers;
  if (origin === undefined || origin === `${scheme}://${authority}`) return undefined;
  return refusalPage(403, "not-permitted", `Cannot serve a page of "${printable(origin)}": only this cell's own pages may ask`);
}

function authorityOf(request: HttpRequest): string | undefined {
  if ("authority" in request && typeof request.authority === "string" && request.authority !== "") return request.authority.toLowerCase();
  const hosts = "headersDistinct" in request ? (request.headersDistinct["host"] ?? []) : [request.headers.host];
  return hosts.length === 1 ? hosts[0]?.toLowerCase() : undefined;
}

/** Without the port; an IPv6 address keeps its brackets off. */
function nameOf(authority: string): string {
  if (authority.startsWith("[")) return authority.slice(1, authority.indexOf("]"));
  const colon = authority.lastIndexOf(":");
  return colon === -1 ? authority : authority.slice(0, colon);
}

/** A hostile value, short and harmless. */
const printable = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, "?")
    .replaceAll('"', "'")
    .slice(0, 80);
