/**
 * A bad wire as a process of its own, for a network namespace that the test is not in: node proxy-process.ts HOST PORT BEHIND SEED. It listens once something does behind it.
 * Over its channel it is told the weather, or to cut every connection now; it ends with whoever started it.
 */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { BadWire, type Weather } from "./proxy.ts";

export type Order = { readonly weather: Weather } | "cut";

const LOOK_MS = 20;

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });

const [host = "", port, behind, seed] = process.argv.slice(2);
process.once("disconnect", () => process.exit());
while (!(await listens(Number(behind)))) await sleep(LOOK_MS);
const wire = await BadWire.open(Number(behind), Number(seed), host, Number(port));
process.on("message", (order: Order) => {
  if (order === "cut") wire.cutAll();
  else wire.weather = order.weather;
});
