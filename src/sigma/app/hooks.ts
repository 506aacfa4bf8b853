/** How components see the cell: views that are watched while somebody looks, and reads that are asked again. */
import { createContext } from "preact";
import { useContext, useEffect, useReducer, useState } from "preact/hooks";
import type { Connection, Live, ViewData } from "./live.ts";
import { MOVED, type Place, placeNow } from "./place.ts";
import { ENDED, Refused } from "./session.ts";
import type { Cell, ViewSpec } from "./shapes.ts";

export const LiveContext = createContext<Live | undefined>(undefined);

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error("No cell is there to be looked at");
  return live;
}

const useAgain = (): (() => void) => useReducer<number, void>((count) => count + 1, 0)[1] as () => void;

export function useView(spec: ViewSpec): ViewData | undefined {
  const live = useLive();
  const again = useAgain();
  const key = JSON.stringify(spec);
  useEffect(() => live.watch(spec, again), [live, key]);
  return live.dataOf(spec);
}

export const CELL_VIEW: ViewSpec = { kind: "CELL" };
export const useCell = (): Cell | undefined => useView(CELL_VIEW)?.cell;

export function useConnection(): Connection {
  const live = useLive();
  const again = useAgain();
  useEffect(() => live.onConnection(again), [live, again]);
  return live.connection;
}

export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const moved = (): void => setPlace(placeNow());
    window.addEventListener("popstate", moved);
    window.addEventListener(MOVED, moved);
    return () => {
      window.removeEventListener("popstate", moved);
      window.removeEventListener(MOVED, moved);
    };
  }, []);
  return place;
}

/** The browser said that dark became light, or the other way round. */
export function useScheme(): boolean {
  const [isDark, setDark] = useState(matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const look = (): void => setDark(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return isDark;
}

/** Cell time, so often. */
export function useNow(everyMs = 1000): number {
  const live = useLive();
  const again = useAgain();
  useEffect(() => {
    const timer = setInterval(again, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, again]);
  return live.nowMs;
}

export interface Read<Answer> {
  readonly answer?: Answer;
  readonly problem?: string;
  readonly again: () => void;
}

/** A read that is asked again so often, while the page is seen; undefined as its request: not at all. */
export function useRead<Answer>(method: string, request: object | undefined, everyMs: number): Read<Answer> {
  const live = useLive();
  const [found, setFound] = useState<{ readonly key: string; readonly answer?: Answer; readonly problem?: string }>({ key: "" });
  const [turn, again] = useReducer<number, void>((count) => count + 1, 0);
  const key = request === undefined ? "" : `${method} ${JSON.stringify(request)}`;
  useEffect(() => {
    if (request === undefined) return undefined;
    const own = new AbortController();
    const ask = async (): Promise<void> => {
      if (document.hidden) return;
      try {
        const answer = await live.session.ask<Answer>(method, request, own.signal);
        if (!own.signal.aborted) setFound({ key, answer });
      } catch (error) {
        if (own.signal.aborted) return;
        if (error instanceof Refused && error.status === ENDED) return;
        const problem = error instanceof Refused ? error.message : "";
        setFound((before) =>
          before.key === key && before.answer !== undefined && problem === ""
            ? before
            : { key, problem: problem || "The cell does not answer" },
        );
      }
    };
    void ask();
    const timer = everyMs === 0 ? undefined : setInterval(() => void ask(), everyMs);
    return () => {
      own.abort();
      clearInterval(timer);
    };
  }, [live, key, everyMs, turn]);
  const current = found.key === key ? found : { key };
  return { ...current, again: again as () => void };
}
