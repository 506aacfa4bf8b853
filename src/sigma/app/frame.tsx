/** What is on every page: the cell and how it is, the search, who looks, and at the bottom edge the time that is shown. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useCell, useConnection, useNow } from "./hooks.ts";
import { KeyHelp, usePageKeys } from "./keys.tsx";
import { State } from "./parts.tsx";
import { Search } from "./search.tsx";
import { cellSentence, clock } from "./words.ts";

const HEALTH: Readonly<Record<string, string>> = {
  runs: "well",
  waits: "waits",
  failed: "needs a look",
  starts: "starts",
  gone: "",
  away: "",
};

export function Frame({ children }: { readonly children: ComponentChildren }) {
  const cell = useCell();
  const [isSearching, setSearching] = useState(false);
  const [isHelp, setHelp] = useState(false);
  const { state } = useConnection();
  usePageKeys({ search: () => setSearching(true), help: () => setHelp((is) => !is) });
  const now = useNow(10_000);
  const said = cell === undefined ? undefined : cellSentence(cell, now);
  useEffect(() => {
    document.title = cell === undefined ? "borg" : `${location.pathname === "/" ? "" : `${location.pathname.slice(1)} – `}${cell.name}`;
  });
  return (
    <div class={state === "lost" ? "frame stale" : "frame"}>
      <header>
        <span class="cell-side">
          <a class="name" href="/" aria-label={`Cell ${cell?.name ?? "borg"}`}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M8 1l6 3.5v7L8 15l-6-3.5v-7z" />
            </svg>
            {cell?.name ?? "borg"}
          </a>
          <span class="health">{said !== undefined && <State look={said.look}>{HEALTH[said.look]}</State>}</span>
        </span>
        <button type="button" class="find" onClick={() => setSearching(true)} aria-keyshortcuts="/">
          <span>Find jobs, tasks, machines, users, commands</span>
          <kbd>/</kbd>
        </button>
        <span class="who" title={cell?.roles?.join(", ")}>
          {cell?.user}
        </span>
      </header>
      <main>{children}</main>
      <TimeEdge />
      {isSearching && <Search onClose={() => setSearching(false)} />}
      {isHelp && <KeyHelp onClose={() => setHelp(false)} />}
    </div>
  );
}

/** The bottom edge says which time the page shows. */
function TimeEdge() {
  const { state, sinceMs, words } = useConnection();
  const now = useNow();
  const since = clock(sinceMs, Date.now(), true);
  return (
    <footer>
      <span role="status">
        {state === "lost" ? (
          <State look="failed">
            The cell does not answer since {since} ({words}). This page shows what it said last, and tries again.
          </State>
        ) : (
          <span class="quiet">{state === "live" ? "Live" : "Asking the cell …"}</span>
        )}
      </span>
      {state === "live" && <time class="quiet">{clock(now, now, true)}</time>}
    </footer>
  );
}
