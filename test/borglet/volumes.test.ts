/** Volumes under a real borglet: what one run writes the next one finds, and nobody else gets near it. */
import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Phase } from "../../src/wire/gen/borg/v1/machine_pb.ts";
import { RestartWhen } from "../../src/wire/gen/borg/v1/spec_pb.ts";
import { isRoot, NOBODY } from "../nobody.ts";
import { BEST, is, MODES, Stage, start, stop } from "./stage.ts";

const NEVER = { restart: { when: RestartWhen.NEVER } };
const DATA = { volumes: [{ name: "data" }] };
const READ = { volumes: [{ name: "data", readOnly: true }] };
const described = (...volumes: { user: string; name: string; path: string }[]) => ({
  description: { rack: "", powerDomain: "", coreSpeedPermille: 1000, attributes: [], volumes },
});

const ends = ({ phase }: { readonly phase: Phase }): boolean => phase === Phase.FAILED || phase === Phase.FINISHED;

async function shown(body: (root: string, path: string) => Promise<void>, owner = 0): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "openborg-volumes-"));
  if (isRoot) chownSync(root, owner, owner);
  // Tasks' users pass through it.
  chmodSync(root, 0o711);
  try {
    await body(root, join(root, "srv", "data"));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

for (const mode of MODES) {
  test(
    `What a task writes into its volume its next run finds, after a stop and after the borglet's death (${mode.name}) [borglet.V1] [U10] [V6]`,
    {
      skip: mode.skip,
    },
    () =>
      shown(
        async (_, path) => {
          const stage = await Stage.open(mode, described({ user: "ann", name: "data", path }));
          try {
            assert.deepEqual(
              stage.latest?.facts?.volumes.map(({ user, name }) => `${user}/${name}`),
              ["ann/data"],
            );
            assert.ok(!JSON.stringify(stage.latest?.facts).includes(path), "where it is nobody is told");
            await stage.run("ann/db/0:1", 'echo one >>"$BORG_VOLUME_DATA/log"; echo "at $BORG_VOLUME_DATA"; sleep 600', {}, DATA);
            const said = await stage.said("ann/db/0:1", "at ");
            assert.equal(said.trim(), `at ${mode.without.includes("bubblewrap") ? path : "/borg/volumes/data"}`);
            await stage.kill9();
            await stage.start();
            stage.poll([stop("ann/db/0:1", 0)]);
            await stage.instance("ann/db/0:1", "is gone", is(Phase.GONE));
            await stage.run("ann/db/0:2", 'echo two >>"$BORG_VOLUME_DATA/log"; cat "$BORG_VOLUME_DATA/log"; echo end', NEVER, DATA);
            assert.equal(await stage.said("ann/db/0:2", "end\n"), "one\ntwo\nend\n");
            // Another job of the same user has another user id, and the volume's group.
            await stage.run(
              "ann/report/0:3",
              'cat "$BORG_VOLUME_DATA/log" && echo three >>"$BORG_VOLUME_DATA/log" && echo end',
              NEVER,
              DATA,
            );
            assert.equal(await stage.said("ann/report/0:3", "end\n"), "one\ntwo\nend\n");
            if (mode.root) assert.deepEqual([statSync(path).mode & 0o7777, statSync(path).uid], [0o2770, 0]);
            await others(stage, mode.without.includes("bubblewrap"), path);
          } finally {
            await stage.close();
          }
          assert.equal(readFileSync(join(path, "log"), "utf8"), "one\ntwo\nthree\n", "it outlives the borglet");
        },
        mode.root ? 0 : NOBODY,
      ),
  );
}

/** Another user cannot name it; what may only be read is not written, and without a jail not given. */
async function others(stage: Stage, isBare: boolean, path: string): Promise<void> {
  stage.poll([
    start("bob/db/0:4", "true", NEVER, DATA),
    start("ann/db/0:5", `echo x >"$BORG_VOLUME_DATA/log" || echo refused`, NEVER, READ),
  ]);
  assert.match((await stage.instance("bob/db/0:4", "ends", ends)).message, /This machine offers no volume "data" to "bob"/);
  const reader = await stage.instance("ann/db/0:5", "ends", ends);
  if (isBare) assert.match(reader.message, /has no jail: it cannot keep volume "data" read-only/);
  else assert.match(await stage.said("ann/db/0:5", "refused"), /refused/);
  if (!stage.mode.root) return;
  await stage.run("bob/spy/0:6", `cat ${path}/log; ls ${path}; echo end`, NEVER);
  assert.equal(await stage.said("bob/spy/0:6", "end\n"), "end\n");
}

test("A start waits for every earlier instance of its task that may still write into the volume [borglet.V2] [KT3]", () =>
  shown(
    async (_, path) => {
      const stage = await Stage.open(BEST, described({ user: "ann", name: "data", path }));
      try {
        await stage.run("ann/db/0:1", "trap '' TERM; echo up; while :; do sleep 1; done", {}, DATA);
        await stage.said("ann/db/0:1", "up");
        stage.poll([stop("ann/db/0:1", 2000), start("ann/db/0:2", "true", NEVER, DATA), start("ann/web/0:3", "true", NEVER)]);
        await stage.instance("ann/web/0:3", "ends", ends);
        const both = stage.latest!.instances.filter(({ instance }) => instance.startsWith("ann/db/"));
        assert.deepEqual(
          both.map(({ instance, run }) => `${instance} ${run}`),
          ["ann/db/0:1 1", "ann/db/0:2 0"],
        );
        await stage.instance("ann/db/0:2", "ends", ends);
      } finally {
        await stage.close();
      }
    },
    BEST.root ? 0 : NOBODY,
  ));

test(
  "A directory that is a link, is another user's or that others can change is not offered, and the log says why [borglet.V1] [KA4]",
  {
    skip: !isRoot && "needs root: it makes directories of other users",
  },
  () =>
    shown(async (root) => {
      const at = (name: string): string => join(root, name);
      for (const name of ["real", "theirs", "open", "closed"]) mkdirSync(at(name), { mode: 0o711 });
      symlinkSync(at("real"), at("link"));
      chownSync(at("theirs"), NOBODY, NOBODY);
      chmodSync(at("open"), 0o777);
      chmodSync(at("closed"), 0o700);
      const path = {
        link: "link",
        way: "link/deep",
        theirs: "theirs",
        inside: "theirs/deep",
        open: "open/deep",
        closed: "closed/deep",
        fine: "real/fine",
      };
      const volumes = Object.entries(path).map(([name, place]) => ({ user: "ann", name, path: at(place) }));
      const stage = await Stage.open(BEST, described(...volumes));
      try {
        assert.deepEqual(
          stage.latest?.facts?.volumes.map(({ name }) => name),
          ["fine"],
        );
        for (const words of [
          `link" is a link`,
          `theirs" belongs to another user`,
          `open" can be written by others`,
          `closed" lets no other user pass`,
        ])
          await stage.line(words);
        assert.ok(!existsSync(at("real/deep")) && !existsSync(at("theirs/deep")));
      } finally {
        await stage.close();
      }
    }),
);

test(
  "Links that a task plants in its volume lead the borglet nowhere [borglet.V1] [KA4]",
  { skip: !BEST.root && "needs root: it looks at what a task of another user left" },
  () =>
    shown(async (root, path) => {
      writeFileSync(join(root, "secret"), "s", { mode: 0o600 });
      const stage = await Stage.open(BEST, described({ user: "ann", name: "data", path }));
      try {
        await stage.run(
          "ann/db/0:1",
          `ln -s ${root}/secret /borg/volumes/data/s; ln -s / /borg/volumes/data/root; mkdir /borg/volumes/data/d; echo end`,
          NEVER,
          DATA,
        );
        await stage.said("ann/db/0:1", "end");
        await stage.kill9();
        await stage.start();
        stage.poll([stop("ann/db/0:1", 0)]);
        await stage.run("ann/db/0:2", "cat /borg/volumes/data/s; ls /borg/volumes/data/root/borg; echo end", NEVER, DATA);
        const said = await stage.said("ann/db/0:2", "end");
        assert.doesNotMatch(said, /^s/);
        assert.deepEqual([statSync(join(root, "secret")).mode & 0o777, statSync(join(root, "secret")).uid], [0o600, 0]);
      } finally {
        await stage.close();
      }
      assert.equal(readFileSync(join(root, "secret"), "utf8"), "s");
      assert.ok(existsSync(join(path, "d")));
    }),
);

test("The directory of an alloc that is gone is given to the task that names it, is not dropped while that is kept, and then goes [borglet.V4] [V6]", async () => {
  const stage = await Stage.open(BEST);
  const alloc = "ann/room/0:9";
  const named = { ...NEVER, directory: alloc };
  const drop = { body: { case: "drop" as const, value: { alloc } } };
  try {
    await stage.run("bob/log/0:10", 'echo precious >"$BORG_ALLOC_DIR/log"; echo end', { ...NEVER, alloc });
    await stage.said("bob/log/0:10", "end");
    await stage.instance("bob/log/0:10", "ends", ends);
    stage.poll([stop("bob/log/0:10", 0)]);
    await stage.run("ann/save/0:11", 'cat "$BORG_ALLOC_DIR/log"; echo saved >"$BORG_ALLOC_DIR/mark" && echo end', named);
    assert.equal(await stage.said("ann/save/0:11", "end\n"), "precious\nend\n");
    await stage.instance("ann/save/0:11", "ends", ends);
    stage.poll([drop]);
    await stage.until("a report", ({ allocs }) => allocs.includes(alloc));
    stage.poll([stop("ann/save/0:11", 0)]);
    await stage.until("the saver is forgotten", ({ instances }) => instances.length === 0);
    stage.poll([drop]);
    await stage.until("it has gone", ({ allocs }) => allocs.length === 0);
    stage.poll([start("ann/save/0:12", "true", named)]);
    assert.match((await stage.instance("ann/save/0:12", "ends", ends)).message, /no longer has the directory of alloc "ann\/room\/0:9"/);
  } finally {
    await stage.close();
  }
});
