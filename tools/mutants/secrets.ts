/** Bugs that would give secrets away, or lose them: at the edge, in the cell, on the way to a machine and there. */
import type { Mutant } from "./mutant.ts";

export const SECRET_BUGS: readonly Mutant[] = [
  {
    name: "secret in the feed",
    file: "src/cell/record/record.ts",
    text: "  packages: [...user.packages].sort(([a], [b]) => compareIds(a, b)).map(([, each]) => ({ ...each, labels: [...each.labels] })),",
    replacement:
      "  packages: [...user.secrets.values()].map(({ name, sealed }) => ({ name, digest: String.fromCharCode(...sealed.ciphertext), bytes: 1, shared: true, createdMs: 0 })),",
    suite: "test/cell/secrets.test.ts",
  },
  {
    name: "secret's name in an event",
    file: "src/cell/ops/secrets.ts",
    text: 'detail: "a secret was set" });',
    replacement: "detail: `secret ${name} was set` });",
    suite: "test/cell/secrets.test.ts",
  },
  {
    name: "name of a secret not authenticated",
    file: "src/borgmaster/vault.ts",
    text: '["borg-secret", cell, owner, name, version]',
    replacement: '["borg-secret", cell, owner, name.slice(0, 1), version]',
    suite: "src/daemon/vault.test.ts",
  },
  {
    name: "version of a secret not authenticated",
    file: "src/borgmaster/vault.ts",
    text: '["borg-secret", cell, owner, name, version]',
    replacement: '["borg-secret", cell, owner, name, typeof version]',
    suite: "src/daemon/vault.test.ts",
  },
  {
    name: "secret known again by a digest that needs no key",
    file: "src/daemon/vault.ts",
    text: 'const own = Buffer.from(hkdfSync("sha256", key, "", "digests of requests", KEY_BYTES));',
    replacement: "const own = Buffer.alloc(key.length);",
    suite: "src/daemon/vault.test.ts",
  },
  {
    name: "secret journaled as it is",
    file: "src/borgmaster/api/secrets.ts",
    text: "const sealed = vault.seal(value, placeOf(state, user, { name, version }));",
    replacement:
      "const sealed = { ...vault.seal(value, placeOf(state, user, { name, version })), ciphertext: Uint8Array.from([...value, ...new Uint8Array(16)]) };",
    caughtBy: ["KA3"],
  },
  {
    name: "secret in the borglet's kept file",
    file: "src/borglet/secrets.ts",
    text: "    this.#had.set(instance, values);\n",
    replacement:
      '    this.#had.set(instance, values);\n    for (const [key, data] of values) task?.environment.push({ $typeName: "borg.v1.EnvironmentVariable", key, value: String.fromCharCode(...data) });\n',
    caughtBy: ["KA3"],
  },
  {
    name: "secret kept by a borglet past its death",
    file: "src/borglet/secrets.ts",
    text: "    this.#had.set(instance, values);\n",
    replacement:
      '    this.#had.set(instance, values);\n    for (const [key, data] of values) task?.environment.push({ $typeName: "borg.v1.EnvironmentVariable", key, value: String.fromCharCode(...data) });\n',
    suite: "src/borglet/secrets.test.ts",
  },
  {
    name: "task started without its secret",
    file: "src/borglet/needs.ts",
    text: "&& this.secrets.isReady(order, run);",
    replacement: "&& (this.secrets.isReady(order, run) || run > 0);",
    suite: "src/borglet/secrets.test.ts",
  },
  {
    name: "key file readable by others",
    file: "src/daemon/key-ring.ts",
    text: 'const file = openSync(`${path}.new`, "w", 0o600);',
    replacement: 'const file = openSync(`${path}.new`, "w", 0o644);',
    suite: "src/daemon/vault.test.ts",
  },
  {
    name: "open key file used all the same",
    file: "src/daemon/key-ring.ts",
    text: "if ((found.mode & 0o077) !== 0)",
    replacement: "if ((found.mode & 0o777) === 0)",
    suite: "src/daemon/vault.test.ts",
  },
  {
    name: "key forgotten while something is encrypted with it",
    file: "src/daemon/vault.ts",
    text: "followed === undefined || named.has(id) ||",
    replacement: "followed === undefined || named.size < 0 ||",
    suite: "src/daemon/vault.test.ts",
  },
  {
    name: "secret given to a machine that does not run its task",
    file: "src/borgmaster/link/secret-requests.ts",
    text: "const wanted = desired.on(machine).get(request.instance as InstanceId);",
    replacement:
      "const wanted = [...desired.machines.keys()].map((each) => desired.on(each).get(request.instance as InstanceId)).find((each) => each !== undefined);",
    suite: "test/borgmaster/secrets.test.ts",
  },
  {
    name: "older value of a secret given out",
    file: "src/borgmaster/api/secret-calls.ts",
    text: "({ ask }) => ask.position <= copy.state.position);",
    replacement: "({ ask }) => ask.position >= 0 || ask.position <= copy.state.position);",
    suite: "test/borgmaster/secrets.test.ts",
  },
  {
    name: "secret removed while a living job names it",
    file: "src/cell/ops/secrets.ts",
    text: "const [job] = jobsWithSecret(state, owner, name);",
    replacement: 'const [job] = jobsWithSecret(state, owner, "");',
    suite: "test/cell/secrets.test.ts",
  },
  {
    name: "secret of another user named",
    file: "src/cell/ops/secrets.ts",
    text: "const missing = refs.find(({ name }) => state.users.get(userId(spec.user))?.secrets.has(name) !== true);",
    replacement: "const missing = refs.find(({ name }) => ![...state.users.values()].some((user) => user.secrets.has(name)));",
    suite: "test/cell/secrets.test.ts",
  },
  {
    name: "file of a secret readable by others",
    file: "src/borglet/linux/secret-files.ts",
    text: "fchmodSync(file, 0o400);",
    replacement: "fchmodSync(file, 0o444);",
    suite: "src/borglet/linux/secret-files.test.ts",
  },
  {
    name: "secret written to a disk",
    file: "src/borglet/linux/secret-files.ts",
    text: "return IN_MEMORY.has(statfsSync(place).type);",
    replacement: "return statfsSync(place).type > 0 || IN_MEMORY.size > 0;",
    suite: "src/borglet/linux/secret-files.test.ts",
  },
  {
    name: "secret left behind when its run has ended",
    file: "src/borglet/linux/secret-files.ts",
    text: "isKept(key) || !removeOwn(join(base, key))",
    replacement: "isKept(key) || removeOwn(join(base, `${key}~`))",
    suite: "src/borglet/linux/secret-files.test.ts",
  },
  {
    name: "names of secrets shown to everybody",
    file: "src/borgmaster/api/veil.ts",
    text: "  secrets: [],\n",
    replacement: "",
    suite: "test/attack/matrix.test.ts",
  },
];
