/** Bugs that let a stranger on the cell's host in: other people's processes, and ports between two masters. */
import type { Mutant } from "./mutant.ts";

export const STRANGER_BUGS: readonly Mutant[] = [
  {
    name: "a promise that was rejected in the background ends the borglet",
    file: "src/borglet/linux/machine.ts",
    text: 'process.on("unhandledRejection",',
    replacement: 'process.on("rejectionHandled",',
    suite: "test/attack/borglet.test.ts",
  },
  {
    name: "a pid of before the machine was started again taken for the cell's",
    file: "src/daemon/data.ts",
    text: " && (boot === undefined || boot === bootId())",
    replacement: "",
    suite: "src/daemon/data.test.ts",
  },
  {
    name: "whoever has the pid of an orphan is ended",
    file: "src/daemon/supervisor.ts",
    text: "    if (!isAlive(id)) continue;\n",
    replacement: "",
    suite: "test/attack/pids.test.ts",
  },
  {
    name: "the supervisor listens on the sockets that it keeps",
    file: "src/cli/up.ts",
    text: "  const stop = new StopWish();\n",
    replacement:
      '  const stop = new StopWish();\n  const { createServer } = await import("node:net");\n  for (const { name, fd } of sockets) if (/^(api|link)/.test(name)) createServer(() => {}).listen({ fd });\n',
    suite: "test/attack/ports.test.ts",
  },
  {
    name: "sockets for who is elsewhere not handed on to the master",
    file: "src/daemon/supervisor.ts",
    text: "env: MASTER_ENVIRONMENT, sockets: sockets.filter((each) => !isResolvers(each))",
    replacement: 'env: MASTER_ENVIRONMENT, sockets: sockets.filter((each) => each.name.endsWith("-owner"))',
    suite: "test/attack/ports.test.ts",
  },
  {
    name: "a port of the cell is anybody's under its other address",
    file: "src/daemon/descriptors.ts",
    text: '    { name, endpoint: { kind: "tcp" as const, host: "::1", port: ports[name], optional: true } },\n',
    replacement: "",
    suite: "test/attack/ports.test.ts",
  },
  {
    name: "a machine is who has its certificate, whatever its key",
    file: "src/rpc/link-identity.ts",
    text: "const isSigned = verify(",
    replacement: "const isSigned = open.signature.length > 0 || verify(",
    suite: "test/attack/link.test.ts",
  },
  {
    name: "user ids of a cell given to another",
    file: "src/daemon/host-ids.ts",
    text: "if (!taken.has(first)) return first;",
    replacement: "if (taken.size >= 0) return first;",
    suite: "test/attack/uids.test.ts",
  },
];
