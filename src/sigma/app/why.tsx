/** Why something does not run, or runs where it does: the words of `borg why`, and what would help. */

import { useState } from "preact/hooks";
import { reasonPhrase } from "../../wire/reason-phrase.ts";
import { appliedSpec, type Spec } from "./applied.ts";
import { commandLine } from "./commands.ts";
import { useRead } from "./hooks.ts";
import { Section, Terminal } from "./parts.tsx";
import { jobOf } from "./receipts.ts";
import type { ExplainedChange, Explanation } from "./shapes.ts";
import { ChangeButton } from "./sheet.tsx";
import { plural } from "./words.ts";

const REASONS_MAX = 8;
const EVERY_MS = 5000;

/** The explainer's words continue a sentence; where they begin with a verb, "it" comes before them. */
const VERB = /^(backs|cannot|has|is|starts|still|waits|was|would)\b/;

export function Why({ name }: { readonly name: string }) {
  const { answer, problem } = useRead<Explanation>("Explain", { name }, EVERY_MS);
  return (
    <Section title="Why">
      {answer === undefined ? <p class="quiet">{problem ?? "Asking the cell why …"}</p> : <Explained found={answer} />}
      <Terminal command={commandLine("borg why", name)} method="Explain" request={{ name }} />
    </Section>
  );
}

function firstSentence({ task = "", state = "", problem = "" }: Explanation): string {
  const words = problem.replace(/\.$/, "");
  if (state === "backing-off") return `Task ${task} ${words}.`;
  return `Task ${task} is ${state}${words === "" ? "" : `: ${VERB.test(words) ? "it " : ""}${words}`}.`;
}

function Explained({ found }: { readonly found: Explanation }) {
  const { state = "", summary = [], score = [] } = found;
  const isPlaced = state === "running" || state === "starting";
  return (
    <div class="why">
      <p>{firstSentence(found)}</p>
      {summary.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {isPlaced && score.length > 0 && <Score found={found} />}
      {!isPlaced && state !== "dead" && <Room found={found} />}
    </div>
  );
}

const Score = ({ found: { score = [] } }: { readonly found: Explanation }) => (
  <>
    <p class="quiet">Its machine was chosen for</p>
    <dl class="facts">
      {score.map(({ part, value = "" }) => (
        <div key={part}>
          <dt>{part}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </>
);

function Room({ found: { task = "", feasible = 0, reasons = [], changes = [], problem = "" } }: { readonly found: Explanation }) {
  const without = reasons.reduce((sum, { machines = 0 }) => sum + machines, 0);
  const all = without + feasible;
  if (all === 0) return problem === "" ? <p>There is no machine in the cell that it could go to.</p> : null;
  const left = reasons.slice(REASONS_MAX).reduce((sum, { machines = 0 }) => sum + machines, 0);
  return (
    <>
      <p>
        {feasible === 0
          ? `None of ${plural(all, "machine")} can take it:`
          : `${feasible} of ${plural(all, "machine")} could take it now${without === 0 ? "." : "; the others cannot:"}`}
      </p>
      <ul class="reasons">
        {reasons.slice(0, REASONS_MAX).map(({ reason, machines = 0 }) => (
          <li key={reason}>
            <b>{machines}</b> {reasonPhrase(reason, machines)}
          </li>
        ))}
        {left > 0 && (
          <li>
            <b>{left}</b> for {reasons.length - REASONS_MAX} other reasons
          </li>
        )}
      </ul>
      {changes.length > 0 && <Suggestions changes={changes} job={jobOf(task)} />}
    </>
  );
}

/** Each was tried out by the cell: it says how many machines would then do. */
function Suggestions({ changes, job }: { readonly changes: NonNullable<Explanation["changes"]>; readonly job: string }) {
  const [shown, setShown] = useState(-1);
  const chosen = changes[shown];
  return (
    <>
      <p>{changes.length === 1 ? "This would help:" : "Any one of these would help:"}</p>
      <div class="suggestions">
        {changes.map(({ change }, i) => (
          <button key={change} type="button" aria-pressed={i === shown} onClick={() => setShown(i === shown ? -1 : i)}>
            {change}
          </button>
        ))}
      </div>
      {chosen !== undefined && (
        <dl class="facts what-if" aria-live="polite">
          <div>
            <dt>now</dt>
            <dd>no machine can take it</dd>
          </div>
          <div>
            <dt>then</dt>
            <dd>{(chosen.machines ?? 0) === 0 ? "it would be placed" : `${plural(chosen.machines ?? 0, "machine")} would do`}</dd>
          </div>
          <div>
            <dt>how</dt>
            <dd>
              <Apply job={job} change={chosen} />
            </dd>
          </div>
        </dl>
      )}
    </>
  );
}

interface Found {
  readonly spec?: Spec;
  readonly veiled?: boolean;
}

/** By an update of the job with the spec that it has; whoever may not see all of that changes its file. */
function Apply({ job, change }: { readonly job: string; readonly change: ExplainedChange }) {
  const { answer, problem } = useRead<Found>("GetJob", { job }, 0);
  const spec = answer?.spec === undefined || answer.veiled === true ? undefined : appliedSpec(answer.spec, change);
  if (answer === undefined) return <span class="quiet">{problem ?? "Asking the cell for the job …"}</span>;
  const file = "change the file of the job, and look before you leap: borg update FILE --dry-run";
  if (spec === undefined) return <>{file}</>;
  return (
    <span class="buttons left">
      <ChangeButton
        change={{
          verb: "Apply this",
          words: `${job} would be updated: ${change.change}. Tasks that run are changed too, a few at a time. It can be undone until it is committed; the file from which the job came stays as it is, so change it there as well.`,
          command: "borg update FILE",
          method: "StartUpdate",
          request: { spec },
        }}
      />
    </span>
  );
}
