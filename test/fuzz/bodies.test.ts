/** Whatever body a call to a real master has: a well-formed answer in time; what is refused changes nothing, what is taken is within bounds [KB2]. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type DescMethod, fromBinary, fromJsonString, type Message, toBinary, toJsonString } from "@bufbuild/protobuf";
import { Random } from "../../src/base/random.ts";
import { checker } from "../../src/wire/check.ts";
import { CellService, type ReadEventsRequest } from "../../src/wire/gen/borg/v1/api_pb.ts";
import { draw } from "./draw.ts";
import { mutateBytes, mutateText } from "./mutation.ts";
import { COUNT, DELAY_MS_MAX, SEED, TIMEOUT_MS } from "./settings.ts";
import { type Protocol, Speaker } from "./speaker.ts";
import { Target } from "./target.ts";

const PROTOCOLS: readonly Protocol[] = ["connect", "connect", "grpc-web", "grpc"];
const NORMAL_EVERY = 100;
/** As drawn, unbroken: otherwise nobody would notice that everything is refused. */
const WHOLE = 0.1;
/** GetMaster has an empty request, and its own figures begin anew when they are read. */
const METHODS = CellService.methods.filter(({ name }) => name !== "GetMaster");

interface Body {
  readonly method: DescMethod;
  readonly protocol: Protocol;
  readonly json: boolean;
  readonly bytes: Uint8Array;
}

function drawBody(random: Random): Body {
  const method = random.pick(METHODS);
  const json = random.chance(0.5);
  const protocol = random.pick(PROTOCOLS);
  const [a, b] = [drawRequest(method, random), drawRequest(method, random)];
  const whole = random.chance(WHOLE);
  if (json) {
    const [one, two] = [toJsonString(method.input, a), toJsonString(method.input, b)];
    return { method, protocol, json, bytes: Buffer.from(whole ? one : mutateText(one, two, random), whole ? "utf8" : "latin1") };
  }
  const [one, two] = [toBinary(method.input, a), toBinary(method.input, b)];
  return { method, protocol, json, bytes: whole ? one : mutateBytes(one, two, random) };
}

/** Events may be waited for: here nobody does. */
function drawRequest(method: DescMethod, random: Random): Message {
  const drawn = draw(method.input, random);
  if (method.name === "ReadEvents") (drawn as ReadEventsRequest).waitMs = 0;
  return drawn;
}

/** Why a body that was taken should have been refused. */
function outOfBounds({ method, json, bytes }: Body): string | undefined {
  const message = json ? fromJsonString(method.input, Buffer.from(bytes).toString("utf8")) : fromBinary(method.input, bytes);
  return checker(method.input)(message);
}

test(`${COUNT} mutated bodies of calls to a real master: what it refuses changes nothing [KB2] [KB1]`, {
  timeout: TIMEOUT_MS,
}, async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const target = await Target.start(t);
  const speaker = new Speaker(target);
  t.after(() => speaker.close());
  const random = new Random(SEED, "fuzz-bodies");
  const found = new Map<string, number>();
  let before = await target.stateHash();
  for (let i = 0; i < COUNT; i++) {
    const body = drawBody(random);
    const hex = Buffer.from(body.bytes.subarray(0, 400)).toString("hex");
    const about = `body ${i}: ${body.protocol} ${body.json ? "JSON" : "binary"} ${body.method.name} ${hex}`;
    const verdict = await speaker.call(body.protocol, body.json, body.method, body.bytes).catch((error: unknown) => {
      throw new Error(about, { cause: error });
    });
    const now = await target.stateHash();
    if (verdict.ok) assert.equal(outOfBounds(body), undefined, about);
    else assert.equal(now, before, `It was refused, and the state changed: ${about}`);
    before = now;
    const key = verdict.ok ? "done" : verdict.code;
    found.set(key, (found.get(key) ?? 0) + 1);
    if (i % NORMAL_EVERY === 0) await speaker.assertServed();
  }
  assert.deepEqual(await target.problems(), []);
  assert.ok((found.get("done") ?? 0) > 0, "some bodies are good");
  assert.ok(found.size > 1, "some bodies are refused");
  const delayMs = await target.delayMaxMs();
  const codes = [...found].map(([code, count]) => `${code} ${count}`).join(", ");
  t.diagnostic(`${codes}; longest delay of the master's main thread ${Math.round(delayMs)} ms`);
  assert.ok(delayMs < DELAY_MS_MAX);
});
