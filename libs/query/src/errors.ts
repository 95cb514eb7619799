/** One value of a query parameter is not what the parameter takes. The message is for the caller. */
export class InvalidValue extends Error {}

/** Query parameters that can't be used, each with its messages: answered as a 400. */
export class InvalidParameters extends Error {
  constructor(readonly parameters: Readonly<Record<string, readonly string[]>>) {
    super(`Invalid query parameters: ${Object.keys(parameters).join(', ')}`);
  }
}

/** The page that was asked for does not exist: answered as a 404. */
export class InvalidPage extends Error {}
