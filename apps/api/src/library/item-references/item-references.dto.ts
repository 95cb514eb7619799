import {
  checkDay,
  checkReferences,
  REFERENCE_MAXIMUM_LENGTH,
  REFERENCES_MAXIMUM,
} from '#domain/library/item-reference/item-reference.rules.js';
import { field } from '../../http/body/fields.js';
import { satisfying } from '../../http/body/rules.js';

/** What an item rests on: bodies of all kinds of items that have texts begin with this. */
export class ReferencedItem {
  @field(
    {
      optional: true,
      description:
        'All its references: `cwe:79`, `asvs:5.0:1.2.1`, `masvs:2:MASVS-AUTH-1`, ' +
        '`nist:800-63B-4:3.1.1`, `rfc:9700:4.1`, `owasp-cheatsheet:…` or the title of a document.',
      example: ['cwe:916', 'asvs:5.0:11.4.2'],
    },
    {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: REFERENCE_MAXIMUM_LENGTH },
      maxItems: REFERENCES_MAXIMUM,
    },
    satisfying(checkReferences),
  )
  references?: string[];

  @field(
    { optional: true, nullable: true, description: 'When it was last compared with them.', example: '2026-11-23' },
    { type: 'string', format: 'date' },
    satisfying(checkDay),
  )
  reviewed_at?: string | null;
}
