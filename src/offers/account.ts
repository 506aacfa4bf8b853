/** What the allocator knows of roles and frameworks: their terms, what they have, and so their shares. */

import { dominantShare } from "../base/share.ts";
import { plus, type Vector, ZERO } from "../base/vector.ts";
import { type Constraints, Declines, type Minimums } from "./filters.ts";
import type { Entrant } from "./module.ts";

export interface RoleTerms {
  readonly name: string;
  readonly weight: number;
  /** A part of the cell, 0 to 1: below it the role is served first and nothing of its is revoked. */
  readonly guarantee: number;
}

export interface FrameworkTerms {
  readonly id: string;
  readonly role: string;
  /** Whose quota its tasks take: a user's, in a band. */
  readonly purse: string;
  readonly priority: number;
  /** Its tasks are prod: they may not stand on reclaimed resources. */
  readonly prod: boolean;
  readonly constraints: Constraints;
  readonly minimums: Minimums;
}

/** Used and offered, as a share of the cell. Computed when something changed, not whenever somebody compares. */
class Account {
  used: Vector = ZERO;
  share = 0;
  usable = 0;

  reckon(offered: Vector, total: Vector): void {
    this.share = dominantShare(plus(this.used, offered), total);
    this.usable = dominantShare(plus(this.used, balanced(offered, total)), total);
  }
}

/** As much of cores and memory as there is of both, each as a part of all that the cell has: cores without memory are of no use to anybody. */
export function balanced({ cpu, ram }: Vector, total: Vector): Vector {
  const part = total.cpu === 0 || total.ram === 0 ? 0 : Math.min(cpu / total.cpu, ram / total.ram);
  return { ...ZERO, cpu: Math.floor(part * total.cpu), ram: Math.floor(part * total.ram) };
}

export class RoleAccount extends Account implements Entrant {
  terms: RoleTerms;
  /** Those of its frameworks that want offers. */
  readonly wanting = new Map<string, FrameworkAccount>();

  constructor(terms: RoleTerms) {
    super();
    this.terms = terms;
  }

  get name(): string {
    return this.terms.name;
  }

  get weight(): number {
    return this.terms.weight;
  }

  /** The highest of those of its frameworks that want something. */
  get priority(): number {
    let most = 0;
    for (const { priority } of this.wanting.values()) most = Math.max(most, priority);
    return most;
  }

  get guarantee(): number {
    return this.terms.guarantee;
  }
}

/** Frameworks of a role are equals. */
export class FrameworkAccount extends Account implements Entrant {
  terms: FrameworkTerms;
  readonly role: RoleAccount;
  readonly declines = new Declines();
  readonly weight = 1;
  readonly guarantee = 0;
  wants = false;

  constructor(terms: FrameworkTerms, role: RoleAccount) {
    super();
    this.terms = terms;
    this.role = role;
  }

  get name(): string {
    return this.terms.id;
  }

  get priority(): number {
    return this.terms.priority;
  }
}
