/** Why something does not run, or runs where it does: the words of `borg why`, and what would help. */
import { useState } from "preact/hooks";
import { reasonPhrase } from "../../wire/reason-phrase.ts";
import { useRead } from "./hooks.ts";
import { Section, Terminal } from "./parts.tsx";
import type { Explanation } from "./shapes.ts";
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
      <Terminal command={`borg why ${name}`} method="Explain" request={{ name }} />
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

function Room({ found: { feasible = 0, reasons = [], changes = [], problem = "" } }: { readonly found: Explanation }) {
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
      {changes.length > 0 && <Suggestions changes={changes} />}
    </>
  );
}

/** Each was tried out by the cell: it says how many machines would then do. */
function Suggestions({ changes }: { readonly changes: NonNullable<Explanation["changes"]> }) {
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
            <dd>change the file of the job, and look before you leap: borg update FILE --dry-run</dd>
          </div>
        </dl>
      )}
    </>
  );
}
