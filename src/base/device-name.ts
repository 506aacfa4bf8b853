/**
 * Devices by the names that people say: `devices = { gpu = 0.5 }` asks for 500 of the extra "gpu-milli", and a machine with four gpus has 4,000 of it, in
 * units of 1,000. So devices are counted, sold as quota and shown like every extra.
 */
const SUFFIX = "-milli";

/** What is left of an extra's 63 characters. */
export const DEVICE_NAME_MAX = 63 - SUFFIX.length;

/** Thousandths of one whole device. */
export const WHOLE_MILLI = 1000;

export const extraOfDevice = (device: string): string => `${device}${SUFFIX}`;

/** Undefined: it is no device's. */
export const deviceOfExtra = (extra: string): string | undefined =>
  extra.endsWith(SUFFIX) && extra.length > SUFFIX.length ? extra.slice(0, -SUFFIX.length) : undefined;
