/**
 * Why the signals of a call fire: it is over, or its caller has gone. One for all calls, because each of them ends with it, and to make it with a stack
 * costs more than the rest of their end.
 */
export const OVER = new DOMException("The call is over", "AbortError");
