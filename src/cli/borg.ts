/** The program behind the borg command: what people type, or one of the processes a cell is made of. */
const args = process.argv.slice(2);

if (args[0]?.startsWith("internal-")) {
  const { runProcess } = await import("./processes.ts");
  // Threads and sockets may still be open: the code is final.
  process.exit(await runProcess(args));
} else {
  const [{ main }, { processTerminal }] = await Promise.all([import("./main.ts"), import("./terminal.ts")]);
  process.exitCode = await main(args, processTerminal());
}
