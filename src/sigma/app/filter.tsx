/** What of a list is shown: every choice is in the address. */
import { goWith } from "./place.ts";

export const Filter = ({ value, label }: { readonly value: string; readonly label: string }) => (
  <input
    type="search"
    class="filter"
    aria-label={label}
    placeholder={label}
    spellcheck={false}
    value={value}
    onInput={(event) => goWith("q", event.currentTarget.value.replaceAll(":", " "))}
  />
);

interface PickProps {
  readonly label: string;
  /** Its choices say enough. */
  readonly isBare?: boolean;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, word: string])[];
  readonly onPick: (value: string) => void;
}

export const Pick = ({ label, value, choices, onPick, isBare = false }: PickProps) => (
  <label class="pick">
    <span class="quiet" aria-hidden="true">
      {isBare ? "" : label}
    </span>
    <select aria-label={label} value={value} onChange={(event) => onPick(event.currentTarget.value)}>
      {choices.map(([each, word]) => (
        <option key={each} value={each}>
          {word}
        </option>
      ))}
    </select>
  </label>
);
