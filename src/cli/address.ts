/** The address of this machine, as somebody typed it. */
import { isIP } from "node:net";
import { Failure } from "./exit.ts";

export function addressOf(text: string): string {
  if (isIP(text) !== 0 && !/^(0\.0\.0\.0|::)$/.test(text)) return text;
  throw new Failure("usage", `Cannot use "${text}" for --address`, "the address at which other machines reach this one, as in 10.0.0.2");
}
