/** What instances are called in names of files. Names of instances are encoded: nothing that a user wrote becomes a part of a path. */

/** user/job/index:incarnation, as wire/form.ts has it; a name is never "." or "..", and has neither "_" nor "." in it. */
const INSTANCE = /^([a-z0-9][-a-z0-9]{0,62})\/([a-z0-9][-a-z0-9]{0,62})\/([0-9]{1,5}):([0-9]{1,16})$/;
const KEY = /^([a-z0-9][-a-z0-9]{0,62})_([a-z0-9][-a-z0-9]{0,62})_([0-9]{1,5})\.([0-9]{1,16})$/;

/** `ann_web_0.12` for "ann/web/0:12". */
export function keyOf(instance: string): string {
  const parts = INSTANCE.exec(instance);
  if (parts === null) throw new Error(`Cannot make a path of "${instance}": it is no instance`);
  return `${parts[1]}_${parts[2]}_${parts[3]}.${parts[4]}`;
}

export function instanceOf(key: string): string | undefined {
  const parts = KEY.exec(key);
  return parts === null ? undefined : `${parts[1]}/${parts[2]}/${parts[3]}:${parts[4]}`;
}
