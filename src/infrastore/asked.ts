/** What the master and the process that keeps the history tell each other. Nothing is loaded for it. */

/** The socket in the folder of questions. */
export const DOOR_NAME = "ask.sock";

/** What whoever asks may see: everybody's rows, or those of these owners. What is nobody's, everybody sees. */
export interface Scope {
  readonly owners: "all" | readonly string[];
  /** Who asked for what: for admins. */
  readonly audit: boolean;
}

export interface Question {
  readonly sql: string;
  /** The answer as one file. */
  readonly parquet: boolean;
  readonly scope: Scope;
}

export interface Asked extends Question {
  /** Of the cell's owner and admins: these are answered also where there is no jail. */
  readonly trusted: boolean;
}
