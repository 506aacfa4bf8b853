/** The last events of one thing, on its page. */
import { useView } from "./hooks.ts";
import { awaited, Events, Section } from "./parts.tsx";
import type { ViewSpec } from "./shapes.ts";

export const eventsView = (name: string, limit: number): ViewSpec => ({ kind: "EVENTS", query: name, limit });

interface EventsOfProps {
  readonly name: string;
  readonly limit: number;
  readonly nowMs: number;
}

export function EventsOf({ name, limit, nowMs }: EventsOfProps) {
  const happened = useView(eventsView(name, limit));
  return (
    <Section title="Events">
      {happened === undefined ? (
        awaited("events")
      ) : (
        <Events events={happened.events.slice(0, limit)} nowMs={nowMs} empty="Nothing has happened to it since this master began." />
      )}
    </Section>
  );
}
