/** Numbers of the wire in words. Types only come from the generated code: loading it would cost every command its start time. */
import { signalName } from "../../base/exit-words.ts";
import { EVENT_KINDS } from "../../cell/event.ts";
import type { EventKind } from "../../wire/gen/borg/v1/event_pb.ts";
import type { Health } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { Capability, Cause, Role } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Band } from "../../wire/gen/borg/v1/resource_pb.ts";

/** A test compares these with the generated enums. */
export const BAND_WORDS: Readonly<Record<Band, string>> = ["none", "free", "batch", "production", "monitoring"] as never;
export const ROLE_WORDS: Readonly<Record<Role, string>> = ["none", "viewer", "user", "quota-admin", "cell-admin"] as never;
export const CAPABILITY_WORDS: Readonly<Record<Capability, string>> = [
  "none",
  "modify-any-job",
  "disable-reclamation",
  "host-mount",
  "schedule",
  "read-any-job",
] as never;
export const HEALTH_WORDS: Readonly<Record<Health, string>> = ["", "unknown", "good", "bad"] as never;

/** The same words that tasks have as their cause. */
export const CAUSE_WORDS: Readonly<Record<Cause, string>> = [
  "",
  "preemption",
  "out-of-resources",
  "machine-failure",
  "machine-shutdown",
  "other",
  "failed",
  "killed",
  "lost",
  "finished",
  "restart",
  "submitted",
  "placed",
  "started",
  "machine-restart",
] as never;

/** What an event is about, and what happened to it. */
export const EVENT_WORDS: Readonly<Record<EventKind, string>> = {
  0: "",
  ...Object.fromEntries(Object.entries(EVENT_KINDS).map(([kind, number]) => [number, kind.replace(".", "-")])),
} as never;

/** A newer cell may say a number that this command does not know. */
export function wordOf<Key extends number>(words: Readonly<Record<Key, string>>, value: Key): string {
  return words[value] ?? `#${value}`;
}

/** Undefined for a word that is none of them; the first one stands for "unspecified" and cannot be said. */
export function numberOf<Key extends number>(words: Readonly<Record<Key, string>>, word: string): Key | undefined {
  const at = Object.values<string>(words).indexOf(word);
  return at > 0 ? (at as Key) : undefined;
}

export const spoken = (words: Readonly<Record<number, string>>): readonly string[] => Object.values(words).slice(1);

/** Programs get a code or a signal, never both: a shell's 137 is the signal it stands for. */
export function exitPlain(code: number, signal: number): { readonly code: number | null; readonly signal: string | null } {
  return signal === 0 ? { code, signal: null } : { code: null, signal: signalName(signal) };
}
