/** Small things that every page is made of. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { curlLine } from "./commands.ts";
import { useLive } from "./hooks.ts";
import { jobPath, machinePath, taskPath } from "./place.ts";
import type { Happened, Job, Resources } from "./shapes.ts";
import { clock, grouped, type Look, plural } from "./words.ts";

/** A state has a shape and a colour, and its word beside them. */
export const State = ({ look, children }: { readonly look: Look; readonly children: ComponentChildren }) => (
  <span class={`state ${look}`}>{children}</span>
);

/** A number that says softly, once, that it changed. */
export function Changing({ value, unit = "" }: { readonly value: string; readonly unit?: string }) {
  const at = useRef<HTMLSpanElement>(null);
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const colour = getComputedStyle(document.documentElement).getPropertyValue("--flash");
    at.current?.animate([{ backgroundColor: colour }, { backgroundColor: "transparent" }], { duration: 900, easing: "ease-out" });
  }, [value]);
  return (
    <span ref={at} class="changing">
      {value}
      {unit}
    </span>
  );
}

export type Fact = readonly [name: string, value: string];

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <Changing value={value} />
        </dd>
      </div>
    ))}
  </dl>
);

interface StripPart {
  readonly look: Look;
  readonly count: number;
  readonly word: string;
}

const STRIP_CELLS_MAX = 40;

/** What is wrong stands first. */
function stripParts(job: Job): readonly StripPart[] {
  const { backingOff = 0, pending = 0, starting = 0, running = 0, stopping = 0, failed = 0, lost = 0, dead = 0 } = job;
  const parts: readonly StripPart[] = [
    { look: "failed", count: backingOff + failed + lost, word: "failed" },
    { look: "waits", count: pending, word: "pending" },
    { look: "starts", count: starting, word: "starting" },
    { look: "runs", count: running, word: "running" },
    { look: "gone", count: stopping + dead - failed - lost, word: "ended or stopping" },
  ];
  return parts.filter(({ count }) => count > 0);
}

/** The tasks of a job as one strip: a cell each while they can be told apart, then parts of it. */
export function Strip({ job }: { readonly job: Job }) {
  const parts = stripParts(job);
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  const words = parts.map(({ count, word }) => `${grouped(count)} ${word}`).join(", ");
  const cells =
    all <= STRIP_CELLS_MAX
      ? parts.flatMap(({ look, count }) => Array.from({ length: count }, (_, i) => <i key={`${look}${i}`} class={`cell ${look}`} />))
      : parts.map(({ look, count }) => <i key={look} class={`part ${look}`} style={{ flexGrow: count }} />);
  return (
    <span class={all <= STRIP_CELLS_MAX ? "strip" : "strip long"} role="img" aria-label={words === "" ? "no tasks" : words} title={words}>
      {cells}
    </span>
  );
}

/** How much of a limit is used, as a thin bar behind two numbers. */
export function Share({ used, limit, show }: { readonly used: number; readonly limit: number; readonly show: (value: number) => string }) {
  const part = limit === 0 ? 0 : Math.min(1, used / limit);
  return (
    <span class="share">
      <Changing value={show(used)} />
      <span class="quiet"> / {show(limit)}</span>
      <i class={part > 0.95 ? "fill full" : "fill"} style={{ width: `${(100 * part).toFixed(1)}%` }} />
    </span>
  );
}

export const cpuOf = (amount: Resources | undefined): number => amount?.cpuMilli ?? 0;
export const ramOf = (amount: Resources | undefined): number => amount?.ramBytes ?? 0;

interface TerminalProps {
  /** Undefined: no command of ours does the same. */
  readonly command: string | undefined;
  readonly method: string;
  readonly request?: object;
}

/** How it is done from a script. */
export function Terminal({ command, method, request = {} }: TerminalProps) {
  const { session } = useLive();
  const [isOpen, setOpen] = useState(false);
  const curl = curlLine(session.way, method, request);
  return (
    <p class="terminal">
      <span class="quiet">In a terminal</span> {command !== undefined && <Copied text={command} />}
      <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        curl
      </button>
      {isOpen && <Copied text={curl} />}
    </p>
  );
}

function Copied({ text }: { readonly text: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).catch(() => {});
    setDone(true);
    setTimeout(() => setDone(false), 1200);
  };
  return (
    <button type="button" class="code" title="Copy" onClick={() => void copy()}>
      <code>{text}</code>
      <span class="quiet" role="status">
        {isDone ? " copied" : ""}
      </span>
    </button>
  );
}

/** What an empty page says to whoever wants to fill it. */
export const Empty = ({ words, command = "" }: { readonly words: string; readonly command?: string }) => (
  <div class="empty">
    <p>{words}</p>
    {command !== "" && <Copied text={command} />}
  </div>
);

export const Section = ({
  title,
  more,
  children,
}: {
  readonly title: string;
  readonly more?: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <section aria-label={title}>
    <div class="head">
      <h2>{title}</h2>
      {more}
    </div>
    {children}
  </section>
);

/** Where a name leads. */
function subjectPath({ event: { subject = "", kind = "" } }: Happened): string | undefined {
  if (kind.includes("MACHINE")) return kind.endsWith("LEFT") ? undefined : machinePath(subject);
  if (kind.includes("TASK") || kind.includes("INSTANCE") || kind.includes("RESERVATION")) return taskPath(subject);
  return kind.includes("JOB") && !kind.endsWith("FORGOTTEN") ? jobPath(subject) : undefined;
}

export function Events({ events, nowMs, empty }: { readonly events: readonly Happened[]; readonly nowMs: number; readonly empty: string }) {
  if (events.length === 0) return <p class="quiet">{empty}</p>;
  return (
    <ol class="events">
      {events.map((each) => (
        <EventLine key={`${each.event.position}/${each.event.index ?? 0}/${each.event.subject}`} happened={each} nowMs={nowMs} />
      ))}
    </ol>
  );
}

const SubjectLink = ({ path, subject }: { readonly path: string; readonly subject: string }) => (
  <a href={path} data-row>
    {subject}
  </a>
);

function EventLine({ happened, nowMs }: { readonly happened: Happened; readonly nowMs: number }) {
  const path = subjectPath(happened);
  const { subject = "", timeMs = 0 } = happened.event;
  const at = path === undefined || subject === "" ? -1 : happened.text.indexOf(subject);
  const link = path === undefined ? null : <SubjectLink path={path} subject={subject} />;
  return (
    <li>
      <time dateTime={new Date(timeMs).toISOString()}>{clock(timeMs, nowMs, true)}</time>
      <span>
        {at < 0 ? happened.text : happened.text.slice(0, at)}
        {at >= 0 && link}
        {at >= 0 && happened.text.slice(at + subject.length)}
      </span>
    </li>
  );
}

export const awaited = (what: string) => <p class="quiet awaited">Asking the cell for {what} …</p>;

export const manyOf = (shown: number, all: number, what: string): string =>
  shown >= all ? plural(all, what) : `${grouped(shown)} of ${plural(all, what)}`;
