/**
 * A backup can't be written or restored, for a reason that the operator can fix. The message is shown to the operator.
 */
export class BackupFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupFailure';
  }
}
