/** A report as a page of its own, to be sent or put on a wall: one table and one plot of bars, without scripts and without anything from elsewhere. */
import type { Bar } from "./bars.ts";

export interface HtmlColumn<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly side?: "left" | "right";
}

export interface PageOptions<Row> {
  readonly title: string;
  readonly head: string;
  readonly columns: readonly HtmlColumn<Row>[];
  readonly rows: readonly Row[];
  readonly bars: readonly Bar[];
  readonly barsTitle: string;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
/** What somebody else wrote is text. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? "");

const STYLE = `body{font:15px system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse;width:100%}th,td{padding:.3rem .6rem;border-bottom:1px solid #8884;text-align:left}.right{text-align:right;font-variant-numeric:tabular-nums}
svg{width:100%;height:auto}text{font:13px system-ui,sans-serif;fill:currentColor}rect{fill:#3b7dd8}`;
const [LINE, NAMES, WIDTH, WORDS] = [26, 240, 620, 110];

export function reportPage<Row>({ title, head, columns, rows, bars, barsTitle }: PageOptions<Row>): string {
  const cell = (tag: "th" | "td", { side }: HtmlColumn<Row>, text: string): string =>
    `<${tag}${side === "right" ? ' class="right"' : ""}>${escaped(text)}</${tag}>`;
  const heads = columns.map((column) => cell("th", column, column.title)).join("");
  const lines = rows.map((row) => `<tr>${columns.map((column) => cell("td", column, column.value(row))).join("")}</tr>`).join("\n");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>${STYLE}</style>
<h1>${escaped(title)}</h1><p>${escaped(head)}</p>
<table><thead><tr>${heads}</tr></thead><tbody>
${lines}
</tbody></table>
<h2>${escaped(barsTitle)}</h2>
${plot(bars)}
</html>
`;
}

function plot(bars: readonly Bar[]): string {
  const largest = bars.reduce((most, { value }) => Math.max(most, value), 0) || 1;
  const lines = bars.map(({ name, value, words }, i) => {
    const length = Math.max(1, Math.round((value / largest) * (WIDTH - WORDS)));
    const y = i * LINE;
    return `<text x="0" y="${y + 17}">${escaped(name)}</text><rect x="${NAMES}" y="${y + 4}" width="${length}" height="16" rx="2"/><text x="${NAMES + length + 6}" y="${y + 17}">${escaped(words)}</text>`;
  });
  return `<svg viewBox="0 0 ${NAMES + WIDTH} ${Math.max(1, bars.length) * LINE}" role="img">${lines.join("\n")}</svg>`;
}
