/**
 * The model of etcd answers as a real one did. test/etcd/conversation.txt is what etcd 3.4 said; RECORD=write writes it anew. Where etcd is there, a conversation
 * that nobody chose is held with both.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { EtcdClient } from "../../src/store/etcd-client.ts";
import { converse, drawSteps, type Lines, type Step } from "./conversation.ts";
import { Members, missing, wait } from "./members.ts";
import { Stage } from "./stage.ts";

const RECORDED = new URL("./conversation.txt", import.meta.url);
const SEED = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const CHOSEN = drawSteps(1, 80, true);

function withModel(steps: readonly Step[]): Promise<Lines> {
  const stage = new Stage();
  return converse(stage.port(), steps, async (ms) => {
    stage.nowMs += ms;
    stage.model.expire();
  });
}

async function withEtcd(steps: readonly Step[]): Promise<Lines> {
  const members = await Members.start(1);
  const client = new EtcdClient({ urls: members.urls });
  try {
    return await converse(client, steps, wait);
  } finally {
    client.close();
    await members.stop();
  }
}

/** Says the first line that differs, not all. */
function same(model: Lines, etcd: Lines): void {
  for (const [i, line] of etcd.entries()) assert.equal(model[i], line, `line ${i + 1} differs`);
  assert.equal(model.length, etcd.length);
}

test("the model answers as the etcd that was recorded [store.E1] [store.E3] [store.E5]", async () => {
  if (process.env["RECORD"] === "write") writeFileSync(RECORDED, `${(await withEtcd(CHOSEN)).join("\n")}\n`);
  same(await withModel(CHOSEN), readFileSync(RECORDED, "utf8").trimEnd().split("\n"));
});

test(`the model answers as the etcd that is here, seed ${SEED}`, { skip: missing() ?? false }, async () => {
  const steps = drawSteps(SEED, 200, process.env["ETCD_ROUNDS"] !== undefined);
  same(await withModel(steps), await withEtcd(steps));
});
