import { ErrorResponse } from './error-response.js';

/** A 412 with the current item, so that the client can show what has changed. */
export class ItemHasChanged extends ErrorResponse {
  constructor(readonly current: unknown) {
    super(412, 'The item has changed since you read it: its ETag does not match "If-Match".');
  }
}
