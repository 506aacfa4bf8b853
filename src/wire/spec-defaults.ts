/**
 * What a silent field of a spec means. The cell and the borglets do it, BCL documents it and fills it in, the command asks for it: all from here.
 * Plain numbers without imports, so that a command can read them before it loads anything else.
 */

/** What a task may use whose job says nothing. Other dimensions: nothing. */
export const LIMIT_DEFAULTS = { cpuMilli: 250, ramBytes: 268_435_456, diskBytes: 268_435_456 } as const;

/** The band of a job that names no priority, and how many tasks or allocs there are where nobody counts. */
export const BAND_DEFAULT = "batch";
export const COUNT_DEFAULT = 1;

/** Of checks of every kind, of health and of readiness alike. */
export const HEALTH_DEFAULTS = { path: "/", intervalMs: 10_000, timeoutMs: 2_000, failures: 3, graceMs: 30_000 } as const;

/** Restarts on the same machine before the failure is reported, and the back-off before each. A cell can be configured to another back-off. */
export const RESTART_DEFAULTS = { inPlaceMax: 3, backoffMinMs: 1_000, backoffMaxMs: 300_000 } as const;

/** Exit codes that one list of a restart policy has, and the highest one. */
export const EXITS_MAX = 16;
export const EXIT_MAX = 255;

export const UPDATE_DEFAULTS = { batch: 1, watchMs: 10_000, failuresMax: 0 } as const;

/** Between SIGTERM and SIGKILL. A cell can be configured to another one. */
export const NOTICE_MS_DEFAULT = 10_000;

export const FILE_MODE_DEFAULT = 0o644;

/** Where a task finds a package whose spec does not say where. */
export const packagePath = ({ name, path }: { readonly name: string; readonly path: string }): string =>
  path === "" ? `${PACKAGES_PLACE}/${name}` : path;

export const PACKAGES_PLACE = "/borg/packages";

/** Where a task in a jail finds its secrets, in memory; without a jail `BORG_SECRETS` says where. */
export const SECRETS_PLACE = "/borg/secrets";

/** Beside its secrets: how a task of a controller reaches the API, and its token. */
export const CONTROLLER_FILE = "controller.json";

/** Where a task finds a volume. */
export const volumePath = (name: string): string => `/borg/volumes/${name}`;

/** What a machine says of itself that can give a task another root, and what the constraints of such a job ask for. */
export const IMAGES_ABLE = { attribute: "images", value: "yes" } as const;

/** The longest duration of a framework's tasks on machines that are kept for short ones, unless the cell was told another. */
export const SHORT_TASK_MS = 600_000;
