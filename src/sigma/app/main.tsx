/** The page begins here: it takes its link, and then shows the place that its address names. */
import { render } from "preact";
import { Frame } from "./frame.tsx";
import { LiveContext, useConnection, usePlace } from "./hooks.ts";
import { Live } from "./live.ts";
import { EventsPage } from "./pages/events.tsx";
import { FrameworksPage } from "./pages/frameworks.tsx";
import { JobPage } from "./pages/job.tsx";
import { JobsPage } from "./pages/jobs.tsx";
import { MachinePage } from "./pages/machine.tsx";
import { MachinesPage } from "./pages/machines.tsx";
import { Overview } from "./pages/overview.tsx";
import { QuotaPage } from "./pages/quota.tsx";
import { SchedulersPage } from "./pages/schedulers.tsx";
import { SqlPage } from "./pages/sql.tsx";
import { TaskPage } from "./pages/task.tsx";
import { TasksPage } from "./pages/tasks.tsx";
import { Empty } from "./parts.tsx";
import { followLinks, type Place } from "./place.ts";
import { Session } from "./session.ts";

function pageAt({ parts, query }: Place) {
  const [first = "", ...more] = parts;
  const name = more.join("/");
  if (first === "") return <Overview />;
  if (first === "jobs") return more.length === 2 ? <JobPage key={name} name={name} /> : <JobsPage query={query} />;
  if (first === "tasks") return more.length === 3 ? <TaskPage key={name} name={name} query={query} /> : <TasksPage query={query} />;
  if (first === "machines") return more.length === 1 ? <MachinePage key={name} name={name} /> : <MachinesPage query={query} />;
  if (first === "quota") return <QuotaPage />;
  if (first === "schedulers") return <SchedulersPage />;
  if (first === "frameworks") return <FrameworksPage />;
  if (first === "sql") return <SqlPage query={query} />;
  if (first === "events") return <EventsPage query={query} />;
  return <Empty words="There is no such page. Press / and type what you look for." />;
}

function App() {
  const place = usePlace();
  const { state, words } = useConnection();
  if (state !== "ended") return <Frame>{pageAt(place)}</Frame>;
  return (
    <main class="ended">
      <div role="alert">
        <Empty words={`${words} In a terminal, this opens a new one:`} command="borg ui" />
      </div>
    </main>
  );
}

async function begin(): Promise<void> {
  const live = new Live(new Session());
  followLinks();
  // A new link in an old tab is no new document by itself.
  addEventListener("hashchange", () => location.hash.startsWith("#link=") && location.reload());
  try {
    await live.session.enter();
  } catch (error) {
    live.end(`${error instanceof Error ? error.message : String(error)}.`);
  }
  const at = document.getElementById("app");
  if (at === null) return;
  at.replaceChildren();
  render(
    <LiveContext.Provider value={live}>
      <App />
    </LiveContext.Provider>,
    at,
  );
}

void begin();
