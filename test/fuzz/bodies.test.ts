/** Whatever body a call has: a well-formed answer, no handler sees a message out of bounds, and what is refused changes nothing [KB2]. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type DescMethod, toBinary, toJsonString } from "@bufbuild/protobuf";
import { Random } from "../../src/base/random.ts";
import { CellService } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { draw } from "./draw.ts";
import { startMaster } from "./master-target.ts";
import { mutateBytes, mutateText } from "./mutation.ts";
import { COUNT, DELAY_MS_MAX, SEED } from "./settings.ts";
import { type Protocol, Speaker } from "./speaker.ts";
import { startStub, type Target } from "./target.ts";

const PROTOCOLS: readonly Protocol[] = ["connect", "connect", "grpc-web", "grpc"];
const NORMAL_EVERY = 100;
/** As drawn, unbroken: otherwise nobody would notice that everything is refused. */
const WHOLE = 0.1;

/** A real master is slower, and its hash is of a whole cell. Its events may be waited for, and its own figures begin anew when they are read: not these. */
const OF_MASTER = Math.ceil(COUNT / 5);
const NOT_OF_MASTER = ["ReadEvents", "GetMaster"];
const OTHERS = CellService.methods.filter(({ name }) => !NOT_OF_MASTER.includes(name));

test(`${COUNT} mutated bodies of calls [KB2]`, (t) => fuzz(t, startStub, COUNT, CellService.methods));
test(`${OF_MASTER} mutated bodies of calls to a real master: what it refuses changes nothing [KB2] [KB1]`, (t) =>
  fuzz(t, startMaster, OF_MASTER, OTHERS));

async function fuzz(t: TestContext, start: () => Promise<Target>, count: number, methods: readonly DescMethod[]): Promise<void> {
  t.diagnostic(`seed ${SEED}`);
  const target = await start();
  t.after(() => target.close());
  const speaker = new Speaker(target);
  t.after(() => speaker.close());
  const random = new Random(SEED, "fuzz-bodies");
  const found = new Map<string, number>();
  let before = await target.stateHash();
  for (let i = 0; i < count; i++) {
    const method = random.pick(methods);
    const json = random.chance(0.5);
    const protocol = random.pick(PROTOCOLS);
    const [a, b] = [draw(method.input, random), draw(method.input, random)];
    const whole = random.chance(WHOLE);
    let body: Uint8Array;
    if (json) {
      const [one, two] = [toJsonString(method.input, a), toJsonString(method.input, b)];
      body = Buffer.from(whole ? one : mutateText(one, two, random), whole ? "utf8" : "latin1");
    } else {
      const [one, two] = [toBinary(method.input, a), toBinary(method.input, b)];
      body = whole ? one : mutateBytes(one, two, random);
    }
    const about = `body ${i}: ${protocol} ${json ? "JSON" : "binary"} ${method.name} ${Buffer.from(body.subarray(0, 400)).toString("hex")}`;
    const verdict = await speaker.call(protocol, json, method, body).catch((error: unknown) => {
      throw new Error(about, { cause: error });
    });
    const now = await target.stateHash();
    if (!verdict.ok) assert.equal(now, before, about);
    before = now;
    const key = verdict.ok ? "done" : verdict.code;
    found.set(key, (found.get(key) ?? 0) + 1);
    if (i % NORMAL_EVERY === 0) {
      await speaker.assertServed();
      before = await target.stateHash();
    }
  }
  assert.deepEqual(await target.problems(), []);
  assert.ok((found.get("done") ?? 0) > 0, "some bodies are good");
  const delayMs = await target.delayMaxMs();
  t.diagnostic(
    `${[...found].map(([code, count]) => `${code} ${count}`).join(", ")}; longest delay of the event loop ${Math.round(delayMs)} ms`,
  );
  assert.ok(delayMs < DELAY_MS_MAX);
}
