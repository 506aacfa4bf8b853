/** What a borglet says of its machine: as people describe it, and what it finds out while it runs. */
import { make } from "../wire/codec.ts";
import { AttributeSchema, type MachineFacts } from "../wire/gen/borg/v1/machine_pb.ts";

export class OwnFacts {
  described: MachineFacts;
  isFull = false;

  constructor(described: MachineFacts) {
    this.described = described;
  }

  /** A full disk is an attribute like others: people see it, and a job may avoid such machines by a constraint. */
  now(packages: readonly string[]): MachineFacts {
    const facts = packages.length === 0 ? this.described : { ...this.described, packages: [...packages] };
    return this.isFull ? { ...facts, attributes: [...facts.attributes, make(AttributeSchema, { key: "disk", value: "full" })] } : facts;
  }
}
