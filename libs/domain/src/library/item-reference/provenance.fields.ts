import { stringList, text } from '../../kernel/fields/fields.js';
import { dayError, MAX_REFERENCE_LENGTH, referenceError } from './item-reference.rules.js';

/** The references that an item is based on. The fields of all kinds with texts begin with these. */
export const provenanceFields = {
  references: stringList({
    maximum: MAX_REFERENCE_LENGTH,
    blank: false,
    longest: 50,
    validate: referenceError,
    optional: true,
    description:
      'All its sources: `cwe:79`, `asvs:5.0:1.2.1`, `masvs:2:MASVS-AUTH-1`, ' +
      '`nist:800-63B-4:3.1.1`, `rfc:9700:4.1`, `owasp-cheatsheet:…` or the title of a document.',
    example: ['cwe:916', 'asvs:5.0:11.4.2'],
  }),
  reviewed_at: text({
    maximum: Infinity,
    blank: true,
    format: 'date',
    validate: dayError,
    optional: true,
    nullable: true,
    description: 'When it was last checked against its references.',
    example: '2026-11-23',
  }),
};
