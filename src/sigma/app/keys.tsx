/** What a keyboard does on every page. */
import { useEffect, useRef } from "preact/hooks";
import { go } from "./place.ts";
import { Sheet } from "./sheet.tsx";

export const PLACES: readonly (readonly [key: string, path: string, name: string])[] = [
  ["o", "/", "Overview"],
  ["j", "/jobs", "Jobs"],
  ["w", "/jobs?user=me", "My jobs"],
  ["t", "/tasks", "Tasks"],
  ["m", "/machines", "Machines"],
  ["a", "/jobs?kind=alloc", "Allocs"],
  ["q", "/quota", "Quota and users"],
  ["s", "/schedulers", "Schedulers"],
  ["f", "/frameworks", "Frameworks"],
  ["e", "/events", "Events"],
  ["d", "/sql", "SQL"],
];

const GO_MS = 1500;
/** Not 0: that is when the page began, and its first keys would be taken for those behind a `g`. */
const NEVER_MS = Number.NEGATIVE_INFINITY;

export function usePageKeys({ search, help }: { readonly search: () => void; readonly help: () => void }): void {
  const goneMs = useRef(NEVER_MS);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]") !== null)
        return;
      const isAfterG = performance.now() - goneMs.current < GO_MS;
      goneMs.current = event.key === "g" && !isAfterG ? performance.now() : NEVER_MS;
      const place = isAfterG ? PLACES.find(([key]) => key === event.key) : undefined;
      if (place !== undefined) go(place[1]);
      else if (event.key === "/") search();
      else if (event.key === "?") help();
      else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [search, help]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/** To the next or the last row; enter opens it, as it does any link. */
function step(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const KEYS: readonly (readonly [string, string])[] = [
  ["/", "find"],
  ["j  k", "next and previous row"],
  ["enter", "open the row"],
  ["esc", "close"],
  ["?", "these keys"],
];

export const KeyHelp = ({ onClose }: { readonly onClose: () => void }) => (
  <Sheet title="Keys" onClose={onClose}>
    <dl class="keys">
      {[...KEYS, ...PLACES.map(([key, , name]) => [`g ${key}`, name] as const)].map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Sheet>
);
