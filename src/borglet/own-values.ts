/**
 * What only the machine knows of a task, in the words of its spec: `$(BORG_PORT_HTTP)` in a command or in the value of a variable becomes the number, without a shell.
 * Names that the task does not have stay as they are, so a shell's `$(date)` does; `$$(BORG_TASK)` is the text itself.
 */
const REFERENCE = /\$?\$\((BORG_[A-Z0-9_]{1,256})\)/g;
/** No program of this kernel can be given a longer word. */
export const WORD_MAX = 131_071;

/** Throws, in words, where the text becomes too long to be handed to a program. */
export function filled(text: string, values: ReadonlyMap<string, string>): string {
  if (!text.includes("$(BORG_")) return text;
  let length = text.length;
  return text.replace(REFERENCE, (whole, name: string) => {
    if (whole.startsWith("$$")) return whole.slice(1);
    const value = values.get(name) ?? whole;
    length += value.length - whole.length;
    if (length > WORD_MAX)
      throw new Error(`Cannot fill in $(${name}): a word of the command or of a variable becomes longer than ${WORD_MAX} bytes`);
    return value;
  });
}
