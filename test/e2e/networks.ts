/** Machines in networks of their own (network namespaces), which a bridge joins, and what can happen to their cables. Only root makes them, and only on Linux. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { isRoot } from "../nobody.ts";

const done = (program: string, words: readonly string[]): boolean => spawnSync(program, words, { stdio: "ignore" }).status === 0;
const ip = (...words: readonly string[]): boolean => done("ip", words);

/** Names are short: the kernel takes 15 letters for a device. */
export class Networks {
  readonly #bridge = `b${process.pid.toString(36)}`;
  readonly #names: readonly string[];
  /** What all addresses begin with. */
  readonly subnet = `10.${128 + (process.pid % 100)}.${Math.floor(process.pid / 100) % 250}`;
  /** The tester's own, on the bridge. */
  readonly host = `${this.subnet}.254`;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Why there can be none here; false when they can. */
  static problem(): string | false {
    if (!isRoot) return "needs root";
    const networks = new Networks(["one"]);
    const made = networks.make();
    networks.remove();
    return made ? false : "cannot make network namespaces and bridges: package iproute2, and a kernel that lets root do it";
  }

  make(): boolean {
    if (!ip("link", "add", this.#bridge, "type", "bridge") || !ip("addr", "add", `${this.host}/24`, "dev", this.#bridge)) return false;
    return ip("link", "set", this.#bridge, "up") && this.#names.every((name) => this.#add(name));
  }

  remove(): void {
    for (const name of this.#names) ip("netns", "del", this.namespace(name));
    for (const name of this.#names) ip("link", "del", this.#end(name));
    ip("link", "del", this.#bridge);
  }

  namespace(name: string): string {
    return `${this.#bridge}-${name}`;
  }

  /** The first machine's ends with 1. */
  address(name: string): string {
    return `${this.subnet}.${this.#names.indexOf(name) + 1}`;
  }

  /** Words before a command that is to run there. */
  on(name: string): readonly string[] {
    return ["netns", "exec", this.namespace(name)];
  }

  cable(name: string, is: "up" | "down"): void {
    assert.ok(ip("link", "set", this.#end(name), is), `Cannot set the cable of ${name} ${is}`);
  }

  /** It hears the others, and nobody hears it. */
  mute(name: string, is: boolean): void {
    const words = is ? ["add", "dev", this.#inside(name), "root", "blackhole"] : ["del", "dev", this.#inside(name), "root"];
    assert.ok(done("tc", ["-n", this.namespace(name), "qdisc", ...words]), `Cannot change whether ${name} is heard`);
  }

  /** The others hear it, and it hears nobody. */
  deafen(name: string, is: boolean): void {
    const words = is ? ["add", "dev", this.#end(name), "root", "blackhole"] : ["del", "dev", this.#end(name), "root"];
    assert.ok(done("tc", ["qdisc", ...words]), `Cannot change whether ${name} hears`);
  }

  /** Two do not hear each other; both hear everybody else. */
  part(one: string, other: string, are: boolean): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const words = ["-n", this.namespace(from), "route", are ? "add" : "del", "blackhole", `${this.address(to)}/32`];
      assert.ok(ip(...words), `Cannot change whether ${from} reaches ${to}`);
    }
  }

  #end(name: string): string {
    return `${this.#bridge}${this.#names.indexOf(name) + 1}`;
  }

  #inside(name: string): string {
    return `${this.#end(name)}i`;
  }

  #add(name: string): boolean {
    const [space, inside, end] = [this.namespace(name), this.#inside(name), this.#end(name)];
    return (
      ip("netns", "add", space) &&
      ip("link", "add", end, "type", "veth", "peer", "name", inside) &&
      ip("link", "set", inside, "netns", space) &&
      ip("link", "set", end, "master", this.#bridge, "up") &&
      ip("-n", space, "addr", "add", `${this.address(name)}/24`, "dev", inside) &&
      ip("-n", space, "link", "set", inside, "up") &&
      ip("-n", space, "link", "set", "lo", "up")
    );
  }
}
