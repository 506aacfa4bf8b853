/** Which tasks fit now, by size: how many, and the largest (Borg §2.6). */
import { useRead } from "./hooks.ts";
import { Section } from "./parts.tsx";
import { figure, grouped } from "./words.ts";

const GIB = 2 ** 30;
const EVERY_MS = 15_000;

interface Fit {
  readonly tasks?: number;
  readonly ramBytesMost?: number;
}

interface Row {
  readonly cpuMilli?: number;
  readonly ramBytes?: number;
  readonly nonProd?: Fit;
  readonly prod?: Fit;
  readonly prodMakingWay?: Fit;
}

const KINDS: readonly (readonly [title: string, of: (row: Row) => Fit | undefined])[] = [
  ["batch and free", ({ nonProd }) => nonProd],
  ["production", ({ prod }) => prod],
  ["production, others make way", ({ prodMakingWay }) => prodMakingWay],
];

export function ShapesThatFit() {
  const { answer } = useRead<{ readonly rows?: readonly Row[] }>("ReportShapes", {}, EVERY_MS);
  if (answer === undefined) return null;
  const { rows = [] } = answer;
  return (
    <Section title="What fits now" more={<code class="quiet">borg report shapes</code>}>
      {rows.length === 0 ? <p class="quiet">No machine that takes tasks has room.</p> : <Shapes rows={rows} />}
    </Section>
  );
}

const Shapes = ({ rows }: { readonly rows: readonly Row[] }) => (
  <table class="list fits" aria-label="what fits now">
    <thead>
      <tr>
        <th class="number">cpu, cores</th>
        <th class="number">ram, GiB</th>
        {KINDS.map(([title]) => (
          <th key={title} class="number" title="so many tasks of this size at once; the most memory that one with this cpu may ask for">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.cpuMilli}>
          <td class="number">{figure((row.cpuMilli ?? 0) / 1000)}</td>
          <td class="number">{figure((row.ramBytes ?? 0) / GIB)}</td>
          {KINDS.map(([title, of]) => (
            <td key={title} class="number">
              <FitWords fit={of(row)} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const FitWords = ({ fit: { tasks = 0, ramBytesMost = 0 } = {} }: { readonly fit: Fit | undefined }) =>
  ramBytesMost === 0 ? (
    <span class="quiet">none</span>
  ) : (
    <>
      {grouped(tasks)} <span class="wide quiet">{`up to ${figure(ramBytesMost / GIB)} GiB`}</span>
    </>
  );
