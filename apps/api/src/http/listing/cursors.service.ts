import { Injectable } from '@nestjs/common';
import { sealText, unsealText } from '#platform/crypto/seal.js';
import { assertSecretKey } from '#platform/crypto/secret-key.js';
import { Settings } from '#platform/injected.js';
import { InvalidPage } from '#query/errors.js';
import type { Scope } from '#query/query-context.js';
import type { Stream } from '#query/projection.js';
import type { Cursor } from '#query/stream.js';

/**
 * Cursors as clients carry them: sealed, so that what comes back is what we gave, to the same caller and of the same
 * stream. The position that they name is no secret; that it is valid saves every check of it.
 */
@Injectable()
export class Cursors {
  private readonly secret: string;

  constructor(settings: Settings) {
    this.secret = assertSecretKey(settings);
  }

  seal({ from, to, snapshot, direction, at, id }: Cursor, viewer: Scope, stream: Stream): string {
    return sealText(JSON.stringify([from, to, snapshot, direction, at, id]), this.keyOf(viewer, stream));
  }

  /** Throws `InvalidPage` where the text is not what `seal` made for this caller and stream. */
  open(text: string, viewer: Scope, stream: Stream): Cursor {
    const opened = unsealText(text, this.keyOf(viewer, stream));
    if (opened === undefined) throw new InvalidPage('Invalid cursor.');
    const [from, to, snapshot, direction, at, id] = JSON.parse(opened) as [
      string,
      string,
      string,
      Cursor['direction'],
      string,
      string,
    ];
    return { from, to, snapshot, direction, at, id };
  }

  private keyOf({ organizationId, id, within = [] }: Scope, { name }: Stream): string {
    return `cursor ${name} ${organizationId} ${id} ${within.join('/')} ${this.secret}`;
  }
}
