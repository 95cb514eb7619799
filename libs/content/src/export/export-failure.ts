/** An export that can't be had, for a reason that the user can act on. The message is a sentence for them. */
export class ExportFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ExportFailure';
  }
}
