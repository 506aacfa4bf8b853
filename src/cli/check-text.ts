/** A check as people type it behind `--health` and `--ready`: by HTTP, by TCP or by a command. Whoever wants other times than BCL's writes a file. */
import { HEALTH_DEFAULTS } from "../wire/spec-defaults.ts";
import { Failure } from "./exit.ts";
import { plainName } from "./names.ts";

/** CheckKind of the wire. */
const [TCP, COMMAND] = [1, 2] as const;

const { intervalMs, timeoutMs, failures, path: ROOT } = HEALTH_DEFAULTS;
const TIMES = { intervalMs, timeoutMs, failures } as const;

/** `/healthz` asks the first port, `admin/healthz` a named one; `tcp:db` only connects; `sh:test -f /tmp/ok` is run. */
export function checkOfText(option: string, text: string, ports: readonly string[]) {
  if (text.startsWith("sh:") && text.length > 3) return { kind: COMMAND, command: ["/bin/sh", "-c", text.slice(3)], ...TIMES };
  if (text.startsWith("tcp:")) return { kind: TCP, port: portOf(`${option} tcp:`, text.slice(4), ports), ...TIMES };
  const at = text.indexOf("/");
  if (at === -1) {
    const hint = "/PATH or PORT/PATH by HTTP, tcp:PORT, or sh:COMMAND, as in /healthz, admin/healthz, tcp:db or 'sh:test -f /tmp/ok'";
    throw new Failure("usage", `Cannot understand ${option} "${text}"`, hint);
  }
  return { port: portOf(option, text.slice(0, at), ports, text.slice(at)), path: text.slice(at) || ROOT, ...TIMES };
}

/** `asks` and `path`: what stands before and behind the port, for whoever has to type it again. */
function portOf(asks: string, name: string, ports: readonly string[], path = ""): string {
  const port = name === "" ? ports[0] : plainName(name, "a port");
  if (port !== undefined && ports.includes(port)) return port;
  const what = port === undefined ? "a port, and the job has none" : `port "${port}", which the job has not`;
  const words = asks.endsWith(":") ? asks : `${asks} `;
  throw new Failure("usage", `Cannot ask ${what}`, `name it, as in: --port ${port ?? "http"} ${words}${port ?? "http"}${path}`);
}
