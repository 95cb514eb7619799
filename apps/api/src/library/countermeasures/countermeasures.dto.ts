import { countermeasureFields } from '#domain/library/countermeasure/countermeasure.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateCountermeasure extends BodyOf(countermeasureFields) {}

export class ChangeCountermeasure extends Changes(CreateCountermeasure) {}
