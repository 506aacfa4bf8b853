/** What clients are told (history-rounds.ts) while masters and members of etcd die and hang, on one machine: what a plain user can run too. */
import { etcdVersion } from "../../src/daemon/etcd-member.ts";
import { describeHistory, PROCESS_FAULTS } from "./history-rounds.ts";
import { ReplicatedCell } from "./replicated-cell.ts";

describeHistory("what clients of three masters on one machine are told [M2] [M3]", {
  start: () => ReplicatedCell.start(),
  faults: { processes: PROCESS_FAULTS },
  rounds: 2,
  skip: etcdVersion() === undefined ? "no etcd here: Debian's etcd-server is not installed" : false,
});
