/**
 * The attacker of trash.test.ts and disk.test.ts, run as the task's user with a task's own directory as its working directory, as one that was handed a descriptor of it has.
 * It puts links to a directory that is not its own in the place of its directories, and takes them away again, as fast as it can.
 */
import { readdirSync, renameSync, symlinkSync, unlinkSync } from "node:fs";

const [victim = "", forMs = "0"] = process.argv.slice(2);
process.stdout.write("ready\n");
const untilMs = performance.now() + Number(forMs);
while (performance.now() < untilMs) {
  let names: string[];
  try {
    names = readdirSync(".").filter((name) => name.startsWith("d"));
  } catch {
    break;
  }
  if (names.length === 0) break;
  for (const name of names) {
    try {
      renameSync(name, `x${name}`);
      symlinkSync(victim, name);
      unlinkSync(name);
      renameSync(`x${name}`, name);
    } catch {
      // The deletion was faster here.
    }
  }
}
