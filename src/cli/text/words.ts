/** Numbers of the wire in words. Types only come from the generated code: loading it would cost every command its start time. */

import { signalName } from "../../base/exit-words.ts";
import { CAUSES } from "../../cell/cause.ts";
import { EVENT_KINDS } from "../../cell/event.ts";
import { HEALTH } from "../../cell/health.ts";
import { BANDS } from "../../wire/band.ts";
import type { EventKind } from "../../wire/gen/borg/v1/event_pb.ts";
import type { Health } from "../../wire/gen/borg/v1/machine_pb.ts";
import type { Cause, OfferModule, Reclamation } from "../../wire/gen/borg/v1/op_pb.ts";
import type { Band } from "../../wire/gen/borg/v1/resource_pb.ts";
import { CAPABILITY_WORDS, UNUSED_CAPABILITY } from "../../wire/grants.ts";

/** A test compares these with the generated enums. */
export const BAND_WORDS: Readonly<Record<Band, string>> = ["none", ...BANDS.map(({ name }) => name)] as never;
/** Not said: as it is until somebody chooses. */
export const RECLAMATION_WORDS: Readonly<Record<Reclamation, string>> = ["medium", "off", "baseline", "medium", "aggressive"] as never;
/** Who is offered room first. A cell that was told nothing goes by drf. */
export const OFFER_WORDS: Readonly<Record<OfferModule, string>> = ["drf", "drf", "priority", "lottery"] as never;
/** The words of a table by its numbers; nothing for what is not said. */
const wordsOf = (table: Readonly<Record<string, number>>): never =>
  ({ 0: "", ...Object.fromEntries(Object.entries(table).map(([word, number]) => [number, word.replace(".", "-")])) }) as never;

export const HEALTH_WORDS: Readonly<Record<Health, string>> = wordsOf(HEALTH);

/** The same words that tasks have as their cause. */
export const CAUSE_WORDS: Readonly<Record<Cause, string>> = wordsOf(CAUSES);

/** What an event is about, and what happened to it. */
export const EVENT_WORDS: Readonly<Record<EventKind, string>> = wordsOf(EVENT_KINDS);

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

/** What an admin may give: not what has come to mean nothing. */
export const GRANTABLE = spoken(CAPABILITY_WORDS).filter((word) => word !== UNUSED_CAPABILITY);

/** Programs get a code or a signal, never both: a shell's 137 is the signal it stands for. */
export function exitPlain(code: number, signal: number): { readonly code: number | null; readonly signal: string | null } {
  return signal === 0 ? { code, signal: null } : { code: null, signal: signalName(signal) };
}
