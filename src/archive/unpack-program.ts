/**
 * The program that unpacks: reads a package from its standard input and makes its tree in the directory that it is given. It is started without rights, in a
 * jail where there is one, and says on its standard output how much there was, or why it refused, as one line of JSON.
 */
import { ArchiveRefusal } from "./refusal.ts";
import { unpack } from "./unpack.ts";

process.umask(0);

try {
  const summary = await unpack(process.stdin, process.argv[2] ?? ".");
  process.stdout.write(`${JSON.stringify(summary)}\n`);
} catch (error) {
  const refused = error instanceof ArchiveRefusal;
  const reason = error instanceof Error ? error.message : String(error);
  process.stdout.write(`${JSON.stringify({ refused, reason })}\n`);
  process.exitCode = 1;
}
