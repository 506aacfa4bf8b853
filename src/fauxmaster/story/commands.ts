/** The commands of conversation scripts, by name, and how one line is carried out. */
import { ASK_COMMANDS } from "./commands-ask.ts";
import { CLAIM_COMMANDS } from "./commands-claim.ts";
import { SHOW_COMMANDS } from "./commands-show.ts";
import { CELL_COMMAND, WORLD_COMMANDS } from "./commands-world.ts";
import { type Command, type Line, Session } from "./session.ts";
import { Misspoken, Words } from "./words.ts";

export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["cell", CELL_COMMAND],
  ...ASK_COMMANDS,
  ...CLAIM_COMMANDS,
  ...WORLD_COMMANDS,
  ...SHOW_COMMANDS,
]);

/** A fresh story: carries out one line after the other and answers each. After something broke it says only that. */
export function newStory(): (line: string) => readonly string[] {
  const session = new Session();
  return (line) => {
    const before = session.broken();
    if (before.length > 0) return [];
    const answer = carryOut(session, line);
    return [...answer, ...session.broken().map((problem) => `broken: ${problem}`)];
  };
}

function carryOut(session: Session, text: string): readonly string[] {
  const later = text.startsWith("send ");
  const words = new Words(later ? text.slice("send ".length) : text);
  const command = COMMANDS.get(words.command);
  if (command === undefined) return [`error: Nobody knows "${words.command}"; there are ${[...COMMANDS.keys()].join(", ")}`];
  const line: Line = {
    session,
    words,
    later,
    get stage() {
      return session.stage;
    },
  };
  try {
    const answer = command.run(line);
    words.done();
    return answer;
  } catch (error) {
    if (error instanceof Misspoken) return [`error: ${error.message} (${command.usage})`];
    throw error;
  }
}
