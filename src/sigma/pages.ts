/** The files of the page, read once, and the headers that keep a browser from doing anything else with them. */
import { readFileSync } from "node:fs";
import type { Page } from "../rpc/api/http.ts";

/** Nothing but our own files, and nobody's frame; no address of ours goes to another site. */
const HEADERS = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
} as const;

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/icon.svg": ["icon.svg", "image/svg+xml"],
  "/sigma.css": ["sigma.css", "text/css; charset=utf-8"],
  "/sigma.js": ["sigma.js", "text/javascript; charset=utf-8"],
};

const read = (name: string): Uint8Array => readFileSync(new URL(`./page/${name}`, import.meta.url));

const PAGES: ReadonlyMap<string, Page> = new Map(
  Object.entries(FILES).map(([path, [name, type]]) => [
    path,
    { status: 200, headers: { ...HEADERS, "content-type": type }, body: read(name) },
  ]),
);

export const pageAt = (path: string): Page | undefined => PAGES.get(path);
