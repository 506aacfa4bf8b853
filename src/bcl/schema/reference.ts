/** A job or an alloc set named by another: its name, `user/name`, or the declared thing itself. */
import { formProblem } from "../../wire/form.ts";
import { Form } from "../../wire/gen/borg/v1/bound_pb.ts";
import type { Tuple } from "../evaluator/tuple.ts";
import type { Reader } from "./reader.ts";
import type { Type } from "./type.ts";

export interface Reference {
  /** Undefined: the user of the job that refers. */
  readonly user: string | undefined;
  readonly name: string;
}

export function reference(what: string): Type<Reference> {
  const expected = `the name of the ${what}, or the ${what} itself`;
  const type: Type<Reference> = {
    expected,
    read: (reader, thunk, name) => {
      const value = reader.force(thunk);
      if (value.kind === "tuple") return ofTuple(reader, value) ?? refuse();
      if (value.kind !== "text") throw reader.mismatch(thunk, expected, name, value);
      const form = value.text.includes("/") ? Form.JOB : Form.NAME;
      const problem = value.text === "" ? "Expected a name" : formProblem(form, value.text);
      if (problem !== undefined) throw reader.fault(thunk, `${problem}, for "${name}", found ${JSON.stringify(value.text.slice(0, 80))}`);
      const [user, rest] = value.text.split("/") as [string, string | undefined];
      return rest === undefined ? { user: undefined, name: user } : { user, name: rest };

      function refuse(): never {
        throw reader.fault(thunk, `Expected ${expected}, for "${name}", found a tuple without a name`, `a declared ${what} has one`);
      }
    },
    show: (reader, thunk) => {
      const found = type.read(reader, thunk, what);
      return found.user === undefined ? found.name : `${found.user}/${found.name}`;
    },
  };
  return type;
}

function ofTuple(reader: Reader, tuple: Tuple): Reference | undefined {
  const [user, name] = ["user", "name"].map((key) => {
    const cell = tuple.cell(key);
    const value = cell === undefined ? undefined : reader.force(cell);
    return value?.kind === "text" ? value.text : undefined;
  });
  return name === undefined ? undefined : { user, name };
}
