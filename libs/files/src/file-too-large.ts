/** The file would exceed the maximum size of its format. The message is shown to the user, who can select less. */
export class FileTooLarge extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileTooLarge';
  }
}
