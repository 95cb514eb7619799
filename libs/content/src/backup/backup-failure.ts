/**
 * A backup that can't be made or restored, for a reason that the operator can act on. The message is a sentence for
 * them.
 */
export class BackupFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupFailure';
  }
}
