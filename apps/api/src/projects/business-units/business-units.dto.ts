import { businessUnitFields } from '#domain/projects/business-unit/business-unit.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateBusinessUnit extends BodyOf(businessUnitFields) {}

export class ChangeBusinessUnit extends Changes(CreateBusinessUnit) {}
