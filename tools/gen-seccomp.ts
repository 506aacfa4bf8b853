/** Writes the system call filters of src/borglet/linux/seccomp as bubblewrap reads them (`make gen`). src/borglet/linux/seccomp/filter.test.ts says when they are stale. */
import { writeFileSync } from "node:fs";
import { filterBytes } from "../src/borglet/linux/seccomp/filter.ts";
import { filterPath } from "../src/borglet/linux/seccomp/path.ts";

for (const arch of ["x64", "arm64"] as const) writeFileSync(filterPath(arch), filterBytes(arch));
