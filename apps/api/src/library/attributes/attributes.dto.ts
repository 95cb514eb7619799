import { attributeFields } from '#domain/library/attribute/attribute.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateAttribute extends BodyOf(attributeFields) {}

export class ChangeAttribute extends Changes(CreateAttribute) {}
