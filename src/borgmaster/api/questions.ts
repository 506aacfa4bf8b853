/** Questions of the API that are too large for its own thread: the follower answers them. */
import type { Result } from "../../base/result.ts";
import { refused } from "../../base/result.ts";
import { decode, encode, make } from "../../wire/codec.ts";
import type { CheckJobRequest, CheckJobResponseSchema, ExplainRequest, ExplanationSchema } from "../../wire/gen/borg/v1/api_pb.ts";
import { JobSpecSchema } from "../../wire/gen/borg/v1/spec_pb.ts";
import type { FollowerAnswer, FollowerQuestion } from "../message.ts";

const BYTES_MAX = 16 * 1024 * 1024;

/** `nowMs` is cell time: the follower's own moves only with entries. */
export const explainQuestion =
  (user: string, { name }: ExplainRequest, nowMs: number) =>
  (id: string): FollowerQuestion => ({ type: "explain", id, user, name, nowMs });

export const checkQuestion =
  (user: string, { spec }: CheckJobRequest) =>
  (id: string): FollowerQuestion => ({ type: "check-job", id, user, spec: encode(JobSpecSchema, spec ?? make(JobSpecSchema, {})) });

export function explanationOf(schema: typeof ExplanationSchema | typeof CheckJobResponseSchema, told: FollowerAnswer): Result<object> {
  return told.type === "not-explained" ? refused(told.reason) : decode(schema, told.payload, BYTES_MAX);
}
