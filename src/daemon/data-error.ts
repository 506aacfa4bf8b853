/** A file of a cell's directory that cannot be used as it is, with the next step beside it. */
export class DataError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}
