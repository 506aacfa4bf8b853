/** How people describe machines, for `borg up` and `borg borglet`. What was said before stays, unless it is said anew. */
import { resolve } from "node:path";
import { measuredSpeed } from "../daemon/core-speed.ts";
import {
  attributesOf,
  bandwidthOf,
  type Described,
  DescriptionError,
  descriptionOf,
  devicesOf,
  extrasOf,
  reserveOf,
  speedOf,
  textOf,
  volumesOf,
} from "../daemon/description.ts";
import { Failure } from "./exit.ts";

export interface DescribedOptions {
  readonly rack?: string | undefined;
  readonly powerDomain?: string | undefined;
  readonly attribute?: readonly string[] | undefined;
  readonly coreSpeed?: string | undefined;
  readonly diskBandwidth?: string | undefined;
  readonly reserve?: readonly string[] | undefined;
  readonly volume?: readonly string[] | undefined;
  readonly extra?: readonly string[] | undefined;
  readonly device?: readonly string[] | undefined;
  readonly machineFile?: string | undefined;
}

/** A mistake is refused here, before anything is started. */
export function describedOf(options: DescribedOptions, before: Described | undefined, cwd: string): Described {
  try {
    const described = { ...before, ...said(options, cwd) };
    descriptionOf(described, "");
    return described;
  } catch (error) {
    if (!(error instanceof DescriptionError)) throw error;
    throw new Failure(
      "usage",
      error.message,
      'a machine file is like { "all": { "rack": "r7" }, "machines": { "m1": { "rack": "r8" } } }',
      {
        cause: error,
      },
    );
  }
}

function said(options: DescribedOptions, cwd: string): Described {
  const { rack, powerDomain, attribute, coreSpeed, diskBandwidth, reserve, volume, extra, device, machineFile } = options;
  return {
    ...(rack === undefined ? {} : { rack: textOf("--rack", rack) }),
    ...(powerDomain === undefined ? {} : { powerDomain: textOf("--power-domain", powerDomain) }),
    ...(attribute === undefined
      ? {}
      : { attributes: attributesOf("--attribute", Object.fromEntries(attribute.map((text) => pairOf(text, "--attribute", "ssd=yes")))) }),
    ...(coreSpeed === undefined
      ? {}
      : { coreSpeed: coreSpeed === "measured" ? measuredSpeed() : speedOf("--core-speed", Number(coreSpeed)) }),
    ...(diskBandwidth === undefined ? {} : { diskBandwidth: bandwidthOf("--disk-bandwidth", diskBandwidth) }),
    ...(reserve === undefined
      ? {}
      : { reserve: reserveOf("--reserve", Object.fromEntries(reserve.map((text) => pairOf(text, "--reserve", "ram=2GiB")))) }),
    ...(volume === undefined
      ? {}
      : { volumes: volumesOf("--volume", Object.fromEntries(volume.map((text) => pairOf(text, "--volume", "ann/data=/srv/data")))) }),
    ...(extra === undefined
      ? {}
      : {
          extras: extrasOf(
            "--extra",
            Object.fromEntries(extra.map((text) => pairOf(text, "--extra", "gpu=2")).map(([name, amount]) => [name, amountOf(amount)])),
          ),
        }),
    ...(device === undefined
      ? {}
      : { devices: devicesOf("--device", Object.fromEntries(device.map((text) => pairOf(text, "--device", "gpu=4")))) }),
    ...(machineFile === undefined ? {} : { file: resolve(cwd, machineFile) }),
  };
}

const amountOf = (text: string): unknown => (/^[0-9]{1,10}$/.test(text) ? Number(text) : text);

function pairOf(text: string, flag: string, example: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new DescriptionError(`Cannot understand "${text}" for ${flag}: as in ${example}`);
}
