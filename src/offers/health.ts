/** A health check in Mesos' words as the cell's own. What the cell cannot ask is refused, never asked differently in silence. */
import { ok, type Result, refused } from "../base/result.ts";
import { make } from "../wire/codec.ts";
import { CheckKind, type HealthCheck, HealthCheckSchema } from "../wire/gen/borg/v1/spec_pb.ts";
import { HealthCheck_Type as Kind, type HealthCheck as MesosCheck } from "../wire/gen/mesos/v1/mesos_pb.ts";

/** As Mesos has them, in seconds. */
const DEFAULTS = { delay: 15, interval: 10, timeout: 20, grace: 10 } as const;
const FAILURES = 3;

/** `ports`: the numbers that the task asks for, in the order of their names. `commandOf`: as the task's own command is made of it. */
export function healthOf(
  check: MesosCheck,
  ports: readonly number[],
  commandOf: (command: MesosCheck["command"]) => string[],
): Result<HealthCheck> {
  const { delaySeconds = DEFAULTS.delay, intervalSeconds = DEFAULTS.interval, timeoutSeconds = DEFAULTS.timeout } = check;
  const { gracePeriodSeconds = DEFAULTS.grace, consecutiveFailures = FAILURES } = check;
  const asked = askedOf(check, ports, commandOf);
  if (!asked.ok) return asked;
  return ok(
    make(HealthCheckSchema, {
      ...asked.value,
      intervalMs: ms(intervalSeconds),
      timeoutMs: ms(timeoutSeconds),
      failures: consecutiveFailures,
      // Here there is one time in which bad answers do not count.
      graceMs: ms(delaySeconds + gracePeriodSeconds),
    }),
  );
}

const ms = (seconds: number): number => Math.ceil(seconds * 1000);

type Asked = Pick<HealthCheck, "kind"> & Partial<Pick<HealthCheck, "port" | "path" | "command">>;

function askedOf(
  { type, http, tcp, command }: MesosCheck,
  ports: readonly number[],
  commandOf: (of: MesosCheck["command"]) => string[],
): Result<Asked> {
  if (type === Kind.COMMAND && command !== undefined) {
    return (command.environment?.variables.length ?? 0) > 0 || command.uris.length > 0
      ? refused("The command of a health check has the task's own files and environment: leave uris and environment out")
      : ok({ kind: CheckKind.COMMAND, command: commandOf(command) });
  }
  if (type === Kind.TCP && tcp !== undefined) return named(tcp.port, ports, (port) => ({ kind: CheckKind.TCP, port }));
  if (type !== Kind.HTTP || http === undefined)
    return refused("A health check is of type HTTP, TCP or COMMAND, and says what of that type: say it");
  const { scheme = "http", statuses, path = "" } = http;
  if (scheme !== "http") return refused(`A health check speaks http, and not ${scheme}: use TCP, or a command`);
  if (statuses.length > 0) return refused("A health check takes 200 to 399 for well, and no other list: leave statuses out");
  return named(http.port, ports, (port) => ({ kind: CheckKind.UNSPECIFIED, port, path: path === "" ? "/" : path }));
}

function named(port: number | undefined, ports: readonly number[], then: (name: string) => Asked): Result<Asked> {
  const index = ports.indexOf(port ?? 0);
  return index < 0
    ? refused(`A health check asks port ${port}, which is not one of the task's: ask for it in the task's resources`)
    : ok(then(`port${index}`));
}
