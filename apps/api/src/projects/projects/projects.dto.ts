import { projectFields } from '#domain/projects/project/project.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateProject extends BodyOf(projectFields) {}

export class ChangeProject extends Changes(CreateProject) {}
