/** A query parameter has an invalid value. The message is for the caller. */
export class InvalidValue extends Error {}

/** Query parameters are invalid. Holds the messages by parameter; reported as a 400. */
export class InvalidParameters extends Error {
  constructor(readonly parameters: Readonly<Record<string, readonly string[]>>) {
    super(`Invalid query parameters: ${Object.keys(parameters).join(', ')}`);
  }
}

/** The requested page does not exist; reported as a 404. */
export class InvalidPage extends Error {}
