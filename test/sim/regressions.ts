/** Seeds that failed once. What a seed means changes with the workload; the story says what it was, and where it is held for good. */
export const REGRESSIONS: readonly { readonly seed: number; readonly story: string }[] = [
  { seed: 2, story: "a failed sync, a restart and a power cut took acknowledged entries (store.R15)" },
  { seed: 6, story: "the same, with a torn tail that came back (store.R15)" },
  { seed: 12, story: "a read that a master had given up failed when it was a standby again: it began anew, but its copies from nothing" },
  { seed: 16, story: "a gang that waits for all of its room is not a task that was forgotten" },
  {
    seed: 58,
    story: "what must hold right after each op is looked at op by op; a secret that another overtook is asked for twice by one call",
  },
  { seed: 155, story: "a cell whose administrator was slow had schedulers that nobody knew: a leader makes its own known" },
  { seed: 224, story: "a master whose disk failed while it caught up asked it to read for ever" },
  { seed: 366, story: "an append took seconds, and what waited behind it gave a machine up after too many had fallen silent" },
  { seed: 1050, story: "a process restarted in place seconds before the end was held to its predecessor's reservation" },
  { seed: 1259, story: "an executor was not told of a task that it lost without a notice, and ran it on (borglet.Y1)" },
  { seed: 1287, story: "the same, with a process that used twice as much as the one before it" },
  {
    seed: 208760024,
    story: "the invariant of spread held a task to another that came after it, and that keeps away by racks, not by power domains",
  },
  { seed: 208760027, story: "a job that was made smaller ended well, and who waited for that waited on over its surplus (cell.J32)" },
  { seed: 208761062, story: "the model of jobs did not know that one that starts after another is killed when that fails" },
  { seed: 247781337, story: "a submit was refused before its user had a role; a copy that the network held back was done afterwards" },
];
