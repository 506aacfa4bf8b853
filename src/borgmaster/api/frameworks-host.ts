/** What frameworks see of the world: the API's, and its copy of the cell. */
import type { Address, Env } from "../../base/env.ts";
import type { FrameworksHost } from "../../offers/frameworks.ts";
import type { Copy } from "./copy.ts";
import type { FromApi } from "./message.ts";

export const frameworksHost = (env: Env<FromApi>, master: Address, link: Address, copy: Copy): FrameworksHost => ({
  now: () => env.now(),
  random: () => env.random(),
  id: () => env.id(),
  timer: (afterMs, tag) => void env.timer(afterMs, tag),
  request: (id, op) => env.send(master, { type: "request", id, op }),
  confirm: (id) => env.send(master, { type: "confirm", id }),
  tellExecutor: (machine, instance, data) => env.send(link, { type: "tell-executor", machine, instance, data }),
  position: () => copy.state.position,
  get state() {
    return copy.state;
  },
});
