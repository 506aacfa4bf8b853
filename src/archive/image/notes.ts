/** What an image expects and a task does not have, in sentences for whoever pushes it. */
import { shown } from "../refusal.ts";
import type { Image } from "./manifest.ts";
import type { ImageTree, Tally } from "./tree.ts";

const ROOT = new Set(["", "0", "root"]);
const PRIVILEGED_PORT_MAX = 1023;

export function notesOn({ config, ports, volumes, stopSignal }: Image, { skipped, setId }: ImageTree): string[] {
  const notes: string[] = [];
  const [user = ""] = config.user.split(":");
  const called = user === "" ? "root, as it names none" : shown(config.user);
  notes.push(
    ROOT.has(user)
      ? `Tasks never run as root: the image's user (${called}) is ignored, and each job has a user of its own`
      : `The image's user ${called} is ignored: each job has a user of its own`,
  );
  const low = ports.filter((port) => Number.parseInt(port, 10) <= PRIVILEGED_PORT_MAX);
  if (low.length > 0)
    notes.push(`It wants to listen at ${low.map(shown).join(", ")}, which needs root: let it listen at its BORG_PORT_ variables`);
  if (setId.count > 0) notes.push(`No longer setuid or setgid: ${listed(setId)}`);
  if (skipped.count > 0) notes.push(`Devices and the like are left out: ${listed(skipped)}`);
  if (volumes.length > 0)
    notes.push(`It wants to write to ${volumes.map(shown).join(", ")}: tasks write only to /borg/task, /tmp and /borg/alloc`);
  if (stopSignal !== "" && stopSignal !== "SIGTERM" && stopSignal !== "15")
    notes.push(`Its stop signal ${shown(stopSignal)} is ignored: tasks are told to stop by SIGTERM`);
  return notes;
}

const listed = ({ examples, count }: Tally): string =>
  `${examples.join(", ")}${count > examples.length ? ` and ${count - examples.length} more` : ""}`;
