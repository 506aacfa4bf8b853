/** A terminal in the page: the screen as text, and a field that takes keys. What programs write is only ever letters of this screen. */

import type { VNode } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { commandLine } from "../commands.ts";
import { useLive } from "../hooks.ts";
import { Terminal as InTerminal, Section } from "../parts.tsx";
import { Sheet } from "../sheet.tsx";
import { Conversation } from "./conversation.ts";
import type { Line, Look } from "./grid.ts";
import { Screen } from "./screen.ts";
import { keyBytes, PASTE_MAX, pasted } from "./typed.ts";

const ROWS = 24;
const FONT_RATIO = 0.602;
const FONT_PX = 12;

/** Asks first: that a shell was opened, and by whom, stands in the cell's events. */
export function ShellButton({ task, onOpen }: { readonly task: string; readonly onOpen: () => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Shell
      </button>
      {isAsking && (
        <Sheet title="Open a shell?" onClose={() => setAsking(false)}>
          <p>
            {`A shell would run in the jail of ${task}, among its processes, and count against its limits. That you opened it stands in the cell's events. It ends when you leave this page.`}
          </p>
          <p class="quiet">
            The same in a terminal: <code>{commandLine("borg ssh", task)}</code>
          </p>
          <p class="buttons">
            <button type="button" onClick={() => setAsking(false)}>
              Leave it
            </button>
            <button
              type="button"
              class="primary"
              onClick={() => {
                setAsking(false);
                onOpen();
              }}
            >
              Open a shell
            </button>
          </p>
        </Sheet>
      )}
    </>
  );
}

interface Open {
  readonly screen: Screen;
  readonly talk: Conversation;
}

interface Opened {
  /** Undefined until it is there. */
  readonly open: Open | undefined;
  /** How it ended; empty: it has not. */
  readonly words: string;
  /** Another number whenever the screen is another. */
  readonly turn: number;
}

/** A shell for as long as its page looks: it ends with the component, and follows the width of its place. */
function useShell(instance: string, at: { readonly current: HTMLElement | null }): Opened {
  const live = useLive();
  const [words, setWords] = useState("");
  const [turn, again] = useReducer<number, void>((count) => count + 1, 0);
  const open = useRef<Open>(undefined);
  useEffect(() => {
    const screen = new Screen(ROWS, columnsIn(at.current));
    let due = 0;
    const draw = (): void => {
      due ||= requestAnimationFrame(() => {
        due = 0;
        again();
      });
    };
    const heard = (text: string): void => {
      const answer = screen.write(text);
      if (answer !== "") talk.type(answer);
      draw();
    };
    const talk = new Conversation(live.session, instance, screen.grid, { heard, ended: setWords });
    open.current = { screen, talk };
    void talk.run();
    const fit = new ResizeObserver(() => {
      const columns = columnsIn(at.current);
      if (columns === screen.grid.columns) return;
      screen.resize(ROWS, columns);
      talk.resize({ rows: screen.grid.rows, columns: screen.grid.columns });
      draw();
    });
    if (at.current !== null) fit.observe(at.current);
    return () => {
      fit.disconnect();
      cancelAnimationFrame(due);
      talk.close();
    };
  }, [live, instance]);
  return { open: open.current, words, turn };
}

interface ShellProps {
  readonly task: string;
  readonly instance: string;
  readonly onClose: () => void;
}

export function Shell({ task, instance, onClose }: ShellProps) {
  const at = useRef<HTMLDivElement>(null);
  const keys = useRef<HTMLTextAreaElement>(null);
  const [note, setNote] = useState("");
  const { open, words, turn } = useShell(instance, at);
  useEffect(() => keys.current?.focus(), []);
  useEffect(() => {
    if (at.current !== null) at.current.scrollTop = at.current.scrollHeight;
  }, [turn, words]);
  const type = (text: string): void => {
    if (text !== "" && open?.talk.type(text) === false && words === "") setNote("The shell does not read what is typed.");
  };
  const end = (
    <button type="button" class="plain" onClick={onClose}>
      {words === "" ? "End it" : "Close"}
    </button>
  );
  return (
    <Section title="Shell" more={end}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field inside */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click anywhere on the screen goes to the field inside */}
      <div ref={at} class="screen" onClick={() => getSelection()?.isCollapsed !== false && keys.current?.focus()}>
        <Keys field={keys} task={task} isOver={words !== ""} screen={open?.screen} onType={type} onNote={setNote} />
        <Lines screen={open?.screen} hasCursor={words === ""} />
      </div>
      <p class="quiet" role="status">
        {[words, note].filter((part) => part !== "").join(" ") || "Shift and Tab leave the terminal."}
      </p>
      <InTerminal command={commandLine("borg ssh", task)} method="OpenShell" request={{ instance }} />
    </Section>
  );
}

interface KeysProps {
  readonly field: { current: HTMLTextAreaElement | null };
  readonly task: string;
  readonly isOver: boolean;
  readonly screen: Screen | undefined;
  readonly onType: (text: string) => void;
  readonly onNote: (words: string) => void;
}

/** A field that takes keys and is not seen. */
function Keys({ field, task, isOver, screen, onType, onNote }: KeysProps) {
  const press = (event: KeyboardEvent): void => {
    const bytes = event.isComposing ? undefined : keyBytes(event, screen?.arrowsAreKeys ?? false);
    if (bytes === undefined) return;
    event.preventDefault();
    onType(bytes);
  };
  /** From keyboards that press no keys: a phone's, or one that composes letters. */
  const take = (at: HTMLTextAreaElement): void => {
    onType(at.value.replaceAll("\n", "\r"));
    at.value = "";
  };
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    onNote(text.length > PASTE_MAX ? `Only the first ${PASTE_MAX.toLocaleString("en")} characters were pasted.` : "");
    onType(pasted(text, screen?.marksPaste ?? false));
  };
  return (
    <textarea
      ref={field}
      aria-label={`Keys for the shell in ${task}; shift and tab leave it`}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      disabled={isOver}
      onKeyDown={press}
      onInput={(event) => (event as InputEvent).isComposing || take(event.currentTarget)}
      onCompositionEnd={(event) => take(event.currentTarget)}
      onPaste={paste}
    />
  );
}

/** As many as fit; the style's letters are all as wide as one. */
const columnsIn = (at: HTMLElement | null): number =>
  Math.min(200, Math.max(20, Math.floor(((at?.clientWidth ?? 640) - 20) / (FONT_PX * FONT_RATIO))));

/** What has not changed is the same node as before, which costs nothing to draw again. */
function Lines({ screen, hasCursor }: { readonly screen: Screen | undefined; readonly hasCursor: boolean }) {
  const drawn = useRef(new WeakMap<Line, { readonly version: number; readonly node: VNode }>());
  if (screen === undefined) return <pre>Opening a shell …</pre>;
  const { back, lines, cursor, isAlternate } = screen.grid;
  const row = (line: Line, at: number): VNode => {
    const column = hasCursor && screen.isCursorSeen && at === cursor.row ? cursor.column : -1;
    const known = drawn.current.get(line);
    if (column < 0 && known?.version === line.version) return known.node;
    const node = <Row key={line.id} line={line} column={column} version={line.version} />;
    if (column < 0) drawn.current.set(line, { version: line.version, node });
    else drawn.current.delete(line);
    return node;
  };
  return (
    <pre>
      {!isAlternate && back.map((line) => row(line, -1))}
      {lines.map(row)}
    </pre>
  );
}

function Row({ line: { letters, looks }, column }: { readonly line: Line; readonly column: number; readonly version: number }) {
  const parts: VNode[] = [];
  let from = 0;
  for (let i = 1; i <= letters.length; i++) {
    if (i < letters.length && looks[i] === looks[from] && i !== column && from !== column) continue;
    parts.push(<Part key={from} text={letters.slice(from, i).join("")} look={looks[from]!} isCursor={from === column} />);
    from = i;
  }
  return (
    <span class="row">
      {parts}
      {"\n"}
    </span>
  );
}

function Part({ text, look, isCursor }: { readonly text: string; readonly look: Look; readonly isCursor: boolean }) {
  const { fore, back, bold, faint, underline, inverse } = look;
  const isTurned = inverse !== isCursor;
  const classes = [bold && "bold", faint && "faint", underline && "underline", isCursor && "cursor"].filter(Boolean).join(" ");
  const [ink, ground] = isTurned
    ? [colourOf(back, "var(--screen)"), colourOf(fore, "var(--screen-text)")]
    : [colourOf(fore), colourOf(back)];
  if (classes === "" && ink === "" && ground === "") return <>{text}</>;
  return (
    <span class={classes} style={{ ...(ink === "" ? {} : { color: ink }), ...(ground === "" ? {} : { backgroundColor: ground }) }}>
      {text}
    </span>
  );
}

/** The first sixteen are the style's; then a cube of 216, then 24 greys. */
function colourOf(colour: number, none = ""): string {
  if (colour === 0) return none;
  const at = colour - 1;
  if (at < 16) return `var(--ansi-${at})`;
  if (at >= 232) return `rgb(${[0, 0, 0].map(() => 8 + 10 * (at - 232)).join(" ")})`;
  const steps = [Math.floor((at - 16) / 36), Math.floor((at - 16) / 6) % 6, (at - 16) % 6];
  return `rgb(${steps.map((step) => (step === 0 ? 0 : 55 + 40 * step)).join(" ")})`;
}
