/** A file larger than its format can hold. The message is a sentence for the user, who can ask for less. */
export class FileTooLarge extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileTooLarge';
  }
}
