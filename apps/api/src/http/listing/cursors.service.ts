import { Injectable } from '@nestjs/common';
import { sealText, unsealText } from '#platform/crypto/seal.js';
import { assertSecretKey } from '#platform/crypto/secret-key.js';
import { Settings } from '#platform/injected.js';
import { InvalidPage } from '#query/errors.js';
import type { Scope } from '#query/query-context.js';
import type { Stream } from '#query/projection.js';
import type { Cursor } from '#query/stream.js';

/**
 * Encodes cursors for clients. They are sealed for one caller and one stream, so that a cursor that comes back needs no
 * further checks. The position in them is not secret.
 */
@Injectable()
export class Cursors {
  private readonly secret: string;

  constructor(settings: Settings) {
    this.secret = assertSecretKey(settings);
  }

  seal({ from, to, snapshot, direction, at, id }: Cursor, scope: Scope, stream: Stream): string {
    return sealText(JSON.stringify([from, to, snapshot, direction, at, id]), this.keyOf(scope, stream));
  }

  /** Throws `InvalidPage` if the text was not sealed for this caller and stream. */
  open(text: string, scope: Scope, stream: Stream): Cursor {
    const opened = unsealText(text, this.keyOf(scope, stream));
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
