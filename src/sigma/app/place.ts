/** Where the page is: its address is its whole state, so that back, forward, reload and a link sent to a colleague all show the same. */
export interface Place {
  readonly path: string;
  /** Path in parts, decoded: ["jobs", "ann", "web"]. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export function placeNow(): Place {
  const parts = location.pathname
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
  return { path: location.pathname, parts, query: new URLSearchParams(location.search) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const MOVED = "sigma-moved";

export function go(address: string, replace = false): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  window.dispatchEvent(new Event(MOVED));
  if (!replace) window.scrollTo(0, 0);
}

/** The same place with another value; an empty one goes. */
export function goWith(name: string, value: string): void {
  const query = new URLSearchParams(location.search);
  if (value === "") query.delete(name);
  else query.set(name, value);
  const text = query.toString();
  go(location.pathname + (text === "" ? "" : `?${text}`), true);
}

const encoded = (name: string): string => name.split("/").map(encodeURIComponent).join("/");

export const jobPath = (name: string): string => `/jobs/${encoded(name)}`;
export const taskPath = (name: string): string => `/tasks/${encoded(name)}`;
export const machinePath = (name: string): string => `/machines/${encoded(name)}`;

/** Links of ours move the page without loading it again. */
export function followLinks(): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.origin !== location.origin || link.hasAttribute("download") || link.target !== "") return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
