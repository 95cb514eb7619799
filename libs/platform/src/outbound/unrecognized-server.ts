/** A server responded, but not as expected. The message may reveal what responds there: show it to super-users only. */
export class UnrecognizedServer extends Error {}
