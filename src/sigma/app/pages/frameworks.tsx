/** Programs written for Mesos: their shares of the cell, and the roles that they are in. */
import { useRead } from "../hooks.ts";
import { awaited, Empty, Section, State, Terminal } from "../parts.tsx";
import { jobPath } from "../place.ts";
import type { Resources } from "../shapes.ts";
import { figure, lookOf } from "../words.ts";
import { showCores, showGib } from "./jobs.tsx";

const EVERY_MS = 3000;
const MILLION = 1_000_000;

interface FrameworkRow {
  readonly name: string;
  readonly state: string;
  readonly spec?: { readonly role?: string };
  readonly starting?: number;
  readonly running?: number;
  readonly unacknowledged?: number;
  readonly used?: Resources;
  readonly share?: number;
  readonly offers?: number;
  readonly offered?: Resources;
}

interface RoleRow {
  readonly role?: { readonly name?: string; readonly weight?: number; readonly guarantee?: Resources };
  readonly frameworks?: number;
  readonly used?: Resources;
  readonly share?: number;
}

export function FrameworksPage() {
  const frameworks = useRead<{ readonly frameworks?: readonly FrameworkRow[] }>("ListFrameworks", {}, EVERY_MS);
  const roles = useRead<{ readonly roles?: readonly RoleRow[] }>("ListRoles", {}, EVERY_MS);
  const found = frameworks.answer?.frameworks ?? [];
  return (
    <>
      <div class="title">
        <h1>Frameworks</h1>
      </div>
      {frameworks.answer === undefined ? awaited("frameworks") : found.length === 0 ? <NoFrameworks /> : <Frameworks rows={found} />}
      {(roles.answer?.roles ?? []).length > 0 && (
        <Section title="Roles">
          <Roles rows={roles.answer?.roles ?? []} />
        </Section>
      )}
      <Terminal command="borg ls frameworks --all" method="ListFrameworks" />
    </>
  );
}

const NoFrameworks = () => (
  <Empty
    words="No framework is subscribed. Programs written for Mesos subscribe at this cell as they would at a Mesos master; this gives them its address:"
    command="borg mesos-gateway"
  />
);

const Frameworks = ({ rows }: { readonly rows: readonly FrameworkRow[] }) => (
  <table class="list" aria-label="frameworks">
    <thead>
      <tr>
        <th class="grow">framework</th>
        <th>state</th>
        <th class="wide">role</th>
        <th class="number">share, %</th>
        <th class="number">running</th>
        <th class="wider number">starting</th>
        <th class="wider number">unacknowledged</th>
        <th class="wide number">cpu, cores</th>
        <th class="wide number">ram, GiB</th>
        <th class="number">offers</th>
        <th class="wider number">offered cores</th>
        <th class="wider number">offered GiB</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, state, spec, share = 0, running = 0, starting = 0, unacknowledged = 0, used, offers = 0, offered }) => (
        <tr key={name}>
          <td class="grow">
            <a href={jobPath(name)} data-row>
              {name}
            </a>
          </td>
          <td>
            <State look={lookOf(state)}>{state}</State>
          </td>
          <td class="wide">{spec?.role}</td>
          <td class="number">{figure((100 * share) / MILLION)}</td>
          <td class="number">{running}</td>
          <td class="wider number">{starting}</td>
          <td class="wider number">{unacknowledged}</td>
          <td class="wide number">{showCores(used?.cpuMilli ?? 0)}</td>
          <td class="wide number">{showGib(used?.ramBytes ?? 0)}</td>
          <td class="number">{offers}</td>
          <td class="wider number">{showCores(offered?.cpuMilli ?? 0)}</td>
          <td class="wider number">{showGib(offered?.ramBytes ?? 0)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Roles = ({ rows }: { readonly rows: readonly RoleRow[] }) => (
  <table class="list" aria-label="roles">
    <thead>
      <tr>
        <th class="grow">role</th>
        <th class="number">weight</th>
        <th class="number">frameworks</th>
        <th class="number">share, %</th>
        <th class="wide number">cpu, cores</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ role, frameworks = 0, share = 0, used }) => (
        <tr key={role?.name}>
          <td class="grow">{role?.name}</td>
          <td class="number">{role?.weight ?? 1}</td>
          <td class="number">{frameworks}</td>
          <td class="number">{figure((100 * share) / MILLION)}</td>
          <td class="wide number">{showCores(used?.cpuMilli ?? 0)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
