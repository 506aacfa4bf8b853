/** Where `borg up` lets its cell tell names by DNS: a port of loopback beside the API's, one that was asked for, or none. Never port 53 by itself. */
import { createServer } from "node:net";
import type { CellFile } from "../daemon/data.ts";
import { Failure } from "./exit.ts";

interface DnsFlags {
  readonly port?: string | undefined;
  readonly dns?: string | undefined;
  readonly dnsDomain?: string | undefined;
}

const PORT_MIN = 1024;
const PORT_MAX = 65_535;
const API_PORT_DEFAULT = 7878;
const BESIDE = 1000;
const DOMAIN = /^(?=.{1,190}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;

export function dnsOf(flags: DnsFlags, known: CellFile | undefined): Pick<CellFile, "dnsPort" | "dnsDomain"> {
  const dnsDomain = domainOf(flags.dnsDomain) ?? known?.dnsDomain;
  return { dnsPort: portOf(flags, known), ...(dnsDomain === undefined ? {} : { dnsDomain }) };
}

/** 0: none. A port that goes with the API's moves with it. */
function portOf({ dns, port }: DnsFlags, known: CellFile | undefined): number {
  if (dns === "off") return 0;
  if (dns === undefined) {
    const api = Number(port ?? known?.port ?? API_PORT_DEFAULT);
    const moved = known?.dnsPort === undefined || known.dnsPort === beside(known.port);
    return moved ? beside(api) : known.dnsPort!;
  }
  const asked = Number(dns);
  if (Number.isInteger(asked) && asked >= PORT_MIN && asked <= PORT_MAX) return asked;
  throw new Failure(
    "usage",
    `Cannot tell names at port "${dns}"`,
    `a number from ${PORT_MIN} to ${PORT_MAX}, or off: the master is not root`,
  );
}

const beside = (api: number): number => (api + BESIDE <= PORT_MAX ? api + BESIDE : api - BESIDE);

function domainOf(text: string | undefined): string | undefined {
  if (text === undefined || DOMAIN.test(text)) return text;
  throw new Failure("usage", `Cannot use "${text}" as a domain`, "small letters, digits, dashes and dots, as in example.com");
}

/** Somebody else may have the port now; the master tries again, and goes on without. */
export async function dnsProblem({ host, dnsPort = 0 }: CellFile): Promise<string | undefined> {
  if (dnsPort === 0) return undefined;
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen({ host, port: dnsPort, exclusive: true }, () => resolve(true));
  });
  await new Promise<void>((resolve) => (isFree ? server.close(() => resolve()) : resolve()));
  return isFree ? undefined : `Somebody else has port ${dnsPort}: names are told by DNS when it is free (--dns chooses another)`;
}

export const dnsText = ({ cell, host, dnsPort = 0, dnsDomain }: CellFile): string =>
  dnsPort === 0
    ? "borg resolve JOB (DNS is off: --dns PORT)"
    : `dig @${host} -p ${dnsPort} JOB.USER.${cell}.borg${dnsDomain === undefined ? "" : `.${dnsDomain}`}`;
