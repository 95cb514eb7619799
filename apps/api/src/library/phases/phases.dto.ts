import { phaseFields } from '#domain/library/phase/phase.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreatePhase extends BodyOf(phaseFields) {}

export class ChangePhase extends Changes(CreatePhase) {}
