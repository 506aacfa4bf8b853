/**
 * What the experiment on delay scheduling (Mesos §6.3) is given, fixed before its first run. From the paper: machines, their size, instances, the file, the four
 * scenarios, three runs. Not in the paper, and chosen here: blocks of 128 MB in three copies on machines drawn at random (HDFS then), a task a core, a local task of 8 s
 * (16 MB/s, four tasks on a disk), and twice as long for one that reads over the network. How much faster jobs become follows from that last factor; how
 * much of the data is local does not.
 */
export const DELAY_INPUTS = {
  machines: 93,
  cores: 4,
  ramGib: 15,
  instances: 16,
  blocks: 800,
  copies: 3,
  localMs: 8_000,
  remoteFactor: 2,
  /** A task takes between so much less and so much more, evenly. */
  jitter: 0.2,
  runs: 3,
  delaysMs: [0, 1_000, 5_000],
} as const;

/** Figure 8. No number is printed for the run without delay. */
export const PAPER = { staticLocalPercent: 18, delay1LocalPercentMin: 90, delay5LocalPercent: 95, speedup5: 1.7 } as const;
