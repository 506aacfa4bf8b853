/** `borg secret`: where a value comes from, that it is never printed, and what is said of it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { after, test } from "node:test";
import { EXIT } from "../exit.ts";
import { borg } from "../fixture.test.ts";
import { readSecret } from "../secret-input.ts";

const ROOT = mkdtempSync(join(tmpdir(), "borg-cli-secrets-"));
after(() => rmSync(ROOT, { recursive: true, force: true }));

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const getCell = () => ({ name: "test", user: "ann" });

test("a value comes from a file or is typed, goes into the call as it is, and is never shown [G14] [U9]", async () => {
  writeFileSync(join(ROOT, "pw"), "hunter2\n");
  const sent: string[] = [];
  const setSecret = ({ user, name, value }: { user: string; name: string; value: Uint8Array }) => {
    sent.push(`${user}/${name} ${text(value)}`);
    return { position: 7 };
  };
  const script = { getCell, setSecret };
  const filed = await borg(["secret", "set", "db", "--file", "pw"], script, { cwd: ROOT });
  assert.deepEqual([filed.code, sent.pop()], [EXIT.done, "ann/db hunter2\n"]);
  assert.match(filed.out, /^Set secret ann\/db \(8 B; it ends with a newline, which is part of it\); a task .* at \/borg\/secrets\/db/);
  const typed = await borg(["secret", "set", "db", "--user", "bob", "--json"], script);
  assert.deepEqual([typed.code, sent.pop()], [EXIT.done, "bob/db typed"]);
  assert.ok(![filed, typed].some(({ out, err }) => /hunter2|typed/.test(out + err)));
});

test("a value on the command line, an empty one, one that is too large or a file that is none is refused, and nothing is sent [G14] [N9]", async () => {
  writeFileSync(join(ROOT, "large"), "x".repeat(65_537));
  for (const [args, said] of [
    [["db", "hunter2"], /Cannot take the value of a secret from the command line.*\n.*--file PATH/],
    [["db", "--file", "large"], /at most 65536 bytes/],
    [["db", "--file", "none"], /Cannot read "none"/],
    [["db", "--file", "."], /Cannot read "\."/],
    [["Db"], /Cannot use "Db" as the name of a secret/],
  ] as const) {
    const { code, err } = await borg(["secret", "set", ...args], { getCell }, { cwd: ROOT });
    assert.equal(code, EXIT.usage, args.join(" "));
    assert.match(err, said);
  }
  const nothing = await borg(["secret", "set", "db"], { getCell }, { secret: async () => new Uint8Array() });
  assert.match(nothing.err, /its value is empty/);
});

test("the list has names, versions, sizes and users of secrets; one whose key is lost says so [G14]", async () => {
  const row = { user: "ann", version: 2, bytes: 7, createdMs: 1000, changedMs: 2000 };
  const jobs = ["ann/a", "ann/b", "ann/c", "ann/d"];
  const secrets = [
    { ...row, name: "db", jobs },
    { ...row, name: "key", lost: true },
    { ...row, name: "new" },
  ];
  const { out } = await borg(["secret", "ls"], { listSecrets: () => ({ secrets }) });
  assert.match(out, /^SECRET +VERSION +SIZE +CHANGED +USED BY\n/);
  assert.match(out, /ann\/db +2 +7 B .* ann\/a, ann\/b, ann\/c and 1 more\n/);
  assert.match(out, /ann\/key .* its key is lost: set it again\n/);
  const none = await borg(["secret", "ls"], { listSecrets: () => ({ secrets: [] }) });
  assert.match(none.err, /^No secrets: borg secret set NAME/);
});

test("a rotation goes on until nothing is left [G14]", async () => {
  const left = [20, 12, 4, 0];
  const asked: boolean[] = [];
  const rotateSecretKey = ({ goOn }: { goOn: boolean }) => {
    asked.push(goOn);
    return { keyId: "k2", left: left.shift() ?? 0, lost: 1 };
  };
  const { code, out } = await borg(["secret", "rotate-key"], { rotateSecretKey });
  assert.deepEqual([code, asked], [EXIT.done, [false, true, true, true]]);
  assert.match(out, /^The key is k2 now, and every secret is encrypted with it; 1 secret had lost its key before and must be set again/);
});

test("a rotation waits in words until most masters have the new key; while they do not it says that nothing changed, and what to do [G14] [M4]", async () => {
  const answers = [
    { keyId: "k2", left: 3, held: 1, needed: 2, masters: 3 },
    { keyId: "k2", left: 3, held: 1, needed: 2, masters: 3 },
    // Another leads, and has not fetched it.
    { keyId: "k1", left: 0 },
    { keyId: "k2", left: 3, held: 2, needed: 2, masters: 3 },
    { keyId: "k2", left: 0 },
  ];
  const done = await borg(["secret", "rotate-key"], { rotateSecretKey: () => answers.shift()! }, { sleep: async () => {} });
  assert.equal(done.code, EXIT.done);
  assert.deepEqual(done.err.trim().split("\n"), [
    "Waiting until most masters have the new key: 1 of 3 have it, 2 must",
    "Waiting until most masters have the new key: the one that leads now has not fetched it yet",
    "Waiting until most masters have the new key: 2 of 3 have it, 2 must",
  ]);
  assert.match(done.out, /^The key is k2 now, and every secret is encrypted with it/);
  let sleeps = 0;
  const sleep = async (): Promise<void> => {
    sleeps += 1;
  };
  const alone = { rotateSecretKey: () => ({ keyId: "k2", left: 3, held: 1, needed: 2, masters: 3 }) };
  const vain = await borg(["secret", "rotate-key"], alone, { sleep });
  assert.deepEqual([vain.code, sleeps], [EXIT.refused, 60]);
  assert.match(vain.out, /^The new key k2 is kept and not used: 1 of 3 have it, 2 must\. .* borg secret rotate-key again/);
});

test("what is typed is not echoed: a line with its letters taken back, and bytes as they are from a pipe [G14]", async () => {
  const raw: boolean[] = [];
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => void raw.push(on) });
  const shown: string[] = [];
  const prompt = new PassThrough().on("data", (chunk: Buffer) => void shown.push(chunk.toString()));
  keys.write("hun\u00e4\u007fter2\r");
  assert.equal(text(await readSecret(keys as never, prompt, "Value: ", 100)), "hunter2");
  assert.deepEqual(raw, [true, false]);
  assert.equal(shown.join(""), "Value: \n");
  const pipe = Object.assign(new PassThrough(), { isTTY: false });
  pipe.end(Buffer.from([0, 255, 10]));
  assert.deepEqual([...(await readSecret(pipe as never, prompt, "", 100))], [0, 255, 10]);
});
