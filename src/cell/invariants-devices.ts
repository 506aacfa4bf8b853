/** What must hold of devices after every entry, said in words of its own: nothing of device.ts is asked. */
import type { Device } from "./device.ts";
import type { Findings } from "./invariants.ts";
import type { Instance, Place } from "./state.ts";

/** No unit is given out beyond its size; who has several has them whole; and who has any has as much as it asked for. [KR2] */
export function checkDevices(findings: Findings, place: Place, sizeOf: (device: Device) => number): void {
  const given = new Map<string, number>();
  for (const occupant of place.occupants.values()) {
    checkHeld(findings, occupant, sizeOf);
    // A named victim's units may be given to those who wait for it.
    if (occupant.stop?.preemptor !== undefined) continue;
    for (const device of occupant.devices) {
      const key = `unit ${device.number} of ${device.name}`;
      const sum = (given.get(key) ?? 0) + device.amount;
      given.set(key, sum);
      findings.expect(sum <= sizeOf(device), "KR2", () => `At "${place.id}" ${sum} are given of ${key}, which has ${sizeOf(device)}`);
    }
  }
}

function checkHeld(findings: Findings, { id, limit, devices }: Instance, sizeOf: (device: Device) => number): void {
  for (const { name } of devices) {
    const asked = limit.extras.find((extra) => extra.name === name)?.amount ?? 0;
    const held = devices.filter((device) => device.name === name);
    const sum = held.reduce((all, { amount }) => all + amount, 0);
    findings.expect(sum === asked, "KR2", () => `"${id}" has ${sum} of ${name} in units, and asked for ${asked}`);
    const isWhole = held.length === 1 || held.every((device) => device.amount === sizeOf(device));
    findings.expect(isWhole, "KR2", () => `"${id}" has parts of several units of ${name}`);
    const numbers = new Set(held.map(({ number }) => number));
    findings.expect(numbers.size === held.length, "KR2", () => `"${id}" has a unit of ${name} twice`);
  }
}
