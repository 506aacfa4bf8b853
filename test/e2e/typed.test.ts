/** Everything that --help, the papers and the hints tell people to type, typed into a fresh cell by a new user. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { directory, file, inTar, saved, tar } from "../../src/archive/image/fixture.test.ts";
import { connectReal } from "../../src/cli/client.ts";
import { fakeTerminal, helpLines } from "../../src/cli/fixture.test.ts";
import { problemsOf, schemaOf } from "../../src/cli/json-schema.test.ts";
import { programFor } from "../../src/cli/main.ts";
import { headCommit, isWhole, sliceOfTexts } from "../../tools/slice.ts";
import { hostRoot } from "./images.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const HANG_MS = 60_000;
/** Of this many parts of the examples the commit chooses one; E2E=all types them all. */
const PARTS = 3;
/** What never ends by itself must have begun well by then. */
const FOLLOWED_MS = 3000;

const home = mkdtempSync(join(tmpdir(), "borg-typed-"));
const desk = join(home, "desk");
const PORT = String(9000 + Math.floor(Math.random() * 250) * 2);
const env = {
  ...process.env,
  HOME: home,
  XDG_CONFIG_HOME: "",
  XDG_STATE_HOME: "",
  BORG_MASTER: "",
  BORG_TOKEN: "",
  BORG_TOKEN_FILE: "",
  PATH: `${join(home, "bin")}:${process.env["PATH"]}`,
};

interface Ran {
  /** Undefined: it was still at it. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** As a person types it, in bash. */
function type(line: string): Promise<Ran> {
  const endless = isEndless(line);
  return new Promise((done) => {
    const child: ChildProcess = spawn("bash", ["-c", line], {
      cwd: desk,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout!.on("data", (piece) => {
      out += piece;
    });
    child.stderr!.on("data", (piece) => {
      err += piece;
    });
    const timer = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), endless ? FOLLOWED_MS : HANG_MS);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      done({ code: signal === null ? (code ?? 255) : endless ? undefined : 255, out, err });
    });
  });
}

const isEndless = (line: string): boolean =>
  /((logs|events).* (-f|--follow)|resolve.* --watch)\b/.test(line) || /^borg (scheduler|mesos-gateway|lb (?!.*--once))/.test(line);

async function good(line: string): Promise<Ran> {
  const ran = await type(line);
  assert.ok(ran.code === 0 || (isEndless(line) && ran.code === undefined), `${line}: exit ${ran.code}\n${ran.out}\n${ran.err}`);
  return ran;
}

let tokenId = "";
let packageId = "";
let keptId = "";
/** What was prepared, and not spoilt since by an example that changes something. */
const prepared = new Set<string>();

async function once(line: string): Promise<void> {
  if (prepared.has(line)) return;
  await type(line);
  prepared.add(line);
}

let isSiteUp = false;

/** The service of some examples takes all the room that there is. */
async function prepareSite(isWanted: boolean): Promise<void> {
  if (isWanted) await type("borg kill web; borg kill hello-web; borg submit examples/canary.bcl --wait");
  else if (isSiteUp) await type("borg kill site-stable; borg kill site-canary");
  if (isWanted || isSiteUp) prepared.clear();
  isSiteUp = isWanted;
}

/** What the examples take for granted: jobs web and hi of mine, web of ann, a second cell that is known, a token to revoke. */
async function prepare(line: string): Promise<void> {
  const names = (word: string): boolean => new RegExp(`(^|[ /])${word}([ /]|$)`).test(line);
  if (/^borg (run|submit|apply) /.test(line)) {
    const job = /^borg run (\S+)/.exec(line)?.[1];
    if (line.includes("--image alpine")) await good("borg package push alpine --oci alpine.tar");
    if (line.includes("--secret db")) await good("printf %s hunter2 | borg secret set db");
    // Examples that came before may have taken its room.
    if (job !== undefined) await type(`for job in ${job} site-stable site-canary hello-web api; do borg kill $job; done`);
    return;
  }
  if (line.startsWith("borg secret set db")) await once("printf %s hunter2 >password.txt");
  if (line.startsWith("borg secret rm db")) await good("printf %s hunter2 | borg secret set db");
  if (line.startsWith("borg secret rm -l app=shop")) await good("printf %s hunter2 | borg secret set key --label app=shop");
  if (line.startsWith("borg package rm -l app=web")) await good("borg package push old-web examples --label app=web");
  if (line.startsWith("borg package push tools")) await once("tar -cf tools.tar examples");
  if (line.startsWith("borg package rm web")) {
    const all = JSON.parse((await good("borg package ls --json")).out) as readonly { name: string; digest: string }[];
    for (const { name, digest } of all) if (name === "web") await good(`borg package rm web@${digest}`);
    packageId = (JSON.parse((await good("borg package push web examples --json")).out) as { digest: string }).digest.slice(0, 8);
    return;
  }
  await prepareSite(/service[= ]site|track=canary/.test(line));
  if (names("web") && !line.includes("ann/") && !line.startsWith("borg package"))
    await once("borg run web --cpu 10m --ram 32MiB --disk 10MiB --count 4 --port http --restart always --wait -- sleep 600");
  // Examples that came before may have taken its room.
  if (line.startsWith("borg wait ") && !isSiteUp) await type("borg kill site-stable; borg kill site-canary; borg kill hello-web");
  if (names("once")) await once("borg run once --cpu 10m --ram 32MiB --disk 10MiB -- true");
  if (names("hi")) await once("borg run hi --cpu 10m --ram 32MiB --disk 10MiB --restart always --wait -- sleep 600");
  if (names("ann/web")) {
    const asAnn = "BORG_TICKET_FILE=kept.ticket";
    await once(
      `borg user grant ann --role user; borg quota set ann batch --unlimited; ${asAnn} borg run web --cpu 10m --ram 32MiB --disk 10MiB -- sleep 600`,
    );
  }
  if (line.startsWith("borg login ann.ticket")) await once("rm -f ann.ticket; borg token create --user ann --out ann.ticket");
  if (names("primes") || names("primes-workers")) await once("borg submit examples/controller.bcl --wait");
  if (names("hello-web/0") || names("hello-web")) await once("borg submit examples/hello-web.bcl --wait");
  if (line.startsWith("borg update web.bcl")) {
    for (const [file, ram] of [
      ["web-before.bcl", "32Mi"],
      ["web.bcl", "48Mi"],
    ])
      writeFileSync(join(desk, file!), `job web = { command = ["sleep", "600"], count = 1, cpu = 10m, ram = ${ram}, disk = 10Mi }\n`);
    await once("borg kill web; borg submit web-before.bcl --wait");
  }
  if (line.startsWith("borg directory rm ")) {
    writeFileSync(join(desk, "room.bcl"), "alloc_set room = { cpu = 10m, ram = 32Mi, disk = 10Mi, keep_directory = 1h }\n");
    await good("borg submit room.bcl --wait && borg kill room");
    keptId = (JSON.parse((await good("borg directory ls --json")).out) as readonly { alloc: string }[])[0]?.alloc ?? "";
  }
  if (line.startsWith("borg unpin ")) {
    writeFileSync(join(desk, "db.bcl"), 'job db = { command = ["true"], cpu = 10m, ram = 32Mi, disk = 10Mi, volumes = ["data"] }\n');
    await type("borg kill db; borg submit db.bcl; borg wait db");
  }
  if (line.startsWith("borg update examples/")) await once("borg submit examples/hello-web.bcl --wait");
  if (names("test")) await once(`borg login mine.ticket --as test; borg cell use local`);
  if (line.includes("0123456789ab")) {
    const who = line.includes("--user ann") ? "ann" : (await type("whoami")).out.trim();
    tokenId = JSON.parse((await good(`borg token create --user ${who} --json`)).out).id;
  }
}

/** The address, the token and the job that this cell has. Who takes a ticket is somebody else, with a configuration of their own. */
const here = (line: string): string =>
  (line.startsWith("borg login") ? `XDG_CONFIG_HOME=$PWD/ann ${line}` : line)
    .replaceAll("./borg", "borg")
    .replaceAll("/tmp/trace", join(desk, "trace"))
    .replaceAll("7878", PORT)
    .replaceAll("0123456789ab", tokenId)
    .replaceAll("0123abcd", packageId)
    .replaceAll("ann/room/0:9", keptId);

/** Why some are not typed here. */
const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/^borg (up|down)\b/, "they begin and end the cell: below, and in first-minute.test.ts"],
  [/^(BORG_TRACE_DIR=\S+ )?borg (bench|experiment)\b/, "they take minutes, or files of yours"],
  [/^node examples\//, "schedulers.test.ts"],
  [/^borg update (pause|resume|undo|commit)/, "they are about an update that goes on: update.test.ts"],
  [/^borg bcl lsp/, "it speaks with an editor"],
  [/^borg machine (remove|reset-term)/, "they are about a machine that is gone or stopped: test/attack/term.test.ts"],
  [/^borg (master|etcd)\b/, "they are about a cell with several masters: replicas.test.ts"],
  [/^borg authority\b/, "they exchange the cell's authority, and with it every ticket: authority.test.ts"],
  [/^borg drain far\b/, "it is about a machine from elsewhere: machines.test.ts"],
  [/^borg (init|join|replica)\b/, "they are about a cell on several machines: machines.test.ts"],
  [/^borg (borglet|machine (approve near --cpu|deny))/, "they are about a machine from elsewhere: test/attack/join.test.ts"],
  [/^borg (restore|backup test\.backup)/, "they need a cell that is lost, or another one: backup.test.ts, tour.test.ts"],
];

const isLeftOut = (line: string): boolean => LEFT_OUT.some(([begins]) => begins.test(line));

/** Several papers say the same. */
const typed = new Set<string>();

/** What the page has made before, of what this line names: the commit may have chosen the one and not the other. */
function takenForGranted(line: string, lines: readonly string[]): readonly string[] {
  if (MAKES.test(line)) return [];
  const words = line.split(/[ /]/);
  return lines.slice(0, lines.indexOf(line)).filter((before) => {
    const made = MAKES.exec(before)?.[2];
    return made !== undefined && (words.includes(made) || line.endsWith(` ${made}`)) && !isLeftOut(before);
  });
}

const MAKES = /^borg (run|submit|apply) (\S+)/;

/** Of what the commit chooses all, also behind one that fails: who mends one wants to know of the others. */
async function typeAll(lines: readonly string[]): Promise<void> {
  const wrong: string[] = [];
  const chosen = sliceOfTexts(lines, PARTS, headCommit(), isWhole());
  for (const line of chosen) {
    if (isLeftOut(line) || typed.has(line)) continue;
    typed.add(line);
    for (const before of takenForGranted(line, lines)) if (!chosen.includes(before)) await once(here(before));
    await prepare(line);
    // A token is never written over a file: what an earlier example wrote must be gone.
    if (line.startsWith("borg backup ")) rmSync(join(desk, "local.backup"), { force: true });
    if (line.includes("/tmp/trace")) rmSync(join(desk, "trace"), { recursive: true, force: true });
    if (line.includes("--out ann.ticket")) rmSync(join(desk, "ann.ticket"), { force: true });
    if (line.includes("--out far.ticket")) rmSync(join(desk, "far.ticket"), { force: true });
    const { code, err } = await type(here(line));
    if (code !== 0 && code !== undefined) wrong.push(`${here(line)}: exit ${code}: ${err}`);
    if (/^borg (run|kill|scale|restart|drain|cell|user)/.test(line)) prepared.clear();
    if (/^borg (cell (use|rm|add)|drain|user grant)/.test(line)) await good("borg cell use local; borg undrain m1");
  }
  assert.deepEqual(wrong, []);
}

before(async () => {
  for (const folder of ["bin", "desk", ".zfunc"]) mkdirSync(join(home, folder));
  symlinkSync(join(ROOT, "borg"), join(home, "bin", "borg"));
  cpSync(join(ROOT, "examples"), join(desk, "examples"), { recursive: true });
  const layer = tar(...hostRoot("cat"), directory("etc"), file("etc/os-release", "NAME=small\n"));
  writeFileSync(join(desk, "alpine.tar"), inTar(saved([layer], { config: { Cmd: ["/bin/cat"], Env: ["PATH=/bin"] } })));
  // Tasks' users pass through it.
  chmodSync(home, 0o711);
  const up = await good(`borg up --detach --machines 2 --port ${PORT} --volume "$(whoami)/data=${home}/srv/{machine}" --json`);
  assert.deepEqual(problemsOf(schemaOf("up"), JSON.parse(up.out)), []);
  await good("borg token create --user ann --out kept.ticket");
  await good('borg token create --user "$(whoami)" --out mine.ticket');
  cpSync(join(desk, "kept.ticket"), join(home, "team.token"));
});

after(async () => {
  await type("borg down --kill --cell local");
  rmSync(home, { recursive: true, force: true });
});

test("every example of --help does what it says [N9]", async () => {
  const program = programFor({ terminal: fakeTerminal(), connect: connectReal, code: 0 });
  const lines = [...new Set(helpLines(program))];
  assert.ok(lines.length > 60, `found ${lines.length}`);
  await typeAll(lines);
});

/** What a page that shows the form of a command leaves to the reader. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/ FILE(\.\.\.)?$/, " examples/hello.bcl"],
  [/ A B$/, " examples/hello-web.bcl examples/canary.bcl"],
  [/explain NAME$/, "explain ram"],
];

/** Behind a command stands a comment, or two spaces and what it does. */
const blockLines = (path: string): readonly string[] =>
  [...readFileSync(join(ROOT, path), "utf8").matchAll(/^(?: {4})?(?:\.\/)?(borg [a-z].*)$/gm)].map((m) =>
    PLACEHOLDERS.reduce((line, [form, value]) => line.replace(form, value), m[1]!.replace(/\s+#.*$/, "").replace(/ {2,}.*$/, "")),
  );

/** Every page that has commands of its own; the tour has a test of its own. */
const PAGES = ["docs", "editors", "examples"]
  .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)))
  .concat("README.md")
  .filter((path) => path.endsWith(".md") && path !== "docs/tour.md" && blockLines(path).length > 0);

for (const path of PAGES) {
  test(`every command of ${path} does what it says [N9]`, async () => {
    const lines = blockLines(path);
    assert.ok(lines.length > 0);
    const hasJq = (await type("jq --version")).code === 0;
    await typeAll(lines.filter((line) => hasJq || !line.includes("| jq")));
  });
}

/** Commands named in what was said; of a sentence, as many words as make one. */
async function typeHints(text: string): Promise<number> {
  const found = [...text.matchAll(/(?<![\w/])borg ([a-z][^\n;,()"]*)/g)].map((m) => m[1]!.trim().replace(/[.:]$/, "").split(" "));
  for (const words of found) {
    if (isLeftOut(`borg ${words.join(" ")}`)) continue;
    let ran: Ran | undefined;
    for (let n = words.length; n > 0 && (ran === undefined || ran.code === 2); n--) ran = await type(`borg ${words.slice(0, n).join(" ")}`);
    assert.ok(
      ran?.code === 0 || (ran?.code === undefined && isEndless(`borg ${words.join(" ")}`)),
      `borg ${words.join(" ")}: exit ${ran?.code}\n${ran?.out}${ran?.err}`,
    );
  }
  return found.length;
}

test("the hints of what goes wrong can be typed as they stand [N9]", async () => {
  writeFileSync(join(desk, "web.bcl"), 'job web = { command = ["sleep", "600"], count = 2, cpu = 10m, ram = 32Mi, disk = 10Mi }\n');
  await type("borg kill web; borg apply web.bcl --wait");
  let hints = 0;
  for (const line of [
    "borg show nothing",
    "borg show nothing/0",
    "borg why nothing",
    "borg kill web/0",
    "borg lss",
    "borg run no-room --cpu 1000 --wait --timeout 2s -- sleep 1",
    "borg logs nothing",
    "borg token revoke ffffffffffff",
    "borg cell use nothing",
    "borg up --detach --cell local",
    "borg bcl explain nothing",
  ]) {
    const { code, out, err } = await type(line);
    assert.ok(code !== 0 && code !== 70, `${line}: exit ${code}\n${out}${err}`);
    hints += await typeHints(err);
  }
  assert.ok(hints >= 8, `found ${hints}`);
});

test("what a real cell answers is what the schemas say [U9]", async () => {
  await type("borg submit examples/hello-web.bcl --wait");
  await type("borg run dies --restart never -- /bin/sh -c 'echo x; exit 3'");
  for (const [name, words] of [
    ["ls-jobs", "ls --dead"],
    ["ls-tasks", "ls tasks --dead"],
    ["ls-machines", "ls machines"],
    ["ls-quota", "ls quota --all"],
    ["ls-users", "ls users"],
    ["ls-tokens", "ls tokens --all"],
    ["ls-schedulers", "ls schedulers"],
    ["show-job", "show hello-web"],
    ["show-task", "show hello-web/0"],
    ["show-machine", "show m1"],
    ["why", "why hello-web"],
    ["events", "events"],
    ["cell-show", "cell show --hash"],
    ["submit-dry-run", "submit examples/batch.bcl --dry-run"],
    ["apply", "apply examples/hello-web.bcl --wait"],
  ] as const) {
    const { out } = await good(`borg ${words} --json`);
    assert.deepEqual(problemsOf(schemaOf(name), JSON.parse(out)), [], words);
  }
});

test("down says what the schema says, and ends the cell", async () => {
  const { out } = await good("borg down --kill --cell local --json");
  assert.deepEqual(problemsOf(schemaOf("down"), JSON.parse(out)), []);
});
