/**
 * What clients are told (history-rounds.ts) by a cell of three machines while processes die and hang, machines are cut off from all, from one, or in one direction, the wires
 * before etcd are slow, cut and lose answers, and wall clocks jump.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../src/base/random.ts";
import { etcdVersion } from "../../src/daemon/etcd-member.ts";
import { replicasOf } from "../../src/daemon/replicas.ts";
import { FAIR, type Weather } from "../etcd/proxy.ts";
import { describeHistory, type Fault, type Faults, HELD_MS, PROCESS_FAULTS, SEED } from "./history-rounds.ts";
import { Networks } from "./networks.ts";
import { SpreadCell } from "./spread-cell.ts";

/** A clock of hours ahead is believed after three readings, five seconds apart. */
const BELIEVED_MS = 16_000;
const HOUR_MS = 3_600_000;
const JUMPS_MS = [2_000, 20_000, 600_000, 0.9 * HOUR_MS, 2 * HOUR_MS, 8 * HOUR_MS];

type Fails = Fault<SpreadCell>;
/** Which replica, or which member of etcd. */
type Which = (cell: SpreadCell, random: Random) => Promise<number>;

const leader: Which = (cell) => cell.leader();
const etcdLeader: Which = (cell) => cell.etcdLeader();
const standby: Which = async (cell, random) => {
  const leads = await cell.leader();
  return random.pick(replicasOf(cell.cell).filter((replica) => replica !== leads));
};

/** So it is for a while. */
async function during(change: (is: boolean) => void, ms = HELD_MS): Promise<void> {
  change(true);
  try {
    await sleep(ms);
  } finally {
    change(false);
  }
}

const happens =
  (to: Which, change: (cell: SpreadCell, replica: number, is: boolean) => void): Fails =>
  async (cell, random) => {
    const replica = await to(cell, random);
    await during((is) => change(cell, replica, is));
  };

const cutOff = (to: Which): Fails => happens(to, (cell, replica, is) => cell.cutOff(replica, is));
const mute = (to: Which): Fails => happens(to, (cell, replica, is) => cell.mute(replica, is));
const deaf = (to: Which): Fails => happens(to, (cell, replica, is) => cell.deafen(replica, is));
const wires =
  (weather: Partial<Weather>): Fails =>
  (cell) =>
    during((is) => cell.weather(is ? { ...FAIR, ...weather } : FAIR));
const clock =
  (of: Which, aheadMs: (random: Random) => number, ms = HELD_MS): Fails =>
  async (cell, random) => {
    const [replica, ahead] = [await of(cell, random), aheadMs(random)];
    await during((is) => cell.setClock(replica, is ? ahead : 0), ms);
  };

const jump = (random: Random): number => random.pick([1, -1]) * random.pick(JUMPS_MS);

/** In the middle of it the leader is killed. */
const dies =
  (fault: Fails): Fails =>
  async (cell, random) => {
    const killed = sleep(HELD_MS / 2).then(() => PROCESS_FAULTS["masterKilled"]!(cell, random));
    await Promise.all([fault(cell, random), killed]);
  };

const FAULTS: Faults<SpreadCell> = {
  partitions: {
    leaderCutOff: cutOff(leader),
    standbyCutOff: cutOff(standby),
    etcdLeaderCutOff: cutOff(etcdLeader),
    leaderMute: mute(leader),
    etcdLeaderMute: mute(etcdLeader),
    leaderDeaf: deaf(leader),
    standbyDeaf: deaf(standby),
    leaderAndStandbyApart: async (cell, random) => {
      const [one, other] = [await leader(cell, random), await standby(cell, random)];
      if (one !== other) await during((are) => cell.part(one, other, are));
    },
    allApart: (cell) =>
      during((are) => {
        for (const replica of replicasOf(cell.cell)) cell.cutOff(replica, are);
      }),
  },
  wires: {
    slow: wires({ delayMs: 300 }),
    cut: wires({ delayMs: 20, cut: 0.05 }),
    answersLost: wires({ mute: 0.1 }),
    overtaken: wires({ delayMs: 20, late: 0.05 }),
    allOfIt: wires({ delayMs: 100, cut: 0.02, mute: 0.02, late: 0.02 }),
  },
  clocks: {
    ofLeader: clock(leader, jump),
    ofStandby: clock(standby, jump),
    ofLeaderForLong: clock(leader, (random) => random.int(2, 12) * HOUR_MS, BELIEVED_MS),
    ofLeaderThatDies: dies(clock(leader, jump)),
    ofStandbyWhenTheLeaderDies: dies(clock(standby, jump)),
  },
  processes: PROCESS_FAULTS,
};

describeHistory("what clients of three masters on three machines are told [M2] [M3] [M7]", {
  start: () => SpreadCell.start(SEED),
  faults: FAULTS,
  rounds: 3,
  skip: Networks.problem() || (etcdVersion() === undefined && "no etcd here: Debian's etcd-server is not installed"),
});
