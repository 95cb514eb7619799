import { applicationFields } from '#domain/projects/application/application.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateApplication extends BodyOf(applicationFields) {}

export class ChangeApplication extends Changes(CreateApplication) {}
