/** What must hold of secrets, in words of their own: they are where they may be, nobody who follows the feed gets any of them, and what a living job names is there. */
import { encode } from "../wire/codec.ts";
import { FeedRecordSchema } from "../wire/gen/borg/v1/feed_pb.ts";
import { feedRecord, userBody } from "./feed-piece.ts";
import type { Findings } from "./invariants.ts";
import { tasksAsked } from "./invariants-words.ts";
import type { CellState, User } from "./state.ts";

const MOST = 100;
const BYTES_MOST = 1_048_576;
/** Enough of a ciphertext to know it by. */
const SEEN_BYTES = 12;

export function checkSecrets(findings: Findings, state: CellState): void {
  for (const user of state.users.values()) {
    const { id, secrets } = user;
    if (secrets.size === 0) continue;
    findings.expect(state.version >= 5, "KD7", () => `There are secrets in a cell of version ${state.version}`);
    const bytes = [...secrets.values()].map(({ sealed }) => sealed.ciphertext.length).reduce((a, b) => a + b, 0);
    findings.expect(secrets.size <= MOST && bytes <= BYTES_MOST, "KB1", () => `User "${id}" has ${secrets.size} secrets of ${bytes} bytes`);
    checkFeed(findings, user);
  }
  if (state.version < 5) return;
  for (const job of state.jobs.values()) {
    for (const { name } of tasksAsked(job).flatMap(({ secrets }) => secrets))
      findings.expect(
        state.users.get(job.owner)?.secrets.has(name) === true,
        "KG1",
        () => `Job "${job.id}" names secret "${name}", which is not there`,
      );
  }
}

/** Encrypted or not, nothing of a secret is told to anybody: what everybody may know of a user does not have it. */
function checkFeed(findings: Findings, user: User): void {
  const told = textOf(encode(FeedRecordSchema, feedRecord(userBody(user))));
  for (const { name, sealed } of user.secrets.values())
    findings.expect(
      !told.includes(textOf(sealed.ciphertext.subarray(0, SEEN_BYTES))) && !told.includes(textOf(sealed.nonce)),
      "KA3",
      () => `Secret "${name}" of user "${user.id}" is in the feed`,
    );
}

/** Bytes as text of one character each, so that they can be looked for. */
const textOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
