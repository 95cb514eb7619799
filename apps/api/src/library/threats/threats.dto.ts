import { threatFields } from '#domain/library/threat/threat.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateThreat extends BodyOf(threatFields) {}

export class ChangeThreat extends Changes(CreateThreat) {}
