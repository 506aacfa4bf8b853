/** Who places tasks: how busy each is, and how often two wanted the same place. */
import { useRead } from "../hooks.ts";
import { awaited, Changing, Terminal } from "../parts.tsx";
import type { Resources } from "../shapes.ts";
import { age, figure, grouped } from "../words.ts";
import { showCores } from "./jobs.tsx";

const EVERY_MS = 3000;

interface SchedulerRow {
  readonly name: string;
  readonly claimed?: Resources;
  readonly jobs?: number;
  readonly claims?: number;
  readonly refused?: number;
  readonly placed?: number;
  readonly victims?: number;
  readonly firstClaims?: number;
  readonly firstWaitMs?: number;
  readonly firstWaitMsMax?: number;
  readonly busyMs?: number;
  readonly upMs?: number;
}

const percent = (part: number, whole: number): string => (whole === 0 ? "–" : `${figure((100 * part) / whole)}`);

export function SchedulersPage() {
  const { answer } = useRead<{ readonly schedulers?: readonly SchedulerRow[] }>("ListSchedulers", {}, EVERY_MS);
  return (
    <>
      <div class="title">
        <h1>Schedulers</h1>
        <span class="quiet">since this master began</span>
      </div>
      {answer === undefined ? awaited("its schedulers") : <Schedulers rows={answer.schedulers ?? []} />}
      <p class="quiet note">
        A conflict is a claim that was refused because somebody else was first: the scheduler looks again (Omega). Of schedulers outside
        this master nobody knows how busy they are.
      </p>
      <Terminal command="borg ls schedulers" method="ListSchedulers" />
    </>
  );
}

const Schedulers = ({ rows }: { readonly rows: readonly SchedulerRow[] }) => (
  <table class="list" aria-label="schedulers">
    <thead>
      <tr>
        <th class="grow">scheduler</th>
        <th class="number">busy, %</th>
        <th class="number">placed</th>
        <th class="number">conflicts, %</th>
        <th class="wide number">evicted</th>
        <th class="wide number">jobs</th>
        <th class="wide number">cpu placed, cores</th>
        <th class="wide number">first wait, mean</th>
        <th class="wide number">longest</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(
        ({
          name,
          claimed,
          jobs = 0,
          claims = 0,
          refused = 0,
          placed = 0,
          victims = 0,
          firstClaims = 0,
          firstWaitMs = 0,
          firstWaitMsMax = 0,
          busyMs = 0,
          upMs = 0,
        }) => (
          <tr key={name}>
            <td class="grow">{name}</td>
            <td class="number">
              <Changing value={percent(busyMs, upMs)} />
            </td>
            <td class="number">
              <Changing value={grouped(placed)} />
            </td>
            <td class="number">{percent(refused, claims)}</td>
            <td class="wide number">{grouped(victims)}</td>
            <td class="wide number">{jobs}</td>
            <td class="wide number">{showCores(claimed?.cpuMilli ?? 0)}</td>
            <td class="wide number">{firstClaims === 0 ? "–" : waitWords(firstWaitMs / firstClaims)}</td>
            <td class="wide number">{firstClaims === 0 ? "–" : waitWords(firstWaitMsMax)}</td>
          </tr>
        ),
      )}
    </tbody>
  </table>
);

const waitWords = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : age(ms));
