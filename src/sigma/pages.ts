/** The files that browsers get, and the headers that keep a browser from doing anything else with them. What is under app/ is bundled when the first one asks. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Page } from "../rpc/api/http.ts";

/** Nothing but our own files, and nobody's frame; no address of ours goes to another site. */
const HEADERS = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
} as const;

const FRESH = { "cache-control": "no-store" } as const;
/** Its name has its hash: it never changes. */
const FOR_EVER = { "cache-control": "public, max-age=31536000, immutable" } as const;

/** Where pages are: every address below one of these is the same document, which reads its address itself. */
const PLACES: ReadonlySet<string> = new Set(["", "jobs", "tasks", "machines", "quota", "schedulers", "frameworks", "events", "sql"]);

const APP = fileURLToPath(new URL("./app/", import.meta.url));
const ICON = readFileSync(new URL("./icon.svg", import.meta.url));
const TYPES: Readonly<Record<string, string>> = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };

export class Pages {
  readonly #log: (line: string) => void;
  #files: Promise<ReadonlyMap<string, Page>> | undefined;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** Somebody will ask soon. */
  prepare(): void {
    this.#bundled().catch(() => {});
  }

  async at(path: string): Promise<Page | undefined> {
    if (path === "/icon.svg") return { status: 200, headers: { ...HEADERS, ...FRESH, "content-type": "image/svg+xml" }, body: ICON };
    const [, first = "", ...more] = path.split("/");
    const isPlace = PLACES.has(first) && (first !== "" || more.length === 0);
    if (!isPlace && !/^\/(main|sigma)-[A-Z0-9]+\.(js|css)$/.test(path)) return undefined;
    const files = await this.#bundled();
    return files.get(isPlace ? "/" : path);
  }

  /** Once, unless it failed. */
  #bundled(): Promise<ReadonlyMap<string, Page>> {
    this.#files ??= bundle().catch((error: unknown) => {
      this.#files = undefined;
      this.#log(`Cannot bundle the pages: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    });
    return this.#files;
  }
}

/** esbuild is a process of its own for a fraction of a second; nobody who never opens a page pays for it. */
async function bundle(): Promise<ReadonlyMap<string, Page>> {
  const { build, stop } = await import("esbuild");
  const { outputFiles } = await build({
    ...{ entryPoints: [`${APP}main.tsx`, `${APP}sigma.css`], outdir: "/", entryNames: "[name]-[hash]", write: false },
    ...{ bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", logLevel: "silent" },
    ...{ jsx: "automatic", jsxImportSource: "preact", tsconfigRaw: {}, define: { "process.env.NODE_ENV": '"production"' } },
  });
  // Its process ends with it.
  await stop();
  const files = new Map<string, Page>();
  for (const { path, contents } of outputFiles) {
    const type = TYPES[path.split(".").at(-1) ?? ""] ?? "";
    const headers = { ...HEADERS, ...FOR_EVER, "content-type": type, "content-encoding": "gzip" };
    files.set(path, { status: 200, headers, body: await promisify(gzip)(contents, { level: 9 }) });
  }
  const named = (ending: string): string => [...files.keys()].find((name) => name.endsWith(ending)) ?? "";
  const body = documentOf(named(".js"), named(".css"));
  files.set("/", { status: 200, headers: { ...HEADERS, ...FRESH, "content-type": "text/html; charset=utf-8" }, body });
  return files;
}

const documentOf = (script: string, style: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>borg</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script src="${script}" type="module"></script>
</head>
<body><div id="app"><p class="first">Asking the cell …</p></div></body>
</html>
`;
