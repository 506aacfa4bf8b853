/** Commands about a cell on several machines, and its masters. What they do is in commands/. */
import type { Command } from "commander";
import { does, examples, type Setting } from "./catalogue.ts";
import type { AuthorityOptions, RetireOptions } from "./commands/authority.ts";
import type { EtcdOptions } from "./commands/etcd.ts";
import type { InitOptions, JoinOptions } from "./commands/init.ts";
import type { MasterCommandOptions } from "./commands/master.ts";
import type { MasterInviteOptions, MastersOptions } from "./commands/masters.ts";
import { describedFlags } from "./described-flags.ts";

export function addMasterCommands(program: Command, setting: Setting): void {
  addInit(program, setting);
  addMaster(program, setting);
  addReplicas(program, setting);
  addAuthority(program, setting);
  addEtcd(program, setting);
}

function addEtcd(program: Command, setting: Setting): void {
  const etcd = program.command("etcd").helpCommand(false).description("care of the etcd of a cell with several masters");
  examples(etcd, ["borg etcd defragment"]);
  const defragment = etcd
    .command("defragment")
    .description("give back room that etcd no longer needs, one member after the other, and end its alarm for lack of room")
    .option("--data <dir>", "the cell kept there");
  examples(defragment, ["borg etcd defragment", "borg etcd defragment --json"]);
  does<EtcdOptions>(setting, defragment, "changes", async (context, _, options) =>
    (await import("./commands/etcd.ts")).etcdDefragment(context, options),
  );
}

function addAuthority(program: Command, setting: Setting): void {
  const authority = program
    .command("authority")
    .helpCommand(false)
    .description("whose certificates the cell believes, and exchanging that");
  examples(authority, ["borg authority show", "borg authority renew", "borg authority retire"]);
  const load = () => import("./commands/authority.ts");
  const here = (command: Command): Command => command.option("--data <dir>", "the cell kept there");
  const show = here(authority.command("show").description("the cell's authority, and how far an exchange is"));
  examples(show, ["borg authority show", "borg authority show --json"]);
  does<AuthorityOptions>(setting, show, "reads", async (context, _, options) => (await load()).authorityShow(context, options));
  const renew = here(
    authority
      .command("renew")
      .description("make a new authority: both are believed, and machines and masters get new certificates by themselves"),
  );
  examples(renew, ["borg authority renew", "borg authority renew --json"]);
  does<AuthorityOptions>(setting, renew, "changes", async (context, _, options) => (await load()).authorityRenew(context, options));
  const retire = here(
    authority.command("retire").description("end the old authority, when all machines have certificates of the new one"),
  ).option("--anyway", "leave out machines that are away or have not asked: they need new tickets then");
  examples(retire, ["borg authority retire", "borg authority retire --anyway"]);
  does<RetireOptions>(setting, retire, "changes", async (context, _, options) => (await load()).authorityRetire(context, options));
}

function addMaster(program: Command, setting: Setting): void {
  const master = program
    .command("master")
    .description("run one replica of a cell by hand, until Ctrl-C: in place of one that borg up does not run")
    .requiredOption("--replica <n>", "which of them")
    .option("--etcd <urls>", "where the members of its etcd are, with commas between them (default: those of the cell's directory)")
    .option("--data <dir>", "the cell kept there");
  examples(master, ["borg master --replica 2", "borg master --replica 2 --etcd https://127.0.0.1:7900,https://127.0.0.1:7902"]);
  does<MasterCommandOptions>(setting, master, "changes", async (context, _, options) =>
    (await import("./commands/master.ts")).master(context, options),
  );
}

function addReplicas(program: Command, setting: Setting): void {
  const replica = program.command("replica").helpCommand(false).description("which machines hold masters of a cell on several");
  examples(replica, ["borg replica ls", "borg replica invite --out next.ticket", "borg replica remove 3"]);
  const load = () => import("./commands/masters.ts");
  const here = (command: Command): Command => command.option("--data <dir>", "the cell kept there");
  const ls = here(replica.command("ls").description("which machines hold masters of the cell, and whether their members of etcd vote"));
  examples(ls, ["borg replica ls", "borg replica ls --json"]);
  does<MastersOptions>(setting, ls, "reads", async (context, _, options) => (await load()).masterLs(context, options));
  const invite = here(
    replica
      .command("invite")
      .description("make a ticket with which one machine can join as a master; it is good once, and its user gets the cell's keys"),
  )
    .option("--ttl <time>", "how long the ticket is good (default: 1h)")
    .option("--out <file>", "write the ticket there, for you alone, instead of printing it");
  examples(invite, ["borg replica invite --out next.ticket", "borg replica invite --ttl 10m"]);
  does<MasterInviteOptions>(setting, invite, "changes", async (context, _, options) => (await load()).masterInvite(context, options));
  const remove = here(
    replica
      .command("remove")
      .description("take a master out of the cell, dead or not: what it shows is not believed any more")
      .argument("<replica>"),
  );
  examples(remove, ["borg replica remove 3", "borg replica remove 3 --json"]);
  does<MastersOptions>(setting, remove, "changes", async (context, [which], options) =>
    (await load()).masterRemove(context, which!, options),
  );
}

function addInit(program: Command, setting: Setting): void {
  const load = () => import("./commands/init.ts");
  const init = program
    .command("init")
    .description("make a cell whose masters will be on several machines, of which this is the first; borg up then starts it")
    .requiredOption("--address <ip>", "at which other machines reach this one")
    .option("--data <dir>", "where the cell is kept (default: below your state directory)")
    .option("--port <p>", "the first of the cell's ports, the same on all its machines (default: 7878)")
    .option("--machines <n>", "how many borglets share this machine (default: 1)");
  examples(init, ["borg init --cell cc --address 10.0.0.1", "borg init --cell cc --address 10.0.0.1 --data /var/lib/borg-cc --json"]);
  does<InitOptions>(setting, init, "changes", async (context, _, options) => (await load()).init(context, options));
  const join = describedFlags(
    program
      .command("join")
      .description(
        "join a cell with a ticket, which says as what: as a master, which borg up then starts, or as a machine that serves until Ctrl-C",
      )
      .argument("<file>", "the ticket, in a file that only you can read; - reads it from standard input")
      .option("--address <ip>", "at which other machines reach this one, and the ports of its tasks")
      .option("--data <dir>", "where its keys and what it keeps are (default: below your state directory)")
      .option("--machines <n>", "as a master: how many borglets share this machine (default: 1)")
      .option("--name <name>", "as a machine: what it is called in the cell, if the ticket does not say")
      .option("--cpu <cores>", "as a machine: what it offers (default: all)")
      .option("--ram <bytes>", "as a machine: what it offers (default: most of it)")
      .option("--disk <bytes>", "as a machine: what it offers (default: most of what is free)")
      .option(
        "--trust-all-users",
        "as a machine: run everybody's jobs also where tasks run as you, without a jail (default: only yours there)",
      ),
  );
  examples(join, ["borg join next.ticket --address 10.0.0.2", "borg join far.ticket --address 10.0.0.7 --cpu 2"]);
  does<JoinOptions>(setting, join, "changes", async (context, [file], options) => (await load()).join(context, file!, options));
}
