import { howToFields } from '#domain/library/how-to/how-to.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateHowTo extends BodyOf(howToFields) {}

export class ChangeHowTo extends Changes(CreateHowTo) {}
