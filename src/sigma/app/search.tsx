/** Finds what there is by a part of its name: pages, commands and questions, jobs, tasks, machines, users. Asked of the cell while one types. */
import { useEffect, useState } from "preact/hooks";
import { useLive, useRead } from "./hooks.ts";
import { PLACES } from "./keys.tsx";
import { paletteOf, usersOf } from "./palette.ts";
import { go, jobPath, machinePath, taskPath } from "./place.ts";
import type { JobRow, Machine, Task, ViewsAnswer } from "./shapes.ts";
import { Sheet } from "./sheet.tsx";
import { jobWords, type Look, lookOf, stateWord, taskLook } from "./words.ts";

interface Found {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
  readonly look?: Look;
  readonly words?: string;
}

const WAIT_MS = 80;
const EACH = 6;

const places = (text: string): readonly Found[] =>
  PLACES.filter(([, , name]) => name.toLowerCase().includes(text.toLowerCase())).map(([key, path, name]) => ({
    kind: "page",
    name,
    path,
    words: `g ${key}`,
  }));

const jobFound = ({ job }: JobRow): Found => ({
  kind: job.allocSet ? "alloc set" : "job",
  name: job.name,
  path: jobPath(job.name),
  ...jobWords(job),
});
const taskFound = (task: Task): Found => ({
  kind: "task",
  name: task.name,
  path: taskPath(task.name),
  look: taskLook(task),
  words: stateWord(task.state),
});
const machineFound = ({ name, state }: Machine): Found => ({
  kind: "machine",
  name,
  path: machinePath(name),
  look: lookOf(state),
  words: state,
});

function useFound(text: string): readonly Found[] {
  const live = useLive();
  const [found, setFound] = useState<readonly Found[]>([]);
  useEffect(() => {
    const own = new AbortController();
    const words = text.trim().replaceAll(":", " ");
    if (words === "") return setFound([]);
    const timer = setTimeout(async () => {
      const views = ["JOBS", "MACHINES", "TASKS"].map((kind) => ({ kind: `VIEW_KIND_${kind}`, query: words, limit: EACH }));
      try {
        const { changes = [] } = await live.session.ask<ViewsAnswer>("WatchViews", { watch: "search", views }, own.signal);
        const rows = (i: number) => changes.find(({ view = 0 }) => view === i);
        setFound([
          ...(rows(0)?.jobs ?? []).map(jobFound),
          ...(rows(1)?.machines ?? []).map(machineFound),
          ...(rows(2)?.tasks ?? []).map(taskFound),
        ]);
      } catch {
        if (!own.signal.aborted) setFound([]);
      }
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      own.abort();
    };
  }, [live, text]);
  // What was found for the text before stays in sight while the cell is asked, but only what fits the text: enter opens what one reads.
  const words = text.toLowerCase().split(/[ :]/);
  return found.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

interface Users {
  readonly users?: readonly { readonly name: string }[];
}

/** Their jobs. Asked once: there are few, and they change seldom. */
function useUsers(text: string): readonly Found[] {
  const { answer } = useRead<Users>("ListUsers", {}, 0);
  const names = (answer?.users ?? []).map(({ name }) => name);
  return usersOf(names, text, EACH).map((name) => ({ kind: "user", name, path: `/jobs?user=${encodeURIComponent(name)}`, words: "jobs" }));
}

export function Search({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const all: readonly Found[] = [...places(text), ...useFound(text), ...useUsers(text), ...paletteOf(text, EACH)];
  const chosen = Math.min(at, all.length - 1);
  const open = (found: Found | undefined): void => {
    if (found === undefined) return;
    onClose();
    go(found.path);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setAt(Math.min(all.length - 1, chosen + 1));
    else if (event.key === "ArrowUp") setAt(Math.max(0, chosen - 1));
    else if (event.key === "Enter") open(all[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Sheet title="Find" kind="search" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        placeholder="Find jobs, tasks, machines, users, pages, commands"
        spellcheck={false}
        aria-label="Find"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={`found-${chosen}`}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div id="found" role="listbox" aria-label="Found">
        {all.map((found, i) => (
          <div
            key={`${found.kind} ${found.name}`}
            id={`found-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            onClick={() => open(found)}
            onKeyDown={press}
          >
            <span class="kind quiet">{found.kind}</span>
            <span class="what">{found.name}</span>
            <span class={found.look === undefined ? "quiet" : `state ${found.look}`}>{found.words}</span>
          </div>
        ))}
      </div>
      {all.length === 0 && <p class="quiet">Nothing here has “{text}” in its name.</p>}
    </Sheet>
  );
}
