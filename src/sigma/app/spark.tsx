/** A small line of the last hour: a shape, not a plot. */
const WIDTH = 240;
const HEIGHT = 26;
const HOUR_MS = 3_600_000;

/** Points are time and a part of the whole. */
export function Spark({ points, label }: { readonly points: readonly (readonly [number, number])[]; readonly label: string }) {
  if (points.length < 2) return <p class="spark quiet">The last hour is drawn from now on.</p>;
  const end = points.at(-1)![0];
  const x = (ms: number): string => (WIDTH - (WIDTH * (end - ms)) / HOUR_MS).toFixed(1);
  const most = Math.max(0.05, ...points.map(([, part]) => part));
  const y = (part: number): string => (HEIGHT - 1 - (HEIGHT - 3) * (part / most)).toFixed(1);
  const line = points.map(([ms, part]) => `${x(ms)},${y(part)}`).join(" ");
  const minutes = Math.round((end - points[0]![0]) / 60_000);
  return (
    <figure class="spark">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <polyline points={line} />
      </svg>
      <figcaption class="quiet">
        {minutes < 55 ? `used, the last ${minutes < 1 ? "minute" : `${minutes} min`}` : "used, the last hour"}
      </figcaption>
    </figure>
  );
}
