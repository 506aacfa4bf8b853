/** Bugs in names: who is under one, what DNS says, what is kept for load balancers, what is measured. */
import type { Mutant } from "./mutant.ts";

const RESOLVE = "test/borgmaster/resolve.test.ts";
const ANSWER = "src/bns/answer.test.ts";
const SERVER = "src/bns/server.test.ts";
const RESOLVER = "src/bns/resolver.test.ts";
const LB = "src/cli/commands/lb.test.ts";
const METRICS = "src/rpc/metrics/metrics.test.ts";

export const NAME_BUGS: readonly Mutant[] = [
  {
    name: "a dead instance is still named",
    file: "src/borgmaster/api/resolve.ts",
    text: "instance !== undefined && isReady(instance);",
    replacement: "instance !== undefined;",
    suite: RESOLVE,
  },
  {
    name: "a job that has ended keeps its name",
    file: "src/borgmaster/api/resolve.ts",
    text: 'job.state !== "dead" && !isAllocSet(job);',
    replacement: "!isAllocSet(job);",
    suite: RESOLVE,
  },
  {
    name: "a service of another user is taken for mine",
    file: "src/borgmaster/api/resolve.ts",
    text: "[...owner.jobs].filter(",
    replacement: "[...state.jobs.values()].filter(",
    suite: RESOLVE,
  },
  {
    name: "a watch is not told that a task runs again",
    file: "src/borgmaster/api/resolve.ts",
    text: "`${instance.id} ${readySinceMs(instance)} ${instance.health}",
    replacement: "`${instance.id} ${instance.health}",
    suite: RESOLVE,
  },
  {
    name: "a negative answer without SOA",
    file: "src/bns/answer.ts",
    text: "if (zone !== undefined && said.answers.length === 0) response",
    replacement: "if (zone === undefined && said.answers.length === 0) response",
    suite: ANSWER,
  },
  {
    name: "a name of another cell answered",
    file: "src/bns/zone.ts",
    text: "name === zone || name.endsWith(`.${zone}`)",
    replacement: 'name === zone || name.endsWith(zone.slice(zone.indexOf(".")))',
    suite: ANSWER,
  },
  {
    name: "what ends like a zone is taken for it",
    file: "src/bns/zone.ts",
    text: "name.endsWith(`.${zone}`)",
    replacement: "name.endsWith(zone)",
    suite: ANSWER,
  },
  {
    name: "a task that waits is said not to be there",
    file: "src/bns/zone.ts",
    text: "Number(index) >= served.size) return ABSENT;",
    replacement: "!served.tasks.some((task) => task.index === Number(index))) return ABSENT;",
    suite: ANSWER,
  },
  {
    name: "a new master says that there are no names before it knows them",
    file: "src/bns/answer.ts",
    text: 'if (directory.cell === "") return only(RCODE.SERVFAIL);',
    replacement: "",
    suite: ANSWER,
  },
  {
    name: "a datagram longer than who asked can take",
    file: "src/bns/answer.ts",
    text: "Math.min(bound, Math.max(UDP_BYTES_PLAIN, edns?.class ?? 0))",
    replacement: "bound",
    suite: ANSWER,
  },
  {
    name: "an answer cut off without a word",
    file: "src/bns/answer.ts",
    text: "response.header.tc = 1;",
    replacement: "",
    suite: ANSWER,
  },
  {
    name: "answers are taken for questions",
    file: "src/bns/answer.ts",
    text: "!isAnswer &&",
    replacement: "",
    suite: ANSWER,
  },
  {
    name: "one source is answered as often as it asks",
    file: "src/bns/sources.ts",
    text: "this.#bucketOf(source).take(nowMs) && this.#all.take(nowMs)",
    replacement: "this.#all.take(nowMs)",
    suite: SERVER,
  },
  {
    name: "silent connections keep others out",
    file: "src/bns/server.ts",
    text: "socket.setTimeout(this.#limits.idleMs, () => socket.destroy());",
    replacement: "",
    suite: SERVER,
  },
  {
    name: "names of the cell are told to the machine's resolvers",
    file: "src/bns/resolver.ts",
    text: "const answer = isOwn ?",
    replacement: "const answer = isOwn && !isDatagram ?",
    suite: RESOLVER,
  },
  {
    name: "a flood of others' names keeps the cell's from being answered",
    file: "src/bns/resolver.ts",
    text: "if (open[whom] >= limits[whom]) return undefined;",
    replacement: "if (open.cell + open.others >= limits[whom]) return undefined;",
    suite: RESOLVER,
  },
  {
    name: "a forged answer to another question is believed",
    file: "src/bns/upstream.ts",
    text: "return said.subarray(12, end).equals(sent.subarray(12, end));",
    replacement: "return true;",
    suite: RESOLVER,
  },
  {
    name: "a resolver asks itself",
    file: "src/bns/upstream.ts",
    text: " && address !== own",
    replacement: "",
    suite: RESOLVER,
  },
  {
    name: "a file in /etc brings the machine's resolvers back",
    file: "src/borglet/linux/jail.ts",
    text: 'return [...jailFiles(files), "--ro-bind", resolver, path];',
    replacement: 'return ["--ro-bind", resolver, path, ...jailFiles(files)];',
    suite: "src/borglet/linux/files.test.ts",
  },
  {
    name: "a letter of a filter ends top",
    file: "src/cli/text/top-screen.ts",
    text: "if (state.typing) return typed(state, key);",
    replacement: 'if (state.typing && key !== "q") return typed(state, key);',
    suite: "src/cli/commands/top.test.ts",
  },
  {
    name: "what a machine says is its host goes into a configuration as it is",
    file: "src/cli/lb-config.ts",
    text: "if (isIP(host) === 0 && !HOST.test(host)) return",
    replacement: 'if (host === "") return',
    suite: LB,
  },
  {
    name: "a load balancer is reloaded for nothing",
    file: "src/cli/commands/lb.ts",
    text: "(changed || isFirst) && this.#reload !== undefined",
    replacement: "this.#reload !== undefined",
    suite: LB,
  },
  {
    name: "a file of somebody else is replaced",
    file: "src/cli/commands/lb.ts",
    text: "  keeper.refuseStrange();\n",
    replacement: "",
    suite: LB,
  },
  {
    name: "metrics for whoever reaches the port",
    file: "src/rpc/server.ts",
    text: "if (!exchange.connection.isProven) return answerPage(exchange.request, exchange.response, this.#clear(exchange));\n    const { handlers, log }",
    replacement: "const { handlers, log }",
    suite: METRICS,
  },
  {
    name: "a label of a metric breaks out of its quotes",
    file: "src/rpc/metrics/text.ts",
    text: `.replaceAll('"', '\\\\"')`,
    replacement: "",
    suite: METRICS,
  },
];
