/**
 * Keeps what a machine knows of a cell on several machines true while the cell is up: who its masters are, that its member of etcd has a vote, and that its certificates
 * are not old. It tells the supervisor when processes must read their files anew, and when this machine is no master any more.
 */
import { EtcdClient } from "../store/etcd-client.ts";
import { EtcdCluster } from "../store/etcd-cluster.ts";
import { AuthorityChange, type AuthorityStep } from "./authority-change.ts";
import { type AuthorityNote, followNote } from "./authority-note.ts";
import type { CellFile, DataDirectory, MasterSeat, Spread } from "./data.ts";
import { EtcdKeys } from "./etcd-keys.ts";
import { memberName } from "./etcd-member.ts";
import { Keys } from "./keys.ts";
import { Renewal } from "./renewal.ts";
import { etcdPeerUrl, etcdUrls } from "./replicas.ts";
import { Roster } from "./roster.ts";

const STEP_WORDS: Readonly<Record<AuthorityStep, string>> = {
  both: "The cell gets a new authority: what either of both signed is believed",
  ending: "The cell's new authority signs everything; what the old one signed is still believed",
  one: "The cell's old authority is not believed any more",
};

const LOOK_MS = 2000;

export interface KeeperOptions {
  readonly data: DataDirectory;
  readonly cell: CellFile & { readonly spread: Spread };
  /** Makes certificates anew that are half over, or that do not name every master's address. True: it did. */
  readonly renew: (cell: CellFile) => Promise<boolean>;
  /** Others are masters now, or certificates are new: the processes of this machine must be started anew. */
  readonly onChange: (cell: CellFile, why: string) => void;
  /** This machine was taken out of the cell. */
  readonly onRemoved: () => void;
  readonly log: (line: string) => void;
}

export class SpreadKeeper {
  readonly #options: KeeperOptions;
  #cell: CellFile & { readonly spread: Spread };
  #etcd: EtcdClient | undefined;
  readonly #renewal: Renewal;
  #timer: NodeJS.Timeout | undefined;
  #isBusy = false;
  #votes = false;
  #said = "";

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#cell = options.cell;
    this.#renewal = new Renewal({
      renew: () => options.renew(this.#cell),
      onRenewed: (why) => this.#again(why),
      log: options.log,
    });
  }

  start(): void {
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
    this.#renewal.start();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#renewal.stop();
    this.#etcd?.close();
  }

  async #look(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await this.#masters();
      if (!this.#votes) await this.#promote();
      this.#said = "";
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      if (words !== this.#said) this.#options.log(`Cannot look after this machine's place in the cell: ${words}`);
      this.#said = words;
    } finally {
      this.#isBusy = false;
    }
  }

  async #masters(): Promise<void> {
    const { spread } = this.#cell;
    const roster = new Roster(this.#client(), this.#cell.cell);
    const { masters, authority } = await roster.read();
    const self = spread.masters.find(({ replica }) => replica === spread.self)!;
    if (masters.length === 0) return void (await roster.begin(self));
    if (!masters.some(({ replica, key }) => replica === spread.self && key === self.key)) return this.#options.onRemoved();
    if (JSON.stringify(masters) !== JSON.stringify(spread.masters)) await this.#changed(masters);
    else if (authority !== undefined) await this.#follow(authority);
  }

  async #changed(masters: readonly MasterSeat[]): Promise<void> {
    const { data, renew } = this.#options;
    const cluster = masters.map(({ replica, host }) => `${memberName(replica)}=${etcdPeerUrl(this.#cell, replica, host)}`).join(",");
    this.#cell = { ...this.#cell, replicas: masters.length, spread: { ...this.#cell.spread, masters, cluster } };
    data.writeCell(this.#cell);
    await renew(this.#cell);
    this.#again(`The cell's masters are now ${masters.map(({ replica, host }) => `${replica} at ${host}`).join(", ")}`);
  }

  async #follow(note: AuthorityNote): Promise<void> {
    const { data, renew, onChange } = this.#options;
    const { cell, spread } = this.#cell;
    const key = new Keys(data, cell, spread.self).master().key;
    if (!followNote(new AuthorityChange(data), note, { cell, self: spread.self, key })) return;
    await renew(this.#cell);
    onChange(this.#cell, STEP_WORDS[note.step]);
  }

  /** A new member has no vote until it has everything; etcd says no before that, and is asked again. */
  async #promote(): Promise<void> {
    const cluster = new EtcdCluster(etcdUrls(this.#cell), new EtcdKeys(this.#options.data).client());
    const own = (await cluster.list()).find(({ name }) => name === memberName(this.#cell.spread.self));
    if (own === undefined) return;
    if (own.isLearner) await cluster.promote(own.id);
    this.#votes = true;
  }

  /** Its own connections show the old certificates too. */
  #again(why: string): void {
    this.#etcd?.close();
    this.#etcd = undefined;
    this.#options.onChange(this.#cell, why);
  }

  #client(): EtcdClient {
    this.#etcd ??= new EtcdClient({ urls: etcdUrls(this.#cell), tls: new EtcdKeys(this.#options.data).client() });
    return this.#etcd;
  }
}
