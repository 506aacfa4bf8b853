/** The search in a log as its page sees it: begun when somebody has typed, called off when they type on, and told in words how far it has looked. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useLive } from "./hooks.ts";
import { type Looked, type ReadLogPiece, searchBack } from "./log-search.ts";
import { bytesOf } from "./log-text.ts";
import type { Followed } from "./logs.tsx";
import { figure } from "./words.ts";

/** So long nobody types. */
const TYPED_MS = 400;
const MIB = 2 ** 20;

export interface SearchedBack {
  /** Undefined: what the page has of the log is all that counts. */
  readonly looked: Looked | undefined;
  /** The number of the first line that is not in it. */
  readonly written: number;
  /** How far it looked; empty: everything is here. */
  readonly words: string;
}

const NOTHING: SearchedBack = { looked: undefined, written: 0, words: "" };

const ENDS: Readonly<Record<Looked["end"], string>> = {
  "": " so far …",
  beginning: ", as far as it is kept",
  far: ": what is older was not looked at",
  many: ": what is older was not looked at, for no more lines are shown",
};

const wordsOf = ({ bytes, end }: Looked): string => `; looked ${figure(bytes / MIB)} MiB back${ENDS[end]}`;

interface LogPage {
  readonly data?: string;
  readonly offset?: number;
  readonly nextOffset?: number;
}

/** Only of a log whose beginning the page has not: else all of it is searched where it is shown. */
export function useSearchBack(task: string, stream: string, log: Followed, find: string): SearchedBack {
  const live = useLive();
  const [state, setState] = useState(NOTHING);
  const latest = useRef(log);
  latest.current = log;
  const { instance, isCut } = log;
  const isWanted = find !== "" && isCut && instance !== "";
  useEffect(() => {
    setState(NOTHING);
    if (!isWanted) return undefined;
    const own = new AbortController();
    const kind = stream === "stderr" ? "LOG_STREAM_STDERR" : "LOG_STREAM_STDOUT";
    const read: ReadLogPiece = async (at, bytesMax) => {
      const page = await live.session.ask<LogPage>("ReadLog", { task, instance, stream: kind, offset: at, bytesMax }, own.signal);
      const { data = "", offset = 0, nextOffset = 0 } = page;
      return { offset, data: bytesOf(data), nextOffset };
    };
    const timer = setTimeout(async () => {
      const { nextOffset, written } = latest.current;
      const tell = (looked: Looked): void => {
        if (!own.signal.aborted) setState({ looked, written, words: wordsOf(looked) });
      };
      try {
        await searchBack(read, nextOffset, find, tell);
      } catch {
        if (!own.signal.aborted) setState((before) => ({ ...before, words: `${before.words}; the machine does not answer for more` }));
      }
    }, TYPED_MS);
    return () => {
      own.abort();
      clearTimeout(timer);
    };
  }, [live, task, stream, instance, isWanted, find]);
  return isWanted ? state : NOTHING;
}
