/** The API's actor of a cell of admin and ann, whose copy hears entries as they come. */
import type { ApiAnswer, FromApi, ToApi } from "../../src/borgmaster/api/message.ts";
import { Api } from "../../src/borgmaster/api.ts";
import { encodeEntry, makeEntry, masterOp, type Op, userOp } from "../../src/cell/op.ts";
import { ToyVault } from "../../src/fauxmaster/world/toy-vault.ts";
import { Role } from "../../src/wire/gen/borg/v1/op_pb.ts";
import { TestEnv } from "./test-env.ts";

export class TestApi {
  readonly env = new TestEnv<FromApi>();
  readonly api = new Api(this.env, {
    master: "master",
    follower: "follower",
    link: "link",
    packages: "packages",
    vault: new ToyVault(() => 0.5),
    counters: "counters",
    threads: ["service"],
  });
  #position = 0;

  constructor() {
    this.hear({ type: "restore", position: 0, checkpoint: undefined });
    this.entry(masterOp({ case: "cellInit", value: { cell: "cc", owner: "admin" } }));
    this.entry(userOp("admin", "", { case: "userGrant", value: { user: "ann", roles: [Role.USER] } }));
  }

  hear(message: ToApi): void {
    if (message.type === "restore") this.#position = message.position;
    this.api.onMessage("somebody", message);
  }

  entry(...ops: Op[]): void {
    this.#position += 1;
    this.hear({ type: "entry", position: this.#position, payload: encodeEntry(makeEntry(this.env.wallMs, ops)) });
  }

  get position(): number {
    return this.#position;
  }

  /** What was sent to whom since the last look, but how far the copy is. */
  sent(to: string): FromApi[] {
    const all = this.env.take();
    return all.filter((each) => each.to === to && each.message.type !== "followed").map(({ message }) => message);
  }

  answers(): ApiAnswer[] {
    return this.sent("somebody") as ApiAnswer[];
  }
}
