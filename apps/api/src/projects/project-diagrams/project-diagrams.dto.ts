import { diagramFields, projectDiagramFields } from '#domain/projects/project-diagram/project-diagram.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateProjectDiagram extends BodyOf(projectDiagramFields) {}

/** A diagram can't be moved to another project. */
export class ChangeProjectDiagram extends Changes(BodyOf(diagramFields)) {}
