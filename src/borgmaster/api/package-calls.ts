/** Calls about packages whose bytes whoever keeps them has to be asked for. */
import type { Address } from "../../base/env.ts";
import { make } from "../../wire/codec.ts";
import * as wire from "../../wire/gen/borg/v1/api_pb.ts";
import type { PackageAnswer, PackageAsk } from "./message.ts";
import type { Desk, OpenCall } from "./open-calls.ts";
import { addProblem, isOwned, uploadProblem } from "./packages.ts";

export interface PackageCallsOptions extends Desk {
  readonly keeper: Address;
}

export class PackageCalls {
  readonly #options: PackageCallsOptions;

  constructor(options: PackageCallsOptions) {
    this.#options = options;
  }

  /** Quota is looked at before bytes come; apply decides when the package is added. */
  upload(open: OpenCall): void {
    const request = open.call.request as wire.UploadPackageRequest;
    const { digest, bytes: total, offset, data } = request;
    const { user } = open.call;
    const problem = uploadProblem(this.#options.copy.state, user, request);
    if (problem !== undefined) return this.#options.fail(open, problem.code, problem.reason);
    const owned = isOwned(this.#options.copy.state, user, digest);
    this.#askPackages(
      open,
      (id) => ({ type: "package-put", id, user, owned, digest, total, offset, data }),
      ({ received, kept }) => this.#options.answer(open, make(wire.UploadPackageResponseSchema, { received, kept })),
    );
  }

  /** A package is in the cell only when all its bytes were verified and are on the disk, and whoever adds it has shown to have them. */
  whenKept(open: OpenCall, then: () => void): void {
    const { user, digest, bytes: total } = open.call.request as wire.AddPackageRequest;
    // Who may not add it is told that, and nothing about the bytes.
    if (addProblem(this.#options.copy.state, open.call.user, user) !== undefined) return then();
    const owned = isOwned(this.#options.copy.state, user, digest);
    this.#askPackages(
      open,
      (id) => ({ type: "package-kept", id, user, owned, digest, total }),
      ({ kept }) => {
        if (kept) then();
        else
          this.#options.fail(
            open,
            "refused",
            `The bytes of package "${digest.slice(0, 12)}" are not all here: borg package push sends them first`,
          );
      },
    );
  }

  #askPackages(
    open: OpenCall,
    question: (id: string) => PackageAsk,
    take: (told: Extract<PackageAnswer, { readonly type: "package-received" }>) => void,
  ): void {
    this.#options.calls.ask<PackageAnswer>(open, this.#options.keeper, question, (told) => {
      if (told.type === "package-received") take(told);
      else this.#options.fail(open, told.code, told.reason);
    });
  }
}
