/** Tasks whose root is an image, in every mode of a machine: in a jail they are begun, watched and ended like all others; without one they are refused in words. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { arch } from "node:os";
import { test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { convertImage } from "../../src/archive/image/convert.ts";
import { file, inMemory, layout, type Made, tar } from "../../src/archive/image/fixture.test.ts";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { hostRoot } from "../e2e/images.ts";
import { MODES, type Mode, Stage, start } from "./stage.ts";

const WAIT_MS = 10_000;
const isJailed = ({ without }: Mode): boolean => !without.includes("bubblewrap");
const architecture = arch() === "x64" ? "amd64" : arch();

/** Pushed: the hash that a task names. */
async function pushed(stage: Stage, files: readonly Made[], config: object, processor = architecture): Promise<string> {
  const source = inMemory(layout([tar(...files)], { config, architecture: processor }));
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await convertImage(source, { architecture: processor })).tar()) chunks.push(chunk);
  const bytes = zstdCompressSync(Buffer.concat(chunks));
  const digest = createHash("sha256").update(bytes).digest("hex");
  stage.packages.set(digest, bytes);
  return digest;
}

const task = (version: string, command: readonly string[] = []) => ({
  command: [...command],
  packages: [{ name: "os", version, root: true }],
});

/** All that a command beside a task wrote. */
async function beside(stage: Stage, instance: string, command: readonly string[], typed = ""): Promise<string> {
  let [text, seen, errorsSeen] = ["", 0, 0];
  for (;;) {
    const use = {
      command: [...command],
      input: new TextEncoder().encode(typed),
      waitMs: WAIT_MS,
      inputEnded: true,
      outputSeen: seen,
      errorsSeen,
    };
    const { problem, said } = await stage.shell(`ann ${instance}`, instance, use);
    assert.equal(problem, "");
    if (said === undefined || said.ended) return text;
    text += new TextDecoder().decode(said.output);
    seen += said.output.length;
    errorsSeen += said.errors.length;
  }
}

for (const mode of MODES) {
  test(`A task from an image runs in it, ends as it ends, and is begun by nothing of it, or is refused in words (${mode.name}) [borglet.D8] [borglet.D9] [I1]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      const own = [...hostRoot("sh", "id", "cat"), file("etc/mark", "in the image\n")];
      const shell = await pushed(stage, own, { Entrypoint: ["/bin/sh", "-c"], Cmd: ["cat /etc/mark; exit 3"], Env: ["PATH=/bin"] });
      const foreign = await pushed(stage, own, { Cmd: ["/bin/sh"] }, "z80");
      const end = async (index: number, version: string, command: readonly string[] = []): Promise<string> => {
        const name = `ann/web/${index}:1`;
        stage.poll([start(name, "", { restart: { when: RestartWhen.NEVER } }, task(version, command))]);
        const { exitCode, signal, message } = await stage.instance(
          name,
          "ended",
          ({ phase }) => phase === Phase.FAILED || phase === Phase.FINISHED,
        );
        return `${exitCode} ${signal} ${message}`;
      };
      if (!isJailed(mode)) {
        assert.match(await end(0, shell), /This machine cannot give a task the root of image "os": that needs bubblewrap/);
        return;
      }
      assert.match(await end(0, shell), /^3 0 /);
      assert.equal(await stage.said("ann/web/0:1", "image\n"), "in the image\n");
      assert.match(await end(1, shell, ["exit 137"]), /^137 0 /);
      assert.match(await end(2, shell, ["kill -9 $$"]), /^0 9 /);
      const bare = await pushed(stage, hostRoot("cat"), { Entrypoint: ["/bin/cat"] });
      assert.match(await end(3, bare, ["/no-shell-here"]), /^1 0 /);
      assert.match(await end(4, foreign), /Image "os" is for z80, and this machine is/);
    } finally {
      await stage.close();
    }
  });
}

const jailed = MODES.filter((mode) => isJailed(mode));

for (const mode of jailed) {
  test(`A shell of a task from an image has the job's user, and no program of the image ever has another (${mode.name}) [borglet.E1] [I1]`, {
    skip: mode.skip,
  }, async () => {
    const stage = await Stage.open(mode);
    try {
      // Whoever becomes root inside runs these first.
      const trap = "#!/bin/sh\nid -u >>/borg/task/who\n";
      const traps = ["prlimit", "setpriv", "bwrap", "nsenter", "setsid", "env"].map((name) => file(`usr/bin/${name}`, trap, 0o755));
      const image = await pushed(stage, [...hostRoot("sh", "id", "cat", "sleep", "ls"), ...traps], { Env: ["PATH=/bin"] });
      await stage.run("ann/web/0:1", "", {}, task(image, ["/bin/sh", "-c", "echo there; sleep 54321"]));
      await stage.said("ann/web/0:1", "there");
      const told = await beside(stage, "ann/web/0:1", ["/bin/sh", "-c", "id -u; cat /borg/task/who; echo done"]);
      assert.match(told, /^[1-9]\d*\ndone\n$/);
      const bare = await pushed(stage, [...hostRoot("sleep", "cat"), file("mark", "no shell here\n")], { Env: ["PATH=/bin"] });
      await stage.run("ann/web/1:1", "", {}, task(bare, ["/bin/sleep", "54321"]));
      assert.equal(await beside(stage, "ann/web/1:1", [], "read -r x <mark; cat /mark; echo $PWD; exit\n"), "no shell here\n/borg/task\n");
    } finally {
      await stage.close();
    }
  });
}
