/** How long an attacker and what it attacks race each other: a second in `make test`, ten in the soak. A race that is lost only now and then shows when it is long. */
export const RACE_MS = Number(process.env["RACE_MS"] ?? 1000);
