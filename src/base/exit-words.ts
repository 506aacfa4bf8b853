/** How a process ended, in words. The numbers are Linux's: a cell's events must read the same wherever they are read. */

const SIGNALS = [
  "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT",
  "CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS",
]
  .join(" ")
  .split(" ");

/** `SIGKILL`; `signal 40` for one without a name. */
export const signalName = (signal: number): string => {
  const name = SIGNALS[signal - 1];
  return name === undefined ? `signal ${signal}` : `SIG${name}`;
};

/** A program that ends with 137 by itself was killed by nobody. `exit 0`, `exit 137: killed by SIGKILL`, `exit 127: command not found`. */
export function exitWords(code: number, signal: number): string {
  if (signal > 0) return `exit ${128 + signal}: killed by ${signalName(signal)}`;
  if (code === 127) return "exit 127: command not found";
  if (code === 126) return "exit 126: command cannot be executed";
  return `exit ${code}`;
}
