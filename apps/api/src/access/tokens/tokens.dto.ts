import { tokenFields } from '#domain/access/token/token.fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class CreateToken extends BodyOf(tokenFields) {}
