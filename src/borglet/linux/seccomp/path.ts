/** Where the filter of a processor lies. */
import { fileURLToPath } from "node:url";
import type { Arch } from "./calls.ts";

export const filterPath = (arch: Arch): string => fileURLToPath(new URL(`${arch}.bpf`, import.meta.url));
