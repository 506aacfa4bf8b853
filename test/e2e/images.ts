/** Images for tests, made of this machine's own programs and the libraries that they need. */
import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { directory, file, link, type Made } from "../../src/archive/image/fixture.test.ts";

const PATHS = ["/bin", "/usr/bin"];

/** Programs under /bin, their libraries and their loader where they look for them. */
export function hostRoot(...programs: readonly string[]): Made[] {
  const found = new Map<string, Made>([["bin", directory("bin")]]);
  for (const name of programs) {
    const path = PATHS.map((each) => `${each}/${name}`).find(isThere)!;
    found.set(`bin/${name}`, file(`bin/${name}`, readFileSync(path), 0o755));
    for (const library of librariesOf(path)) found.set(library, file(library.slice(1), readFileSync(library), 0o755));
  }
  return [...found.values()];
}

function isThere(path: string): boolean {
  try {
    realpathSync(path);
    return true;
  } catch {
    return false;
  }
}

const librariesOf = (path: string): string[] =>
  [...execFileSync("ldd", [path], { encoding: "utf8" }).matchAll(/(\/\S+) \(0x/g)].map(([, library]) => library!);

export const BUSYBOX = "/bin/busybox";

/** Undefined: it is not there, or needs libraries. */
export function busyboxRoot(): Made[] | undefined {
  const path = [BUSYBOX, "/usr/bin/busybox"].find(isThere);
  if (path === undefined) return undefined;
  const bytes = readFileSync(path);
  const names = ["sh", "cat", "echo", "id", "ls", "sleep", "touch"];
  const isStatic = !bytes.subarray(0, 4096).includes("/ld-");
  return isStatic ? [file("bin/busybox", bytes, 0o755), ...names.map((name) => link(`bin/${name}`, BUSYBOX))] : undefined;
}
