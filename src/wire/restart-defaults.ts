/** What a restart policy means where it is silent: masters and borglets must mean the same. */

/** Restarts on the same machine before the failure is reported. */
export const IN_PLACE_MAX = 3;
