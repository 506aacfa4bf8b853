/** Questions about the history of the cell: what `borg sql` answers, as a table and a plot. */

import { useEffect, useRef, useState } from "preact/hooks";
import { commandLine } from "../commands.ts";
import { useLive } from "../hooks.ts";
import type { Live } from "../live.ts";
import { Section, Terminal } from "../parts.tsx";
import { goWith } from "../place.ts";
import { Plot } from "../plot.tsx";
import { Refused } from "../session.ts";
import { type Answer, type Column, csvOf, isNumeric, plotOf, ROWS_MAX, type Value, valueText } from "../sql/answer.ts";
import { QUESTIONS, type Question } from "../sql/questions.ts";
import { readSaved, SAVED_MAX, SQL_MAX, withSaved, writeSaved } from "../sql/saved.ts";
import { grouped, plural } from "../words.ts";

interface Page {
  readonly columns?: readonly Column[];
  readonly rows?: readonly string[];
  readonly more?: string;
}

/** Page after page, until there are more rows than are shown; what is left the cell forgets by itself. */
async function answerOf(live: Live, sql: string, signal: AbortSignal): Promise<Answer> {
  const columns: Column[] = [];
  const rows: (readonly Value[])[] = [];
  let more = "";
  do {
    const page = await live.session.ask<Page>("RunQuery", more === "" ? { sql } : { more }, signal);
    columns.push(...(page.columns ?? []).map(({ name = "", type = "" }) => ({ name, type })));
    rows.push(...(page.rows ?? []).slice(0, ROWS_MAX + 1 - rows.length).map((row) => JSON.parse(row) as Value[]));
    more = page.more ?? "";
  } while (more !== "" && rows.length <= ROWS_MAX);
  return { columns, rows: rows.slice(0, ROWS_MAX), isCut: rows.length > ROWS_MAX || more !== "" };
}

type Asked =
  | { readonly state: "idle" }
  | { readonly state: "asked" }
  | { readonly state: "answered"; readonly answer: Answer; readonly tookMs: number; readonly turn: number }
  | { readonly state: "failed"; readonly words: string };

/** Asks what the address says, and again when it says something else. */
function useAnswer(sql: string, turn: number): readonly [Asked, () => void] {
  const live = useLive();
  const [asked, setAsked] = useState<Asked>({ state: "idle" });
  const own = useRef<AbortController>(undefined);
  useEffect(() => {
    own.current?.abort();
    if (sql.trim() === "") return setAsked({ state: "idle" });
    const mine = new AbortController();
    own.current = mine;
    const from = performance.now();
    setAsked({ state: "asked" });
    answerOf(live, sql, mine.signal).then(
      (answer) => !mine.signal.aborted && setAsked({ state: "answered", answer, tookMs: performance.now() - from, turn }),
      (error: unknown) => {
        const words = error instanceof Refused ? error.message : "The cell does not answer.";
        if (!mine.signal.aborted) setAsked({ state: "failed", words });
      },
    );
    return () => mine.abort();
  }, [live, sql, turn]);
  const stop = (): void => {
    own.current?.abort();
    setAsked({ state: "failed", words: "Stopped: nobody waits for the answer any more." });
  };
  return [asked, stop];
}

export function SqlPage({ query }: { readonly query: URLSearchParams }) {
  const sql = query.get("q") ?? "";
  const [text, setText] = useState(sql);
  const [turn, setTurn] = useState(0);
  const [asked, stop] = useAnswer(sql, turn);
  useEffect(() => setText(sql), [sql]);
  const run = (): void => {
    goWith("q", text.trim());
    setTurn(turn + 1);
  };
  return (
    <>
      <div class="title">
        <h1>SQL</h1>
        <span class="quiet">
          what happened in the cell, what was used, who asked for what; your own jobs, or everybody's if you may see them
        </span>
      </div>
      <Questions
        text={text}
        onPick={(picked) => {
          setText(picked);
          goWith("q", picked);
          setTurn(turn + 1);
        }}
      />
      <textarea
        class="editor"
        aria-label="Question in SQL"
        placeholder="select job, state, task_count from jobs order by submitted desc limit 10"
        spellcheck={false}
        maxLength={SQL_MAX}
        rows={Math.min(14, Math.max(4, text.split("\n").length + 1))}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          run();
        }}
      />
      <p class="buttons left">
        <button type="button" class="primary" disabled={text.trim() === "" || asked.state === "asked"} onClick={run}>
          Run
        </button>
        {asked.state === "asked" && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        <span class="quiet">Ctrl and Enter run it; it only reads.</span>
      </p>
      <Shown asked={asked} />
      <Terminal
        command={commandLine("borg sql", text.trim() || "show tables")}
        method="RunQuery"
        request={{ sql: text.trim() || "show tables" }}
      />
    </>
  );
}

function Questions({ text, onPick }: { readonly text: string; readonly onPick: (sql: string) => void }) {
  const [saved, setSaved] = useState<readonly Question[]>(readSaved);
  const [name, setName] = useState("");
  const [note, setNote] = useState("");
  const known = [...saved, ...QUESTIONS].find(({ sql }) => sql === text.trim());
  const isSaved = saved.some((each) => each === known);
  const keep = (next: readonly Question[] | undefined): void => {
    if (next === undefined) return setNote(`There are ${SAVED_MAX} already: remove one first.`);
    setSaved(next);
    setNote(writeSaved(next) ? "" : "This browser does not keep it.");
  };
  return (
    <p class="questions">
      <Choice saved={saved} known={known} isSaved={isSaved} onPick={onPick} />
      {isSaved ? (
        <button type="button" onClick={() => keep(saved.filter((each) => each !== known))}>
          Remove
        </button>
      ) : (
        known === undefined &&
        text.trim() !== "" && (
          <>
            <input
              class="filter"
              aria-label="Name of the question"
              placeholder="Save it as"
              maxLength={80}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
            <button
              type="button"
              disabled={name.trim() === ""}
              onClick={() => {
                keep(withSaved(saved, name.trim(), text.trim()));
                setName("");
              }}
            >
              Save in this browser
            </button>
          </>
        )
      )}
      <span class="quiet" role="status">
        {note}
      </span>
    </p>
  );
}

interface ChoiceProps {
  readonly saved: readonly Question[];
  readonly known: Question | undefined;
  readonly isSaved: boolean;
  readonly onPick: (sql: string) => void;
}

function Choice({ saved, known, isSaved, onPick }: ChoiceProps) {
  return (
    <select
      aria-label="Questions"
      value={known === undefined ? "" : `${isSaved ? "s" : "q"}${known.name}`}
      onChange={({ currentTarget: { value } }) => {
        const from = value.startsWith("s") ? saved : QUESTIONS;
        const found = from.find((each) => each.name === value.slice(1));
        if (found !== undefined) onPick(found.sql);
      }}
    >
      <option value="">Choose a question …</option>
      {saved.length > 0 && (
        <optgroup label="Yours">
          {saved.map((each) => (
            <option key={each.name} value={`s${each.name}`}>
              {each.name}
            </option>
          ))}
        </optgroup>
      )}
      <optgroup label="To begin with">
        {QUESTIONS.map((each) => (
          <option key={each.name} value={`q${each.name}`}>
            {each.name}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

function Shown({ asked }: { readonly asked: Asked }) {
  if (asked.state === "idle") return <p class="quiet">Choose a question, or write one: show tables lists what there is.</p>;
  if (asked.state === "asked") return <p class="quiet awaited">Asking the history; a question may take 20 s …</p>;
  if (asked.state === "failed")
    return (
      <p role="alert" class="problem sql-problem">
        {asked.words}
      </p>
    );
  const { answer, tookMs, turn } = asked;
  const { columns, rows, isCut } = answer;
  const plotted = plotOf(answer);
  const words = isCut
    ? `The first ${grouped(rows.length)} rows: there are more, which borg sql --csv prints`
    : `${rows.length === 0 ? "No rows" : plural(rows.length, "row")}`;
  return (
    <>
      {plotted !== undefined && (
        <Section title="Plot">
          <Plot
            key={`${turn} ${plotted.title}`}
            title={plotted.title}
            unit=""
            isTime={plotted.isTime}
            series={plotted.labels.map((label, i) => ({ label, colour: COLOURS[i % COLOURS.length]!, isDashed: i >= COLOURS.length }))}
            data={plotted.data}
          />
        </Section>
      )}
      <Section title="Answer" more={<Saving answer={answer} />}>
        <p class="quiet" role="status">{`${words}; ${(tookMs / 1000).toFixed(1)} s`}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
        <section class="answer" tabIndex={0} aria-label="Rows of the answer">
          <table class="list" aria-label="answer">
            <thead>
              <tr>
                {columns.map((column, i) => (
                  <th key={`${i} ${column.name}`} class={isNumeric(column) ? "number" : ""} title={column.type}>
                    {column.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, i) => (
                <tr key={String(i)}>
                  {columns.map((column, j) => (
                    <td key={`${j} ${column.name}`} class={isNumeric(column) ? "number" : ""}>
                      {valueText(row[j] ?? null)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Section>
    </>
  );
}

const COLOURS = ["--runs", "--waits", "--failed", "--away", "--gone"] as const;

function Saving({ answer }: { readonly answer: Answer }) {
  const save = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csvOf(answer)], { type: "text/csv" }));
    link.download = "answer.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <button type="button" class="plain" onClick={save}>
      CSV
    </button>
  );
}
