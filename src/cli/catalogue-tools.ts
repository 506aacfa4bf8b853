/** Commands that need no cell: the job language, benches, completion, help. */
import type { Command } from "commander";
import { does, examples, type Setting } from "./catalogue.ts";
import type { GatewayCommandOptions } from "./commands/mesos-gateway.ts";
import type { Context } from "./context.ts";
import { EXIT, exitCodesText, Failure } from "./exit.ts";

export function addToolCommands(program: Command, setting: Setting): void {
  program.commandsGroup("Tools:");
  const bcl = program
    .command("bcl")
    .description("the job language: eval, check, fmt, test, explain, diff, lsp (borg bcl --help)")
    .argument("[arguments...]")
    .allowUnknownOption()
    .helpOption(false);
  does(setting, bcl, "reads", async (context, args) =>
    (await import("./bcl.ts")).main(context.json ? [...args, "--json"] : args, context.terminal),
  );
  addBenches(program, setting);
  const gateway = program
    .command("mesos-gateway")
    .description("let programs written for Mesos reach the cell as you: plain HTTP on this machine, for your own processes only")
    .option("--port <port>", "where it listens, on 127.0.0.1", "5050");
  examples(gateway, ["borg mesos-gateway", "borg mesos-gateway --port 5051 --json"]);
  does<GatewayCommandOptions>(setting, gateway, "reads", async (context, _, options) =>
    (await import("./commands/mesos-gateway.ts")).mesosGateway(context, options),
  );
  const completion = program
    .command("completion")
    .description("print a completion script for bash or zsh")
    .argument("<shell>", "bash or zsh");
  examples(completion, ["source <(borg completion bash)", "borg completion zsh > ~/.zfunc/_borg"]);
  does(setting, completion, "reads", async (context, [shell]) =>
    (await import("./commands/completion.ts")).completion(context, program, shell!),
  );
  const complete = program.command("__complete", { hidden: true }).argument("<kind>").argument("[prefix]", "", "");
  does(setting, complete, "reads", async (context, [kind, prefix]) =>
    (await import("./commands/completion.ts")).complete(context, kind!, prefix ?? ""),
  );
  const version = program.command("version").description("print the version");
  examples(version, ["borg version", "borg version --json"]);
  does(setting, version, "reads", async (context) => {
    const found = (await import("./home.ts")).home()?.version ?? "unknown";
    context.tell(`borg ${found} on node ${process.version}`, { version: found, node: process.version });
    return 0;
  });
  addHelp(program, setting);
}

function addBenches(program: Command, setting: Setting): void {
  const bench = program
    .command("bench")
    .description("run a bench of the repository: figures as one object")
    .argument("<bench>", "its name; a wrong one lists them")
    .argument("[arguments...]", "its own options: borg bench NAME --help lists them")
    .allowUnknownOption()
    .helpOption(false);
  examples(bench, [
    "borg bench start --json",
    "borg bench failover --rounds 5 --tasks 200 --json",
    "borg bench packages --machines 20 --bytes 200000000 --json",
    "borg bench hostile --users 20 --seconds 600 --json",
    "borg bench cell --machines 1000 --rate 10000 --seconds 30",
    "borg bench schedule --workload uniform --nodes 5000 --count 10000",
  ]);
  does(setting, bench, "reads", (context, args) => runBench(bench, context, args));
  const experiment = program
    .command("experiment")
    .description(
      "run an experiment on a recorded or made-up cell: compaction (how few machines would do), packing (the same on a stress set of cells), reclaim (what fits only by reclamation), delay-scheduling (how much data is local when frameworks wait for it), mesos-macro and mesos-sharing (four frameworks that share by offers, or have a quarter each), mapreduce-policies (MapReduce jobs that grow into idle room), three-worlds (a queue, transactions and offers over one cell and the same work)",
    )
    .argument("<name>", "compaction, packing, reclaim, delay-scheduling, mesos-macro, mesos-sharing, mapreduce-policies or three-worlds")
    .argument("[arguments...]", "its own options: borg experiment NAME --help lists them")
    .allowUnknownOption()
    .helpOption(false);
  examples(experiment, [
    "borg experiment compaction --synthetic 1000 --only prod --seeds 3",
    "borg experiment compaction --machines machines.csv.gz --tasks tasks.csv.gz --svg compaction.svg --json",
    "borg experiment compaction --synthetic 1000 --scale-ram 2 --sample 0.5 --vary 7 --seeds 3",
    'borg experiment packing --only "synthetic-200 prod" --seeds 1 --results packing.jsonl --svg packing.svg',
    "borg experiment reclaim --synthetic 200 --json",
    "borg experiment delay-scheduling --seed 1 --json",
    "borg experiment mesos-macro --seed 1 --svg use.svg --json",
    "borg experiment mesos-macro --table2 --seed 1 --json",
    "borg experiment mesos-sharing --seed 1 --svg shares.svg --json",
    "BORG_TRACE_DIR=data/google2011 borg experiment mapreduce-policies --seed 1 --svg speedups.svg --json",
    "borg experiment three-worlds --seed 1 --svg waits.svg --json",
  ]);
  does(setting, experiment, "reads", (context, args) => runBench(experiment, context, args));
}

/** Each bench lists its own options, so that --help behind a name is the bench's. */
async function runBench(command: Command, context: Context, args: readonly string[]): Promise<number> {
  if (args[0] !== "--help" && args[0] !== "-h") return (await import("./commands/bench.ts")).bench(context, args);
  command.outputHelp();
  return EXIT.done;
}

function addHelp(program: Command, setting: Setting): void {
  const help = program
    .command("help")
    .description("help for a command, or: borg help exit-codes")
    .argument("[topic...]", "a command, or exit-codes");
  examples(help, ["borg help submit", "borg help token create", "borg help exit-codes"]);
  does(setting, help, "reads", async (context, topic) => {
    if (topic[0] === "exit-codes") context.terminal.print(`Exit codes of borg:\n${exitCodesText()}`);
    else if (topic[0] === "bcl") return (await import("./bcl.ts")).main(["--help"], context.terminal);
    else context.terminal.print(commandAt(program, topic).helpInformation());
    return 0;
  });
}

function commandAt(program: Command, topic: readonly string[]): Command {
  let found = program;
  for (const word of topic) {
    const next = found.commands.find((command) => command.name() === word);
    if (next === undefined) throw new Failure("usage", `Cannot find help on "${topic.join(" ")}"`, "borg help lists all commands");
    found = next;
  }
  return found;
}
