import { text } from '#domain/kernel/fields/fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class PreviewText extends BodyOf({
  text: text({ blank: true, description: 'CommonMark.', example: 'Store passwords **only** as slow, salted hashes.' }),
}) {}
