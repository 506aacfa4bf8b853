/** What a call is asked with that is answered by calls of our own: it ends with its caller, and its price is what they cost together. */
import type { CallState } from "./calls.ts";
import type { HttpResponse } from "./http.ts";
import { OVER } from "./over.ts";

export interface Charged {
  readonly signal: AbortSignal;
  readonly charge: (more: number) => void;
}

export function chargedTo(state: CallState, response: HttpResponse): Charged {
  const aborted = new AbortController();
  response.once("close", () => aborted.abort(OVER));
  let price = 0;
  const charge = (more: number): void => {
    price += more;
    if (state.paid !== undefined) state.paid.price = price;
  };
  return { signal: aborted.signal, charge };
}
