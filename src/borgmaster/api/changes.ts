/** The API's changes: the op that a call asks for, and what its outcome is to the caller. */
import type { JobId } from "../../base/id.ts";
import type { NewHash } from "../../base/sha256.ts";
import type { Answer } from "../../cell/answer.ts";
import { type Op, userOp } from "../../cell/op.ts";
import type { LaunchAnswer } from "../../cell/ops/launches.ts";
import type { CellState } from "../../cell/state.ts";
import { type Init, make } from "../../wire/codec.ts";
import {
  type Changed,
  ChangedSchema,
  type ClaimTasksResponse,
  ClaimTasksResponseSchema,
  type LaunchVerdictSchema,
} from "../../wire/gen/borg/v1/api_pb.ts";
import type { ClientAnswer } from "../message.ts";
import type { OpBody } from "./asks.ts";
import { requestDigest } from "./digest.ts";
import type { ApiCall, ClaimsAnswer } from "./message.ts";

/** The one place where a user's request becomes an op. */
export const userRequest = (call: ApiCall, body: OpBody, freshId: () => string, newHash?: NewHash): Op =>
  userOp(
    ...([call.user, call.requestId === "" ? freshId() : call.requestId, body] as const),
    ...([requestDigest(call.method as never, call.request as never, newHash), call.controller] as const),
  );

/** What a change was about, where that is no job. */
type About = Partial<Pick<Changed, "framework" | "allocSet">>;

export const changedView = ({ position, answer }: Extract<ClientAnswer, { readonly result: "done" }>, about: About = {}): Changed => ({
  ...plainChanged(position, answer),
  ...about,
});

/** By the name that the call gives. The copy may be some entries old; what a thing is does not change while it lives. */
export function kindOf({ jobs }: Pick<CellState, "jobs">, request: object): About {
  const job = "job" in request && typeof request.job === "string" ? jobs.get(request.job as JobId) : undefined;
  if (job?.led !== undefined) return { framework: true };
  return job?.spec.kind === "alloc-set" ? { allocSet: true } : {};
}

function plainChanged(position: number, answer: Answer): Changed {
  if (answer.type === "repeated") return make(ChangedSchema, { position: answer.position, repeated: true });
  if (answer.type === "framework") return make(ChangedSchema, { position, frameworkId: answer.id });
  if (answer.type === "launches") return make(ChangedSchema, { position, launches: answer.launches.map(verdictOf) });
  const already = answer.type === "already" || (answer.type === "submitted" && answer.already);
  return make(ChangedSchema, { position, already });
}

function verdictOf(answer: LaunchAnswer): Init<typeof LaunchVerdictSchema> {
  const { taskId } = answer;
  if (answer.ok) return { taskId, task: answer.task, instance: answer.instance };
  return { taskId, lost: answer.kind === "lost", refusal: answer.reason };
}

export function claimsView({ position, answers }: Extract<ClaimsAnswer, { readonly type: "claimed" }>): ClaimTasksResponse {
  return make(ClaimTasksResponseSchema, {
    position,
    verdicts: answers.map((answer) =>
      answer.ok
        ? { task: answer.task, instance: answer.instance, victims: [...answer.victims] }
        : { task: answer.task, refusal: answer.reason },
    ),
  });
}
