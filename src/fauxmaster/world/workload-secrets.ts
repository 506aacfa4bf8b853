/** Secrets that users set, remove and name. Every value says whose it is and begins with a mark, so that a judge who sees one where it must not be knows it. */
import type { Random } from "../../base/random.ts";
import * as api from "../../wire/gen/borg/v1/api_pb.ts";
import { SECRETS_PLACE } from "../../wire/spec-defaults.ts";
import { type ClientCall, change } from "./workload-changes.ts";

/** With which every value begins. */
const HUSH = "hush:";

const NAMES = ["db", "key", "cert"] as const;

/** Of this user's secret of this name, whichever value it is. */
export const hushOf = (user: string, name: string): string => `${HUSH}${user}/${name}:`;

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** One character for each byte, whatever it is. */
export const textOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

const HUSH_BYTES = bytesOf(HUSH);

/** Whether some value stands in these bytes. Asked of everything that is saved: byte by byte, without a text of it. */
export function isOverheard(bytes: Uint8Array): boolean {
  const [first] = HUSH_BYTES;
  for (let at = bytes.indexOf(first!); at >= 0; at = bytes.indexOf(first!, at + 1))
    if (HUSH_BYTES.every((byte, i) => bytes[at + i] === byte)) return true;
  return false;
}

/** Of one's own mostly, and of somebody who would not allow it. */
export function drawSecret(random: Random, own: string, users: readonly string[]): ClientCall {
  const user = random.chance(0.95) ? own : random.pick([...users]);
  const name = random.pick([...NAMES]);
  if (random.chance(0.2)) return change("removeSecret", api.RemoveSecretRequestSchema, { user, name });
  const value = random.int(0, 1_000_000);
  const labels = value % 4 === 0 ? { labels: { labels: [{ key: "of", value: name }] } } : {};
  return change("setSecret", api.SetSecretRequestSchema, { user, name, value: bytesOf(hushOf(user, name) + value), ...labels });
}

/** Mostly none. */
export function namedSecrets(random: Random | undefined): { readonly name: string; readonly path: string }[] {
  if (random?.chance(0.25) !== true) return [];
  const name = random.pick([...NAMES]);
  return [{ name, path: `${SECRETS_PLACE}/${name}` }];
}
