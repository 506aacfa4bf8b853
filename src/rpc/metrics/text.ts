/** The text format of Prometheus (exposition format 0.0.4): families in their order, labels escaped, nothing twice. Pure. */
import type { Family, Sample } from "./families.ts";

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function familiesText<Look>(families: readonly Family<Look>[], look: Look): string {
  const parts = families.map(({ name, kind, help, samples }) => {
    const lines = samples(look).map((sample) => `${name}${labelsText(sample)} ${valueText(sample.value)}\n`);
    return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join("")}`;
  });
  return parts.join("");
}

function labelsText({ labels }: Sample): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const valueText = (value: number): string => (Number.isFinite(value) ? String(value) : "NaN");
