/** Commands about jobs and tasks: their options, help and examples. What they do is in commands/. */
import type { Command } from "commander";
import { MEASURES } from "../base/dimension.ts";
import { changingMany, does, examples, labelling, type Setting, selecting, several } from "./catalogue.ts";
import type { ApplyOptions } from "./commands/apply.ts";
import type { EventsOptions } from "./commands/events.ts";
import type { FilesOptions } from "./commands/files.ts";
import type { LbOptions } from "./commands/lb.ts";
import type { LogsOptions } from "./commands/logs.ts";
import type { LsOptions } from "./commands/ls.ts";
import type { PushOptions } from "./commands/packages.ts";
import type { ResolveOptions } from "./commands/resolve.ts";
import type { RunOptions } from "./commands/run.ts";
import type { SecretOptions, SetSecretOptions } from "./commands/secrets.ts";
import type { SubmitOptions } from "./commands/submit.ts";
import type { TopOptions } from "./commands/top.ts";
import type { ShowOptions, UpdateOptions } from "./commands/update.ts";
import type { WaitCommandOptions } from "./commands/wait.ts";
import { RUN_DEFAULTS } from "./run-defaults.ts";
import type { ManyOptions, SelectionOptions } from "./selection.ts";
import { ASKED, flagsOf } from "./text/resources.ts";

export function addJobCommands(program: Command, setting: Setting): void {
  program.commandsGroup("Jobs:");
  addRun(program, setting);
  addSubmit(program, setting);
  addWait(program, setting);
  addUpdate(program, setting);
  addChanges(program, setting);
  addPackages(program, setting);
  addSecrets(program, setting);
  addDirectories(program, setting);
  program.commandsGroup("Looking:");
  addLooking(program, setting);
  addFollowing(program, setting);
  addNames(program, setting);
}

function addRun(program: Command, setting: Setting): void {
  const run = program
    .command("run")
    .description("run a command as a job, without a file")
    .argument("<name>", "what the job is called")
    .argument("[command...]", "the program and its arguments, after --");
  for (const dimension of ASKED)
    run.option(
      flagsOf(dimension),
      `limit of each task: ${MEASURES[dimension].written === "cores" ? "0.5, 500m, 2" : "512MiB, 1.5GiB"}`,
      RUN_DEFAULTS[dimension],
    );
  run
    .option("--count <n>", "how many tasks", RUN_DEFAULTS.count)
    .option("--priority <band>", "free, batch, production, monitoring, or a number", RUN_DEFAULTS.priority)
    .option("--port <name>", "a named port; its number is in BORG_PORT_<NAME> (again for more)", several)
    .option("--env <k=v>", "a variable of its environment (again for more)", several)
    .option(
      "--health <check>",
      "restart a task that fails this check: /PATH or PORT/PATH by HTTP, tcp:PORT (takes a connection), sh:COMMAND (exit 0, run with the task's files and limits)",
    )
    .option("--ready <check>", "a task that fails this check, said like --health, goes on, but does not count as ready")
    .option("--lame-duck <time>", "how long a task that is stopped still serves before its SIGTERM, told as stopping: 5s")
    .option("--dir <path>", "pack this directory, push it, and start the command there: read-only, and without .git")
    .option("--package <name>", "a package that the task finds at /borg/packages/<name> (again for more)", several)
    .option("--secret <name>", "a secret that the task finds at /borg/secrets/<name> (again for more)", several)
    .option("--image <name>", "an image that was pushed with --oci: its files are the task's /, and the command follows its entrypoint")
    .option("--scheduler <name>", "who places it (default: the cell's own)")
    .option("--restart <when>", "never, on-failure or always (default: always for production, never with --wait, else on-failure)")
    .option("--fatal-exits <codes>", "exit codes with which a task has failed for good and is not restarted: 64,78")
    .option("--ok-exits <codes>", "exit codes that are as good as 0: 3")
    .option("--wait", "pass on what it writes and end with its exit code; a job that is always restarted is waited for until it is up")
    .option("--rm", "with --wait: the cell forgets the job when it has ended; Ctrl-C kills it")
    .option("--timeout <time>", "wait at most this long");
  examples(run, [
    "borg run hi -- /bin/sh -c 'echo hi; sleep 60'",
    "borg run mine --dir . --wait -- ls -l",
    "borg run sum --wait --rm -- /bin/sh -c 'echo $((6 * 7))'",
    `borg run web --port http --count 3 --restart always --wait -- node -e 'require("http").createServer((_, r) => r.end("hi")).listen(process.env.BORG_PORT_HTTP)'`,
    `borg run api --port http --health /healthz --ready 'sh:test -f warm' --lame-duck 5s -- node -e 'require("http").createServer((_, r) => r.end("hi")).listen(process.env.BORG_PORT_HTTP)'`,
    "borg run shop --image alpine --wait --rm -- cat /etc/os-release",
    "borg run sync --restart on-failure --fatal-exits 64,78 --ok-exits 24 -- /bin/sh -c 'sleep 1; exit 24'",
    "borg run once --restart never --ram 1GiB --env MODE=fast -- /bin/sh -c 'echo $MODE'",
  ]);
  does<RunOptions>(setting, run, "changes", async (context, [name, ...command], options) =>
    (await import("./commands/run.ts")).run(context, name!, command, options),
  );
}

function addPackages(program: Command, setting: Setting): void {
  const load = () => import("./commands/packages.ts");
  const group = program.command("package").helpCommand(false).description("programs and data that tasks find on their machines, read-only");
  examples(group, ["borg package push web .", "borg package ls", "borg package rm web"]);
  const push = group
    .command("push")
    .description("keep a directory or a tar in the cell, under a name and the hash of its bytes; the same files are the same package")
    .argument("<name>", "what it is called")
    .argument("<path>", "a directory (.git is left out), or a tar, also compressed with gzip or zstd")
    .option(
      "--oci",
      "it is an OCI image (a layout directory, its tar, or what docker save wrote): borg run --image uses it as a task's root",
    )
    .option("--shared", "jobs of all users may name it (default: yours alone)");
  examples(labelling(push), [
    "borg package push web .",
    "borg package push web . --label app=web",
    "borg package push tools tools.tar --shared",
    "borg package push alpine --oci alpine.tar",
  ]);
  does<PushOptions>(setting, push, "changes", async (context, [name, path], options) =>
    (await load()).packagePush(context, name!, path!, options),
  );
  const ls = group
    .command("ls")
    .description("packages that your jobs may name, with how many machines have them")
    .option("-u, --user <name>", "of this user (default: yours)")
    .option("-a, --all", "of all users, as far as they are shared")
    .option("-l, --selector <selector>", "with such labels: app=web,tier!=db");
  examples(ls, ["borg package ls", "borg package ls --all --json"]);
  does<LsOptions>(setting, ls, "reads", async (context, _, options) => (await import("./commands/ls.ts")).lsPackages(context, options));
  const rm = group
    .command("rm")
    .description("let the cell forget a package that no living job names")
    .argument("[package]", "web, ann/web, or web@0123abcd");
  examples(changingMany(rm), ["borg package rm web", "borg package rm web@0123abcd", "borg package rm -l app=web --yes"]);
  does<ManyOptions>(setting, rm, "changes", async (context, [name], options) => (await load()).packageRm(context, name, options));
}

function addSecrets(program: Command, setting: Setting): void {
  const load = () => import("./commands/secrets.ts");
  const group = program
    .command("secret")
    .helpCommand(false)
    .description("passwords and keys that tasks find as files, and nobody can read back");
  examples(group, ["borg secret set db --file password.txt", "borg secret ls", "borg secret rm db"]);
  const set = group
    .command("set")
    .description("keep a secret in the cell, encrypted, or give it a new value; tasks get it at their next start")
    .argument("<name>", "what it is called")
    .argument("[value...]", "refused: everybody can read command lines")
    .option("--file <path>", "the value, as it is in this file (default: what is typed, without showing it, or standard input)")
    .option("-u, --user <name>", "of this user (default: yours)");
  examples(labelling(set), ["borg secret set db --file password.txt --label app=shop", "printf %s hunter2 | borg secret set db"]);
  does<SetSecretOptions>(setting, set, "changes", async (context, [name, ...value], options) =>
    (await load()).secretSet(context, name!, value, options),
  );
  const ls = group
    .command("ls")
    .description("which secrets there are, never what they are")
    .option("-l, --selector <selector>", "with such labels: app=web,tier!=db")
    .option("-u, --user <name>", "of this user (default: yours)");
  examples(ls, ["borg secret ls", "borg secret ls --json"]);
  does<SecretOptions & SelectionOptions>(setting, ls, "reads", async (context, _, options) => (await load()).secretLs(context, options));
  const rm = group
    .command("rm")
    .description("let the cell forget a secret that no living job names")
    .argument("[name]", "what it is called")
    .option("-u, --user <name>", "of this user (default: yours)")
    .option("-l, --selector <selector>", "those with such labels: app=web,tier!=db")
    .option("--dry-run", "only show which, and change nothing")
    .option("--yes", "with a selector: do not ask");
  examples(rm, ["borg secret rm db", "borg secret rm -l app=shop --dry-run"]);
  does<ManyOptions>(setting, rm, "changes", async (context, [name], options) => (await load()).secretRm(context, name, options));
  const rotate = group.command("rotate-key").description("make a new key and encrypt every secret of the cell with it; for admins");
  examples(rotate, ["borg secret rotate-key"]);
  does(setting, rotate, "changes", async (context) => (await load()).secretRotateKey(context));
}

function addDirectories(program: Command, setting: Setting): void {
  const load = () => import("./commands/directories.ts");
  const group = program
    .command("directory")
    .helpCommand(false)
    .description("what tasks of allocs left on their machines, as alloc sets say");
  examples(group, ["borg directory ls"]);
  const ls = group
    .command("ls")
    .description("directories of your allocs that are gone (of all, for admins): where each is kept, and until when");
  examples(ls, ["borg directory ls", "borg directory ls --json"]);
  does(setting, ls, "reads", async (context) => (await load()).directoryLs(context));
  const rm = group
    .command("rm")
    .description("let a kept directory go before its time")
    .argument("<alloc>", "ann/room/0:9, as borg directory ls tells it");
  examples(rm, ["borg directory rm ann/room/0:9"]);
  does(setting, rm, "changes", async (context, [alloc]) => (await load()).directoryRm(context, alloc!));
}

function addSubmit(program: Command, setting: Setting): void {
  const submit = program
    .command("submit")
    .description("submit what a file declares")
    .argument("<file>", "a BCL or JSON file")
    .option("--set <name=value>", "a parameter of the file (again for more)", several)
    .option("--wait", "wait until every task runs and stays up")
    .option("--timeout <time>", "wait at most this long")
    .option("--dry-run", "only say what would happen");
  examples(submit, [
    "borg submit examples/hello-web.bcl --wait",
    "borg submit examples/hello-web.bcl --dry-run",
    "borg submit examples/canary.bcl --set tasks=5 --wait --timeout 1m",
  ]);
  does<SubmitOptions>(setting, submit, "changes", async (context, [file], options) =>
    (await import("./commands/submit.ts")).submit(context, file!, options),
  );
  const apply = program
    .command("apply")
    .description("make the cell hold what a file declares: submits, or updates and commits; what has finished is done")
    .argument("<file>", "a BCL or JSON file")
    .option("--set <name=value>", "a parameter of the file (again for more)", several)
    .option("--wait", "wait until every task runs and stays up")
    .option("--timeout <time>", "wait at most this long")
    .option("--rerun", "run again what has ended by itself, though the file has not changed")
    .option("--dry-run", "only say what would happen");
  examples(apply, [
    "borg apply examples/hello-web.bcl",
    "borg apply examples/hello-web.bcl --dry-run",
    "borg apply examples/hello-web.bcl --rerun --wait",
    "borg bcl diff examples/hello-web.bcl examples/canary.bcl",
  ]);
  does<ApplyOptions>(setting, apply, "changes", async (context, [file], options) =>
    (await import("./commands/apply.ts")).apply(context, file!, options),
  );
}

function addUpdate(program: Command, setting: Setting): void {
  const load = () => import("./commands/update.ts");
  const update = program
    .command("update")
    .helpCommand(false)
    .description("give a living job the spec of a file, task by task; it can be undone until it is committed")
    .argument("<file>", "a BCL or JSON file")
    .option("--set <name=value>", "a parameter of the file (again for more)", several)
    .option("--tasks <indexes>", "only these tasks: 0-4, or 0,2,5-7")
    .option("-l, --selector <selector>", "only tasks that have such labels now: track=canary")
    .option("--paused", "only stage it: nothing is changed before borg update resume")
    .option("--wait", "follow it until every task had its turn and is well")
    .option("--commit", "with --wait: commit it then")
    .option("--timeout <time>", "wait at most this long")
    .option("--dry-run", "only say what would be done with each task");
  examples(update, [
    "borg update examples/hello-web.bcl --dry-run",
    "borg update examples/hello-web.bcl --wait --commit",
    "borg update examples/hello-web.bcl --tasks 0-1 --wait",
    "borg update undo hello-web",
  ]);
  does<UpdateOptions>(setting, update, "changes", async (context, [file], options) => (await load()).update(context, file!, options));
  const show = update
    .command("show")
    .description("how far an update has come, task by task")
    .argument("[job]", "web, or ann/web")
    .option("-f, --follow", "go on until it has come to its end");
  examples(selecting(show), ["borg update show web", "borg update show web --json", "borg update show --service site"]);
  does<ShowOptions>(setting, show, "reads", async (context, [job], options) => (await load()).show(context, job, options));
  for (const [kind, words] of [
    ["pause", "hold an update: no more tasks are changed"],
    ["resume", "let an update go on"],
    ["undo", "give every task its old spec back, in batches too"],
    ["commit", "end an update that every task has gone through: the old spec is no more"],
  ] as const) {
    const command = update.command(kind).description(words).argument("[job]", "web, or ann/web");
    examples(changingMany(command), [`borg update ${kind} web`]);
    does<ManyOptions>(setting, command, "changes", async (context, [job], options) => (await load()).steer(context, kind, job, options));
  }
}

function addWait(program: Command, setting: Setting): void {
  const wait = program
    .command("wait")
    .description("wait until a job has ended, and end with its program's exit code")
    .argument("[job]", "web, or ann/web")
    .option("--running", "only until every task has stayed up a moment")
    .option("--timeout <time>", "wait at most this long");
  examples(selecting(wait), ["borg wait once", "borg wait web --running --timeout 1m", "borg wait --service site --running --timeout 1m"]);
  does<WaitCommandOptions>(setting, wait, "reads", async (context, [job], options) =>
    (await import("./commands/wait.ts")).wait(context, job, options),
  );
}

function addChanges(program: Command, setting: Setting): void {
  const load = () => import("./commands/job-changes.ts");
  const kill = program
    .command("kill")
    .description("kill a job and all its tasks; or several jobs, by their labels")
    .argument("[job]", "web, or ann/web");
  examples(changingMany(kill), [
    "borg kill hi",
    "borg kill ann/web",
    "borg kill --service site --dry-run",
    "borg kill -l service=site --yes",
  ]);
  does<ManyOptions>(setting, kill, "changes", async (context, [job], options) => (await load()).kill(context, job, options));
  const restart = program
    .command("restart")
    .description("restart the tasks of a job, or one of them; or tasks of several jobs, by their labels")
    .argument("[task]", "web, or web/0");
  examples(changingMany(restart), ["borg restart web", "borg restart web/0", "borg restart -l service=site --yes"]);
  does<ManyOptions>(setting, restart, "changes", async (context, [name], options) => (await load()).restart(context, name, options));
  const scale = program
    .command("scale")
    .description("change how many tasks a job has")
    .argument("[job]", "web, or ann/web; none with a selector")
    .argument("[count]", "how many tasks from now on");
  examples(changingMany(scale), ["borg scale web 5", "borg scale ann/web 2", "borg scale -l track=canary 1 --yes"]);
  does<ManyOptions>(setting, scale, "changes", async (context, words, options) => (await load()).scale(context, words, options));
  const unpin = program
    .command("unpin")
    .description("let a task that waits for the machine of its volumes start on another one, without what it wrote")
    .argument("[task]", "db/0");
  examples(changingMany(unpin), ["borg unpin db/0"]);
  does<ManyOptions>(setting, unpin, "changes", async (context, [task], options) => (await load()).unpin(context, task, options));
}

function addLooking(program: Command, setting: Setting): void {
  const ls = program
    .command("ls")
    .description("list jobs, tasks, machines, allocs, services, quota, users, tokens, schedulers, packages or frameworks")
    .argument("[what]", "jobs, tasks, machines, allocs, services, quota, users, tokens, schedulers, packages or frameworks", "jobs")
    .argument(
      "[name]",
      "only of this job (jobs, tasks, allocs), this machine, or this user (quota, users, tokens): the same as --job, --machine, --user",
    )
    .option("-u, --user <name>", "of this user (default: yours)")
    .option("-a, --all", "of all users")
    .option("--dead", "also what has ended")
    .option(
      "--state <state>",
      "in this state (again for more): tasks pending, starting, running, backing-off, stopping, ending, dead, or how they ended: finished, failed, killed, lost; " +
        "jobs pending, running, dead or how they ended; machines up, draining, drained, unreachable",
      several,
    )
    .option("--machine <name>", "on this machine")
    .option("--job <name>", "of this job")
    .option("-l, --selector <selector>", "with such labels (machines: attributes): app=web,tier!=db; key, !key and region in (eu, us) too")
    .option("--service <name>", "of this service: the same as -l service=NAME")
    .option("--where <condition>", "machines that are described so (again for more): rack=r7, power_domain!=p1, or an attribute", several);
  examples(ls, [
    "borg ls",
    "borg ls tasks web",
    "borg ls jobs -l 'app=web,tier!=db'",
    "borg ls services",
    "borg ls frameworks --all",
    "borg ls tasks --state failed",
    "borg ls tasks --machine m1 --json",
    "borg ls machines --state draining",
    "borg ls machines --where arch=x64 --where state=up",
  ]);
  does<LsOptions>(setting, ls, "reads", async (context, [what, name], options) =>
    (await import("./commands/ls.ts")).ls(context, what!, options, name),
  );
  const show = program
    .command("show")
    .description("show a job, a task or a machine")
    .argument("[name]", "web, web/0, ann/web/0, or a machine");
  examples(selecting(show), ["borg show web", "borg show web/0", "borg show m1 --json", "borg show --service site"]);
  does<SelectionOptions>(setting, show, "reads", async (context, [name], options) =>
    (await import("./commands/show.ts")).show(context, name, options),
  );
  const why = program
    .command("why")
    .description("say why a task is pending, or why it runs where it does")
    .argument("[task]", "web (its first pending task), or web/0");
  examples(selecting(why), ["borg why web", "borg why web/3", "borg why --service site"]);
  does<SelectionOptions>(setting, why, "reads", async (context, [name], options) =>
    (await import("./commands/why.ts")).why(context, name, options),
  );
}

function addFollowing(program: Command, setting: Setting): void {
  const logs = program
    .command("logs")
    .description("print what a task wrote, or all tasks of a job, each line behind its task")
    .argument("[task]", "web/0; or web, for all its tasks")
    .option("-f, --follow", "go on as it writes, also when it is restarted or moved")
    .option("--stdout", "only standard output (default: both; nobody notes which wrote first)")
    .option("--stderr", "only standard error")
    .option("-n, --tail <lines>", "only the last lines of each")
    .option("--instance <id>", "of an earlier instance (borg show names them)")
    .option("-t, --times", "before each line when it was written, about to the second; < before a time: some time before it")
    .option("--since <time>", "only what was written since then: 10m, or 2030-12-31T12:00:00Z");
  examples(selecting(logs), [
    "borg logs --service site --tail 5",
    "borg logs web/0",
    "borg logs web -f --tail 20",
    "borg logs web/0 --stderr",
    "borg logs web -t --since 10m",
  ]);
  does<LogsOptions>(setting, logs, "reads", async (context, [task], options) =>
    (await import("./commands/logs.ts")).logs(context, task, options),
  );
  const files = program
    .command("files")
    .description("what is in a task's own directory: list it, print a file, or copy one out")
    .argument("[task]", "web/0; none with a selector, which means one task")
    .argument("[path]", "from the task's directory on")
    .option("-o, --output <file>", "copy it there, a new file for you alone");
  examples(selecting(files), ["borg files web/0", "borg files web/0 --json"]);
  does<FilesOptions>(setting, files, "reads", async (context, words, options) =>
    (await import("./commands/files.ts")).files(context, words, options),
  );
  const ssh = program
    .command("ssh")
    .description("a shell in the jail of a running task, among its processes; or one command there")
    .argument("[task]", "web/0; none with a selector, which means one task")
    .argument("[command...]", "what to run instead of a shell");
  examples(selecting(ssh), ["borg ssh web/0 -- ls -l", "borg ssh web/0 -- sh -c 'env | sort'"]);
  does<SelectionOptions>(setting, ssh, "changes", async (context, words, options) =>
    (await import("./commands/ssh.ts")).ssh(context, words, options),
  );
  const top = program
    .command("top")
    .description("tasks and machines that use most, as they are now; arrows choose column and row, / filters, tab shows machines, q ends")
    .option("-l, --selector <selector>", "tasks with such labels: app=web,tier!=db")
    .option("--service <name>", "tasks of this service: the same as -l service=NAME")
    .option("-u, --user <name>", "tasks of this user (default: yours)")
    .option("-a, --all", "tasks of all users")
    .option("--machines", "begin with machines")
    .option("--sort <column>", "name, cpu, ram or restarts", "cpu")
    .option("--filter <text>", "only rows with this text in name, machine or state")
    .option("-n, --times <n>", "end after so many looks, two seconds apart (default: one, where there is no terminal)");
  examples(top, ["borg top -n 1", "borg top --all --sort restarts -n 1", "borg top --machines -n 1", "borg top --json"]);
  does<TopOptions>(setting, top, "reads", async (context, _, options) => (await import("./commands/top.ts")).top(context, options));
  const events = program
    .command("events")
    .description("say what happened, in words")
    .argument("[name]", "only what is about this job, task, machine or user")
    .option("-f, --follow", "go on as it happens")
    .option("-n, --limit <n>", "how many of the past", "50");
  examples(selecting(events), ["borg events -l service=site", "borg events", "borg events web -f", "borg events m1 --json"]);
  does<EventsOptions>(setting, events, "reads", async (context, [about], options) =>
    (await import("./commands/events.ts")).events(context, about, options),
  );
}

function addNames(program: Command, setting: Setting): void {
  const resolve = program
    .command("resolve")
    .description("who serves under a name, and where: tasks that are ready, with the addresses of their ports")
    .argument("[name]", "web, web/0, ann/web, or a name as DNS knows it: 0.web.ann.local.borg")
    .option("--service <name>", "all jobs of this service (label service=NAME)")
    .option("-u, --user <name>", "with --service: whose (default: yours)")
    .option("-a, --all", "also tasks that are not ready, with their states")
    .option("--port <name>", "only the addresses of this port, one a line")
    .option("-w, --watch", "go on: + for each that comes under the name, - for each that leaves it");
  examples(resolve, [
    "borg resolve web",
    "borg resolve web/0 --all",
    "borg resolve web --port http",
    "borg resolve --service site --json",
    "borg resolve web --watch",
  ]);
  does<ResolveOptions>(setting, resolve, "reads", async (context, [name], options) =>
    (await import("./commands/resolve.ts")).resolve(context, name, options),
  );
  const lb = program
    .command("lb")
    .description("keep a part of a load balancer's configuration as the cell is: the tasks of a job that are ready")
    .argument("[job]", "web, or ann/web")
    .option("--service <name>", "all jobs of this service (label service=NAME)")
    .option("-u, --user <name>", "with --service: whose (default: yours)")
    .requiredOption("--format <format>", "nginx (an upstream, to be included) or haproxy (a backend)")
    .requiredOption("--out <file>", "replaced whole at each change; one that borg lb did not write is left alone")
    .option("--port <name>", "which port of the tasks (default: their first)")
    .option("--reload <command>", "run by sh when it begins, and then after each change of the file: nginx -s reload")
    .option("--once", "write it and return");
  examples(lb, [
    "borg lb web --format nginx --out web.conf --once",
    "borg lb web --format haproxy --out web.cfg --port http --reload 'echo changed'",
    "borg lb --service site --format nginx --out site.conf --once",
  ]);
  does<LbOptions>(setting, lb, "reads", async (context, [job], options) => (await import("./commands/lb.ts")).lb(context, job, options));
}
