/** What happened, newest first. */
import { commandLine } from "../commands.ts";
import { Filter } from "../filter.tsx";
import { useNow, useView } from "../hooks.ts";
import { awaited, Events, Terminal } from "../parts.tsx";

export function EventsPage({ query }: { readonly query: URLSearchParams }) {
  const nowMs = useNow(10_000);
  const about = (query.get("q") ?? "").trim();
  const data = useView({ kind: "EVENTS", query: about, limit: 200 });
  return (
    <>
      <div class="title">
        <h1>Events</h1>
        <Filter value={query.get("q") ?? ""} label="About a job, task, machine or user" />
      </div>
      {data === undefined ? (
        awaited("events")
      ) : (
        <Events
          events={data.events}
          nowMs={nowMs}
          empty={about === "" ? "Nothing has happened since this master began." : `Nothing is known of ${about} since this master began.`}
        />
      )}
      <Terminal
        command={commandLine("borg events -f", ...(about === "" ? [] : [about]))}
        method="ReadEvents"
        request={about === "" ? {} : { about }}
      />
    </>
  );
}
