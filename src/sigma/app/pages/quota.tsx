/** Users, what they may have admitted, and how much of it they have. */
import { useRead } from "../hooks.ts";
import { awaited, Empty, Section, Share, Terminal } from "../parts.tsx";
import type { Resources } from "../shapes.ts";
import { bandWord } from "../words.ts";
import { showCores, showGib } from "./jobs.tsx";

const EVERY_MS = 5000;

interface QuotaRow {
  readonly user: string;
  readonly band: string;
  readonly quota?: { readonly limit?: Resources; readonly unlimited?: boolean };
  readonly charged?: Resources;
}

interface UserRow {
  readonly name: string;
  readonly roles?: readonly string[];
  readonly capabilities?: readonly string[];
  readonly jobs?: number;
  readonly tasks?: number;
}

const word = (name: string): string =>
  name
    .replace(/^(ROLE|CAPABILITY)_/, "")
    .toLowerCase()
    .replaceAll("_", " ");

export function QuotaPage() {
  const quota = useRead<{ readonly quotas?: readonly QuotaRow[] }>("ListQuota", {}, EVERY_MS);
  const users = useRead<{ readonly users?: readonly UserRow[] }>("ListUsers", {}, EVERY_MS);
  return (
    <>
      <div class="title">
        <h1>Quota and users</h1>
      </div>
      <Section title="Quota">{quota.answer === undefined ? awaited("quota") : <Quotas rows={quota.answer.quotas ?? []} />}</Section>
      <Section title="Users">{users.answer === undefined ? awaited("users") : <Users rows={users.answer.users ?? []} />}</Section>
      <Terminal command="borg quota ls --all" method="ListQuota" />
    </>
  );
}

function Quotas({ rows }: { readonly rows: readonly QuotaRow[] }) {
  if (rows.length === 0)
    return <Empty words="Nobody has quota. This grants some:" command="borg quota set USER --band batch --cpu 4 --ram 8GiB" />;
  return (
    <table class="list" aria-label="quota">
      <thead>
        <tr>
          <th class="grow">user</th>
          <th>band</th>
          <th class="number">cpu admitted, cores</th>
          <th class="number">ram admitted, GiB</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ user, band, quota, charged }) => (
          <tr key={`${user} ${band}`}>
            <td class="grow">
              <a href={`/jobs?user=${encodeURIComponent(user)}`} data-row>
                {user}
              </a>
            </td>
            <td>{bandWord(band)}</td>
            <td class="number">
              {quota?.unlimited ? (
                `${showCores(charged?.cpuMilli ?? 0)}, no limit`
              ) : (
                <Share used={charged?.cpuMilli ?? 0} limit={quota?.limit?.cpuMilli ?? 0} show={showCores} />
              )}
            </td>
            <td class="number">
              {quota?.unlimited ? (
                `${showGib(charged?.ramBytes ?? 0)}, no limit`
              ) : (
                <Share used={charged?.ramBytes ?? 0} limit={quota?.limit?.ramBytes ?? 0} show={showGib} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Users = ({ rows }: { readonly rows: readonly UserRow[] }) => (
  <table class="list" aria-label="users">
    <thead>
      <tr>
        <th class="grow">user</th>
        <th>roles</th>
        <th class="wide">capabilities</th>
        <th class="number">jobs</th>
        <th class="number">tasks</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, roles = [], capabilities = [], jobs = 0, tasks = 0 }) => (
        <tr key={name}>
          <td class="grow">
            <a href={`/jobs?user=${encodeURIComponent(name)}`} data-row>
              {name}
            </a>
          </td>
          <td>{roles.map(word).join(", ")}</td>
          <td class="wide">{capabilities.map(word).join(", ")}</td>
          <td class="number">{jobs}</td>
          <td class="number">{tasks}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
