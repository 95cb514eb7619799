import { Injectable } from '@nestjs/common';
import { sealText, unsealText } from '#platform/crypto/seal.js';
import { demandSecretKey } from '#platform/crypto/secret-key.js';
import { InvalidPage } from '#query/errors.js';
import type { Viewer } from '#query/projection.js';
import type { Cursor } from '#query/stream.js';
import { Settings } from '../../settings.js';

/**
 * Cursors as clients carry them: sealed, so that what comes back is what we gave, to the same caller. The position that
 * they name is no secret; that it is valid saves every check of it.
 */
@Injectable()
export class Cursors {
  private readonly secret: string;

  constructor(settings: Settings) {
    this.secret = demandSecretKey(settings);
  }

  seal({ from, to, snapshot, direction, at, id }: Cursor, viewer: Viewer): string {
    return sealText(JSON.stringify([from, to, snapshot, direction, at, id]), this.keyOf(viewer));
  }

  /** Throws `InvalidPage` where the text is not what `seal` made for this caller. */
  open(text: string, viewer: Viewer): Cursor {
    const opened = unsealText(text, this.keyOf(viewer));
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

  private keyOf({ organizationId, id, within = [] }: Viewer): string {
    return `cursor ${organizationId} ${id} ${within.join('/')} ${this.secret}`;
  }
}
