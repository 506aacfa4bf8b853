/** What a bench was told makes no sense: said in one line, without a stack. */
export class UsageError extends Error {}

/** Ours, or what parseArgs says of options that it does not know. */
export const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError || (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
