/** Commands about a cell as a whole: starting and stopping it, who may do what in it. What they do is in commands/, up.ts and down.ts. */

import type { Command } from "commander";
import { does, examples, labelling, type Setting, several } from "./catalogue.ts";
import { addHistoryCommands } from "./catalogue-history.ts";
import { addMasterCommands } from "./catalogue-masters.ts";
import type { BoundsOptions, GrantOptions, QuotaOptions, TokenOptions } from "./commands/admin.ts";
import type { BackupOptions, RestoreOptions } from "./commands/backup.ts";
import type { BorgletOptions } from "./commands/borglet.ts";
import type { CellSetOptions, LoginOptions } from "./commands/cell.ts";
import type { DrainOptions } from "./commands/drain.ts";
import type { RoleOptions } from "./commands/frameworks.ts";
import type { InstallOptions } from "./commands/install.ts";
import type { ApproveOptions, InviteOptions } from "./commands/join.ts";
import type { LsOptions } from "./commands/ls.ts";
import type { ResetTermOptions } from "./commands/machine.ts";
import type { QuotaReportOptions } from "./commands/quota-report.ts";
import type { SchedulerOptions } from "./commands/scheduler.ts";
import type { UiOptions } from "./commands/ui.ts";
import { describedFlags } from "./described-flags.ts";
import type { DownOptions } from "./down.ts";
import { BOUND, flagsOf } from "./text/resources.ts";
import type { UpOptions } from "./up.ts";
import type { MachineSelection } from "./where.ts";

export function addCellCommands(program: Command, setting: Setting): void {
  program.commandsGroup("Cells:");
  addUpDown(program, setting);
  addBackup(program, setting);
  addInstall(program, setting);
  addBorglet(program, setting);
  addMasterCommands(program, setting);
  addCell(program, setting);
  program.commandsGroup("Administration:");
  addMachines(program, setting);
  addQuota(program, setting);
  addRoles(program, setting);
  addHistoryCommands(program, setting);
  addUsers(program, setting);
  addTokens(program, setting);
  addScheduler(program, setting);
}

function addScheduler(program: Command, setting: Setting): void {
  const scheduler = program
    .command("scheduler")
    .description("run a scheduler as a process of its own, for the jobs that name it")
    .requiredOption("--name <name>", "as in scheduler = NAME of a job")
    .option("--coarse", "claims on a machine that changed meanwhile are refused (when it is new to the cell)")
    .option("--grant <user>", "give its name to a user, and return");
  examples(scheduler, [
    "borg scheduler --name batch-7",
    "borg scheduler --name batch-7 --grant ann",
    "borg scheduler --name batch-7 --cell test",
  ]);
  does<SchedulerOptions>(setting, scheduler, "reads", async (context, _, options) =>
    (await import("./commands/scheduler.ts")).runScheduler(context, options),
  );
}

function addUpDown(program: Command, setting: Setting): void {
  const up = describedFlags(
    program
      .command("up")
      .description("start a whole cell on this machine, and make it the current one")
      .option("--data <dir>", "where it keeps its journal and its tasks (default: below your state directory)")
      .option("--machines <n>", "how many borglets share this machine (default: 1, or as many as it had)")
      .option(
        "--replicas <n>",
        "3 or 5 masters that share a journal in an etcd of the cell's own (default: one master, or as many as it had)",
      )
      .option("--port <p>", "the port of its API on 127.0.0.1 (default: 7878; the next one is for its machines)")
      .option("--batch-schedulers <k>", "threads that share the batch jobs (default: 1, or as many as it had)")
      .option("--trust-all-users", "run everybody's jobs also where tasks run as you, without a jail (default: only yours there)")
      .option("--keep <time>", "how long results and logs of what has ended are kept (default: 1h, or as long as it was)")
      .option(
        "--dns <port>",
        "tell names by DNS at this port of 127.0.0.1, from 1024 on; or off (default: the API's port + 1000, or as it was)",
      )
      .option("--dns-domain <domain>", "names end in NAME.borg.DOMAIN, too (default: only NAME.borg)")
      .option("--log-format <form>", "logs of the cell's processes: text or json (default: BORG_LOG_FORMAT, or text)")
      .option("--log-level <level>", "from which level on: debug, info, warn or error (default: BORG_LOG_LEVEL, or info)")
      .option("--adopt", "take over a directory that came from elsewhere; its cell must not run there any more")
      .option("--detach", "return when it is ready; borg down stops it"),
  );
  examples(up, [
    "borg up",
    "borg up --detach --machines 3",
    "borg up --detach --replicas 3",
    "borg up --detach --keep 24h",
    "borg up --detach --dns 5353 --dns-domain example.com",
    "borg up --detach --rack r7 --attribute ssd=yes",
    "borg up --cell test --data /tmp/test-cell --port 7878",
  ]);
  does<UpOptions>(setting, up, "changes", async (context, _, options) => (await import("./up.ts")).up(options, context.terminal));
  const down = program
    .command("down")
    .description("stop the cell that up started; its tasks go on unless --kill")
    .option("--data <dir>", "the cell kept there")
    .option("--kill", "also stop its tasks");
  examples(down, ["borg down", "borg down --kill", "borg down --data /tmp/test-cell"]);
  does<DownOptions>(setting, down, "changes", async (context, _, options) => (await import("./down.ts")).down(options, context.terminal));
}

function addBackup(program: Command, setting: Setting): void {
  const load = () => import("./commands/backup.ts");
  const backup = program
    .command("backup")
    .description("save a cell of this machine, running or not, to a file that also holds its keys")
    .argument("<file>", "a new file; only you can read it")
    .option("--data <dir>", "the cell kept there");
  examples(backup, ["borg backup local.backup", "borg backup test.backup --data /tmp/test-cell"]);
  does<BackupOptions>(setting, backup, "reads", async (context, [file], options) => (await load()).backup(context, file!, options));
  const restore = program
    .command("restore")
    .description("make a cell of this machine from a backup; borg up then starts it")
    .argument("<file>", "what borg backup saved")
    .option("--data <dir>", "an empty directory, or the cell's own with its journal put away (default: below your state directory)")
    .option("--address <ip>", "of this machine, for a cell on several: it is the first again, and the others join anew")
    .option("--stop-unknown", "restore although tasks run there that the backup does not know; they are stopped");
  examples(restore, [
    "borg restore local.backup --data /tmp/test-cell",
    "borg restore local.backup --stop-unknown",
    "borg restore cc.backup --address 10.0.0.1",
  ]);
  does<RestoreOptions>(setting, restore, "changes", async (context, [file], options) => (await load()).restore(context, file!, options));
}

function addInstall(program: Command, setting: Setting): void {
  const install = program
    .command("install")
    .description("write a systemd unit, with which a cell of this machine comes back at boot")
    .option("--systemd", "for systemd; of root for the whole machine, else for your own manager")
    .option("--data <dir>", "the cell kept there")
    .option("--to <dir>", "where the unit is written (default: where systemd looks for it)");
  examples(install, ["borg install --systemd --to units", "borg install --systemd --to units --json"]);
  does<InstallOptions>(setting, install, "changes", async (context, _, options) =>
    (await import("./commands/install.ts")).install(context, options),
  );
}

function addCell(program: Command, setting: Setting): void {
  const load = () => import("./commands/cell.ts");
  const cell = program.command("cell").helpCommand(false).description("the cells you know, and the one that commands mean");
  examples(cell, ["borg cell ls", "borg cell use test", "borg cell show"]);
  const ls = cell.command("ls").description("the cells you know; * marks the current one");
  examples(ls, ["borg cell ls", "borg cell ls --json"]);
  does(setting, ls, "reads", async (context) => (await load()).cellLs(context));
  const use = cell.command("use").description("let commands mean this cell").argument("<cell>", "one of borg cell ls");
  examples(use, ["borg cell use test"]);
  does(setting, use, "changes", async (context, [name]) => (await load()).cellUse(context, name!));
  const show = cell.command("show").description("what the cell holds, and who you are in it");
  examples(show, ["borg cell show", "borg cell show --cell test --json"]);
  show.option("--hash", "also the hash of its state, for admins");
  does<{ readonly hash?: boolean }>(setting, show, "reads", async (context, _, options) => (await load()).cellShow(context, options));
  const status = program.command("status").description("who leads the cell, how far its other masters are behind, and how their etcd is");
  examples(status, ["borg status", "borg status --json"]);
  does(setting, status, "reads", async (context) => (await import("./commands/status.ts")).status(context));
  const set = cell
    .command("set")
    .description("choose how the cell works, for admins")
    .option("--reclamation <preset>", "how far reservations fall below limits: baseline, medium, aggressive or off")
    .option("--offers <order>", "which framework is offered room first: drf (the smallest share), priority or lottery (by weight)")
    .option("--short-machines <percent>", "on so many machines frameworks may launch only tasks that say how long they take")
    .option("--short-duration <duration>", "how long that is at most; 10m unless set");
  examples(set, [
    "borg cell set --offers lottery --short-machines 10",
    "borg cell set --reclamation aggressive",
    "borg cell set --reclamation medium --json",
  ]);
  does<CellSetOptions>(setting, set, "changes", async (context, _, options) => (await load()).cellSet(context, options));
  const ui = program
    .command("ui")
    .description("a link to the cell's pages: good once, and they show what you may see; of a cell elsewhere, until the command is ended")
    .option("--here", "serve them on this machine even if the cell's own would do")
    .option("--end", "end your sessions in browsers, wherever they are");
  examples(ui, ["borg ui", "borg ui --end"]);
  does<UiOptions>(setting, ui, "reads", async (context, _, options) => (await import("./commands/ui.ts")).ui(context, options));
  const login = program
    .command("login")
    .description("take a ticket that a cell's owner made for you; commands then mean that cell")
    .argument("<file>", "the ticket, in a file that only you can read; - reads it from standard input")
    .option("--as <name>", "what you call the cell (default: what it calls itself)");
  examples(login, ["borg login ann.ticket", "borg login ann.ticket --as team"]);
  does<LoginOptions>(setting, login, "changes", async (context, [file], options) => (await load()).login(context, file!, options));
  const rm = cell
    .command("rm")
    .description("forget a cell and its token; the cell itself goes on")
    .argument("<cell>", "one of borg cell ls");
  examples(rm, ["borg cell rm test"]);
  does(setting, rm, "changes", async (context, [name]) => (await load()).cellRm(context, name!));
}

function addMachines(program: Command, setting: Setting): void {
  const load = () => import("./commands/drain.ts");
  const which = "its name, or a condition for several: rack=r7, power_domain=p1, or an attribute that they have";
  const drain = program
    .command("drain")
    .description("move all tasks away from a machine, and give it no more; no job has more tasks down at a time than it allows")
    .argument("[machine]", which)
    .option("-l, --selector <selector>", "those with such attributes: ssd=yes,arch!=arm64")
    .option("--wait", "until it is empty, and tell what keeps it from that")
    .option("--timeout <time>", "wait at most this long");
  examples(drain, ["borg drain m1", "borg drain m1 --wait --timeout 5m", "borg ls tasks --machine m1"]);
  does<DrainOptions>(setting, drain, "changes", async (context, [machine], options) => (await load()).drain(context, machine, options));
  const undrain = program
    .command("undrain")
    .description("give a machine tasks again")
    .argument("[machine]", which)
    .option("-l, --selector <selector>", "those with such attributes: ssd=yes,arch!=arm64");
  examples(undrain, ["borg undrain m1"]);
  does<MachineSelection>(setting, undrain, "changes", async (context, [machine], options) =>
    (await load()).undrain(context, machine, options),
  );
  addMachine(program, setting);
}

function addMachine(program: Command, setting: Setting): void {
  const load = () => import("./commands/machine.ts");
  const machine = program.command("machine").helpCommand(false).description("which machines are in the cell");
  examples(machine, [
    "borg machine invite far --cpu 4 --ram 8GiB --disk 50GiB --out far.ticket",
    "borg machine pending",
    "borg machine remove m3",
  ]);
  addJoining(machine, setting);
  const remove = machine
    .command("remove")
    .description("take a machine out of the cell: an empty one, or one that does not answer, whose tasks are then given up")
    .argument("<machine>");
  examples(remove, ["borg machine remove m3", "borg machine remove m3 --json"]);
  does(setting, remove, "changes", async (context, [name]) => (await load()).machineRemove(context, name!));
  const reset = machine
    .command("reset-term")
    .description("on the machine itself, its borglet stopped: forget which masters it obeyed, for one that refuses every poll as stale")
    .argument("<machine>")
    .option("--data <dir>", "where its borglet keeps its memory (default: the cell of this machine)");
  examples(reset, ["borg machine reset-term m1", "borg machine reset-term m1 --data /tmp/test-cell"]);
  does<ResetTermOptions>(setting, reset, "changes", async (context, [name], options) =>
    (await load()).machineResetTerm(context, name!, options),
  );
}

function addJoining(machine: Command, setting: Setting): void {
  const load = () => import("./commands/join.ts");
  const sized = (command: Command): Command => {
    for (const dimension of BOUND) command.option(flagsOf(dimension), "of what it says it has, no more counts");
    return command;
  };
  const invite = sized(
    machine
      .command("invite")
      .description(
        "make a ticket with which one machine from elsewhere can join, as far as you approve; without a name, one that waits for your approval",
      )
      .argument("[name]", "what the machine is called in the cell"),
  )
    .option("--ttl <time>", "how long the ticket is good (default: 1h)")
    .option("--out <file>", "write the ticket there, for you alone, instead of printing it");
  examples(invite, ["borg machine invite far --cpu 4 --ram 8GiB --disk 50GiB --out far.ticket", "borg machine invite"]);
  does<InviteOptions>(setting, invite, "changes", async (context, [name], options) => (await load()).machineInvite(context, name, options));
  const pending = machine.command("pending").description("machines that ask to join, and those that may and have not yet");
  examples(pending, ["borg machine pending", "borg machine pending --json"]);
  does(setting, pending, "reads", async (context) => (await load()).machinePending(context));
  const approve = sized(
    machine
      .command("approve")
      .description("let a machine that asks join; or let more, or less, of one that has joined count")
      .argument("<machine>"),
  ).option("--fingerprint <hex>", "of its key, as the machine itself shows it (default: the key it was approved with)");
  examples(approve, [
    `borg machine approve near --fingerprint ${"0123456789abcdef".repeat(4)} --cpu 4 --ram 8GiB --disk 50GiB`,
    "borg machine approve near --cpu 8 --ram 16GiB --disk 100GiB",
  ]);
  does<ApproveOptions>(setting, approve, "changes", async (context, [name], options) =>
    (await load()).machineApprove(context, name!, options),
  );
  const deny = machine
    .command("deny")
    .description("let a machine that asks to join wait no longer")
    .argument("<machine>")
    .option("--fingerprint <hex>", "of its key (default: whoever asks under that name)");
  examples(deny, ["borg machine deny far"]);
  does<{ readonly fingerprint?: string }>(setting, deny, "changes", async (context, [name], options) =>
    (await load()).machineDeny(context, name!, options),
  );
}

function addBorglet(program: Command, setting: Setting): void {
  const borglet = describedFlags(
    program
      .command("borglet")
      .description("make this host a machine of a cell that is kept elsewhere, until Ctrl-C; its tasks go on")
      .option("--join <file>", "the ticket that borg machine invite made; - reads it from standard input (later: what was kept)")
      .option("--name <name>", "what it is called in the cell, if the ticket does not say")
      .option("--data <dir>", "where it keeps its key, its memory and its tasks (default: below your state directory)")
      .option("--host <host>", "under which the ports of its tasks are reached (default: this host's name)")
      .option("--cpu <cores>", "what it offers (default: all)")
      .option("--ram <bytes>", "what it offers (default: most of it)")
      .option("--disk <bytes>", "what it offers (default: most of what is free)")
      .option("--trust-all-users", "run everybody's jobs also where tasks run as you, without a jail (default: only yours there)")
      .option("--adopt", "take over a directory that came from elsewhere; its borglet must not run there any more"),
  );
  examples(borglet, [
    "borg borglet --join far.ticket",
    "borg borglet --join open.ticket --name near --cpu 2",
    "borg borglet --data /srv/far",
  ]);
  does<BorgletOptions>(setting, borglet, "changes", async (context, _, options) =>
    (await import("./commands/borglet.ts")).borglet(context, options),
  );
}

function addRoles(program: Command, setting: Setting): void {
  const role = program.command("role").helpCommand(false).description("what frameworks (Mesos) of a role get of the cell");
  examples(role, ["borg role ls", "borg role set analytics --weight 3"]);
  const ls = role.command("ls").description("roles, their weights and guarantees, and how much of the cell their frameworks have");
  examples(ls, ["borg role ls", "borg role ls --json"]);
  does(setting, ls, "reads", async (context) => (await import("./commands/frameworks.ts")).lsRoles(context));
  const set = role
    .command("set")
    .description("set a role's weight, what it is guaranteed, and who may have frameworks in it; what is not named is as everybody's")
    .argument("<role>", "analytics, eng/backend or *")
    .option("--weight <n>", "its share in proportion to others' (default: 1)")
    .option("-u, --user <name>", "only for this user's frameworks (again for more)", several);
  for (const dimension of BOUND) set.option(flagsOf(dimension), "guaranteed: below this none of its tasks is revoked");
  examples(set, ["borg role set analytics --weight 3", "borg role set analytics --weight 2 --user ann"]);
  does<RoleOptions>(setting, set, "changes", async (context, [name], options) =>
    (await import("./commands/frameworks.ts")).roleSet(context, name!, options),
  );
}

function addQuota(program: Command, setting: Setting): void {
  const quota = program.command("quota").helpCommand(false).description("what users may have admitted");
  examples(quota, ["borg quota ls --all", "borg quota set ann batch --cpu 4 --ram 8GiB --disk 20GiB"]);
  const ls = quota.command("ls").description("quota, and how much of it is taken");
  ls.option("-l, --selector <selector>", "of users with such labels: team=search");
  ls.option("-u, --user <name>", "of this user (default: yours)").option("-a, --all", "of all users");
  examples(ls, ["borg quota ls", "borg quota ls --all --json"]);
  does<LsOptions>(setting, ls, "reads", async (context, _, options) => (await import("./commands/ls.ts")).lsQuota(context, options));
  const set = quota
    .command("set")
    .description("set a user's quota in a band; what is not named is nothing")
    .argument("<user>")
    .argument("<band>", "free, batch, production or monitoring");
  for (const dimension of BOUND) set.option(flagsOf(dimension), "all tasks together");
  set
    .option("--ports <n>", "all tasks together (default: no limit)")
    .option("--unlimited", "no limit at all; not in production and monitoring")
    .option("--until <when>", "the end: 2030-12-31, or 30d from now; what was admitted before stays")
    .option("--oversell", "grant more in production and monitoring than the cell has machines for");
  examples(set, ["borg quota set ann batch --cpu 4 --ram 8GiB --disk 20GiB --until 30d", "borg quota set ann batch --unlimited"]);
  does<QuotaOptions>(setting, set, "changes", async (context, [user, band], options) =>
    (await import("./commands/admin.ts")).quotaSet(context, user!, band!, options),
  );
  const report = quota.command("report").description("what is granted, admitted, on machines and used, and what that costs by band");
  report.option("-l, --selector <selector>", "of users with such labels: team=search");
  report.option("-u, --user <name>", "of this user (default: yours)").option("-a, --all", "of all users");
  examples(report, ["borg quota report", "borg quota report --all --json"]);
  does<QuotaReportOptions>(setting, report, "reads", async (context, _, options) =>
    (await import("./commands/quota-report.ts")).quotaReport(context, options),
  );
  const bounds = quota
    .command("bounds")
    .description(
      "set the most that a user may make the cell remember, in all bands, and ask of its API; what is not named is as everybody's",
    )
    .argument("<user>")
    .option("--jobs <n>", "living jobs")
    .option("--tasks <n>", "living tasks")
    .option("--specs <bytes>", "specs of its jobs, configuration files included")
    .option("--packages <n>", "packages")
    .option("--package-bytes <bytes>", "packages, as they are kept")
    .option("--calls <n>", "calls of the API in progress")
    .option("--polls <n>", "calls that wait for news")
    .option("--work <n>", "units of work each second: a call is one or more, and all users together have 250");
  examples(bounds, [
    "borg quota bounds ann --jobs 5000 --specs 16MiB",
    "borg quota bounds ann --calls 200 --polls 100 --work 200",
    "borg quota bounds ann",
  ]);
  does<BoundsOptions>(setting, bounds, "changes", async (context, [user], options) =>
    (await import("./commands/admin.ts")).quotaBounds(context, user!, options),
  );
}

function addUsers(program: Command, setting: Setting): void {
  const user = program.command("user").helpCommand(false).description("who is known to the cell, and what they may do");
  examples(user, ["borg user ls", "borg user grant ann --role user"]);
  const ls = user
    .command("ls")
    .description("users, their roles, capabilities and labels")
    .option("-l, --selector <selector>", "with such labels: team=search");
  examples(ls, ["borg user ls", "borg user ls --json"]);
  does<LsOptions>(setting, ls, "reads", async (context, _, options) => (await import("./commands/ls.ts")).lsUsers(context, options));
  const grant = user
    .command("grant")
    .description("add to what a user is and may do")
    .argument("<user>")
    .option("--role <role>", "viewer, user, quota-admin or cell-admin (again for more)", several)
    .option("--capability <name>", "modify-any-job, read-any-job, disable-reclamation, slack-memory or schedule (again for more)", several)
    .option("--only", "take away what is not named");
  examples(labelling(grant), [
    "borg user grant ann --role user",
    "borg user grant ann --label team=search",
    "borg user grant bob --role quota-admin --capability read-any-job",
    "borg user grant bob --role viewer --only",
  ]);
  does<GrantOptions>(setting, grant, "changes", async (context, [name], options) =>
    (await import("./commands/admin.ts")).userGrant(context, name!, options),
  );
}

function addTokens(program: Command, setting: Setting): void {
  const load = () => import("./commands/admin.ts");
  const token = program.command("token").helpCommand(false).description("what users show the cell to say who they are");
  examples(token, ["borg token create --user ann --out ann.ticket", "borg token ls", "borg token revoke 0123456789ab --user ann"]);
  const create = token
    .command("create")
    .description("make a token, and with it the ticket that borg login takes; a user the cell does not know becomes one")
    .requiredOption("--user <name>", "who shows it is this user")
    .option("--label <text>", "what it is for")
    .option("--ttl <time>", "how long it is good: 30d (default: until it is revoked)")
    .option("--out <file>", "write the ticket there, for you alone, instead of printing it");
  examples(create, ["borg token create --user ann --label laptop --ttl 30d --out ann.ticket", "borg token create --user ann --json"]);
  does<TokenOptions>(setting, create, "changes", async (context, _, options) => (await load()).tokenCreate(context, options));
  const ls = token.command("ls").description("tokens, without what they are");
  ls.option("-u, --user <name>", "of this user (default: yours)").option("-a, --all", "of all users");
  examples(ls, ["borg token ls", "borg token ls --all"]);
  does<LsOptions>(setting, ls, "reads", async (context, _, options) => (await import("./commands/ls.ts")).lsTokens(context, options));
  const revoke = token
    .command("revoke")
    .description("let a token be good no more")
    .argument("<id>", "as borg token ls shows it")
    .option("--user <name>", "whose it is (default: yours)");
  examples(revoke, ["borg token revoke 0123456789ab", "borg token revoke 0123456789ab --user ann"]);
  does<{ readonly user?: string }>(setting, revoke, "changes", async (context, [id], options) =>
    (await load()).tokenRevoke(context, id!, options),
  );
}
