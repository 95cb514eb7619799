import { componentFields } from '#domain/library/component/component.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateComponent extends BodyOf(componentFields) {}

export class ChangeComponent extends Changes(CreateComponent) {}
