/** Random programs for the property tests: they mostly evaluate, and exercise every construct of the language. */
import fc from "fast-check";

const NAMES = ["a", "b", "c", "d", "e"] as const;
const name = fc.constantFrom(...NAMES);

const leaf = fc.oneof(
  fc.integer({ min: -9, max: 99 }).map(String),
  fc.constantFrom("64Mi", "30s", "250m", "true", "false", "null", '"x"', `"a-\${1 + 1}"`, `"""\n  raw \${no}\n  """`, "production"),
);

/** An expression as text; names refer to what `program` declares. */
export const expression: fc.Arbitrary<string> = fc.letrec<{ e: string }>((tie) => ({
  e: fc.oneof(
    { maxDepth: 4, depthIdentifier: "e" },
    leaf,
    name.map((n) => `(${n})`),
    fc.tuple(tie("e"), fc.constantFrom("+", "-", "*", "==", "&&", "<"), tie("e")).map(([x, op, y]) => `(${x} ${op} ${y})`),
    fc.array(tie("e"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    fc.dictionary(name, tie("e"), { maxKeys: 3 }).map(
      (fields) =>
        `{ ${Object.entries(fields)
          .map(([k, v]) => `${k} = ${v}`)
          .join(", ")} }`,
    ),
    fc.tuple(tie("e"), tie("e"), tie("e")).map(([x, y, z]) => `(if ${x} == ${y} then ${y} else ${z})`),
    fc.tuple(name, tie("e"), tie("e")).map(([n, v, b]) => `(let ${n} = ${v} in ${b})`),
    fc.tuple(name, tie("e"), tie("e")).map(([n, b, x]) => `((${n}, z = 1) => ${b})(${x})`),
    fc.tuple(tie("e"), name).map(([x, n]) => `[${x} for ${n} in [1, 2] if ${n} > 0]`),
    fc.tuple(tie("e"), name).map(([x, n]) => `({ ${n} = 1 } { ${n} = super.${n}, z = ${x} }).z`),
  ),
})).e;

/** A tuple for the laws of inheritance: numbers, references to siblings, and nested tuples. */
export const layer: fc.Arbitrary<string> = fc
  .dictionary(
    name,
    fc.oneof(
      fc.integer({ min: 0, max: 9 }).map((n) => `= ${n}`),
      name.map((n) => `= get(self, "${n}x", 0)`),
      fc.dictionary(name, fc.integer({ min: 0, max: 9 }), { maxKeys: 3 }).map(
        (t) =>
          `= { ${Object.entries(t)
            .map(([k, v]) => `${k} = ${v}`)
            .join(", ")} }`,
      ),
      fc.dictionary(name, fc.integer({ min: 0, max: 9 }), { maxKeys: 2 }).map(
        (t) =>
          `:= { ${Object.entries(t)
            .map(([k, v]) => `${k} = ${v}`)
            .join(", ")} }`,
      ),
    ),
    { maxKeys: 4 },
  )
  .map(
    (fields) =>
      `{ ${Object.entries(fields)
        .map(([k, v]) => `${k} ${v}`)
        .join(", ")} }`,
  );

/** Fields and comments in a file of their own, one for each name. */
export const program: fc.Arbitrary<readonly string[]> = fc
  .tuple(...NAMES.map((n) => fc.tuple(expression, fc.boolean()).map(([e, comment]) => `${comment ? "# about it\n" : ""}${n} = ${e}`)))
  .map((fields) => [...fields]);

/** The same tokens with other blanks, commas and line breaks between fields. */
export const spacing: fc.Arbitrary<string> = fc.constantFrom("\n", "\n\n", ",\n", " \n\n\n  ", "  # end\n");
