/** What a task wrote, as it writes it. Everything is text: control characters are left out, and a line that is too long is cut. */

import { useEffect, useRef, useState } from "preact/hooks";
import { commandLine } from "./commands.ts";
import { Pick } from "./filter.tsx";
import { useLive } from "./hooks.ts";
import { useSearchBack } from "./log-search-hook.ts";
import { bytesOf, type LogState, logText, newLog, shownLines } from "./log-text.ts";
import { Section, Terminal } from "./parts.tsx";
import { goWith } from "./place.ts";
import { ENDED, Refused } from "./session.ts";
import { grouped } from "./words.ts";

const WAIT_MS = 8000;
const BYTES = 65_536;

interface LogAnswer {
  readonly instance?: string;
  readonly data?: string;
  readonly offset?: number;
  readonly nextOffset?: number;
  readonly ended?: boolean;
  readonly newerInstance?: string;
}

export interface Followed extends LogState {
  readonly instance: string;
  readonly words: string;
  /** Bytes of the instance's log so far. */
  readonly nextOffset: number;
}

const unknownLog = (): Followed => ({ ...newLog(), instance: "", words: "Asking the machine for its log …", nextOffset: 0 });

const STREAMS = [
  ["", "stdout"],
  ["stderr", "stderr"],
] as const;

/** Follows one stream of the newest instance, and goes on with the next one. */
function useLog(task: string, stream: string): Followed {
  const live = useLive();
  const [followed, setFollowed] = useState<Followed>(unknownLog);
  useEffect(() => {
    const own = new AbortController();
    setFollowed(unknownLog());
    const follow = async (): Promise<void> => {
      const decoder = new TextDecoder();
      let at: object = { fromEnd: true, offset: BYTES / 2 };
      while (!own.signal.aborted) {
        if (document.hidden) await pause(500);
        const request = { task, stream: stream === "stderr" ? "LOG_STREAM_STDERR" : "LOG_STREAM_STDOUT", bytesMax: BYTES, ...at };
        const answer = await live.session.ask<LogAnswer>("ReadLog", request, own.signal);
        if (own.signal.aborted) return;
        const { instance = "", data = "", offset = 0, nextOffset = 0, ended = false, newerInstance = "" } = answer;
        const text = decoder.decode(bytesOf(data), { stream: true });
        const words = ended && newerInstance === "" ? "It writes no more." : "";
        const isMiddle = "fromEnd" in at && offset > 0;
        setFollowed((before) => ({
          ...logText(before, isMiddle ? afterLine(text) : text),
          isCut: before.isCut || isMiddle,
          instance,
          words,
          nextOffset,
        }));
        at = newerInstance === "" ? { instance, offset: nextOffset, waitMs: WAIT_MS } : { instance: newerInstance, offset: 0 };
        if (ended && newerInstance === "" && data === "") await pause(3000);
      }
    };
    const again = async (): Promise<void> => {
      while (!own.signal.aborted)
        try {
          await follow();
        } catch (error) {
          if (own.signal.aborted || (error instanceof Refused && error.status === ENDED)) return;
          setFollowed((before) => ({ ...before, words: error instanceof Refused ? error.message : "The cell does not answer." }));
          await pause(3000);
          if (!own.signal.aborted) setFollowed((before) => ({ ...before, ...newLog() }));
        }
    };
    void again();
    return () => own.abort();
  }, [live, task, stream]);
  return followed;
}

/** What comes after the first end of a line: the line before it has lost its beginning. */
const afterLine = (text: string): string => text.slice(text.indexOf("\n") + 1);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function Logs({ task, query }: { readonly task: string; readonly query: URLSearchParams }) {
  const stream = query.get("stream") ?? "";
  const text = query.get("find") ?? "";
  const log = useLog(task, stream);
  const at = useRef<HTMLPreElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const back = useSearchBack(task, stream, log, text);
  const { lines, matches } = shownLines(log, text, back.looked?.lines, back.written);
  useEffect(() => {
    if (isFollowing && at.current !== null) at.current.scrollTop = at.current.scrollHeight;
  }, [lines.length, log.written, isFollowing]);
  const scrolled = (): void => {
    const seen = at.current;
    if (seen !== null) setFollowing(seen.scrollHeight - seen.scrollTop - seen.clientHeight < 24);
  };
  const more = (
    <>
      <Pick label="Stream" isBare value={stream} choices={STREAMS} onPick={(value) => goWith("stream", value)} />
      <input
        class="filter"
        type="search"
        aria-label="Find in the log"
        placeholder="Find in the log"
        value={text}
        onInput={(event) => goWith("find", event.currentTarget.value)}
      />
      <span class="quiet" role="status">
        {text === "" ? "" : `${grouped(matches)} lines${back.words}`}
      </span>
    </>
  );
  return (
    <Section title="Log" more={more}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre ref={at} class="log" onScroll={scrolled} tabIndex={0} role="log" aria-label={`Log of ${task}`} aria-live="off">
        {log.isCut && text === "" && <span class="quiet">Earlier lines are not shown here.{"\n"}</span>}
        {lines.map((line) => (
          <Line key={line.number} text={line.text} find={text} />
        ))}
        {lines.length === 0 && (
          <span class="quiet">{log.words || (text === "" ? "It has written nothing yet." : "No line has that.")}</span>
        )}
      </pre>
      {!isFollowing && (
        <button type="button" class="plain" onClick={() => setFollowing(true)}>
          Follow again
        </button>
      )}
      {lines.length > 0 && log.words !== "" && <p class="quiet">{log.words}</p>}
      <Terminal
        command={commandLine(`borg logs -f${stream === "stderr" ? " --stderr" : ""}`, task)}
        method="ReadLog"
        request={{ task, fromEnd: true }}
      />
    </Section>
  );
}

function Line({ text, find }: { readonly text: string; readonly find: string }) {
  if (find === "") return <span>{`${text}\n`}</span>;
  const at = text.toLowerCase().indexOf(find.toLowerCase());
  return (
    <span>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + find.length)}</mark>
      {`${text.slice(at + find.length)}\n`}
    </span>
  );
}
