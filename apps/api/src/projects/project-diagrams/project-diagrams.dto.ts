import { PLACE_NAME_MAXIMUM_LENGTH } from '#domain/projects/project-access/application.rules.js';
import { Anything, Changes, IntegerField, StringField } from '../../http/body/fields.js';

class Diagram {
  @StringField({ maximum: PLACE_NAME_MAXIMUM_LENGTH, example: 'Data flow' })
  name!: string;

  @Anything({
    description: 'What the drawing program made of it: any JSON but null, up to a million characters.',
    example: { nodes: [], edges: [] },
  })
  diagram_data!: unknown;
}

export class CreateProjectDiagram extends Diagram {
  @IntegerField({ description: 'Its project.', example: 1 })
  project!: number;
}

/** A diagram stays with its project. */
export class ChangeProjectDiagram extends Changes(Diagram) {}
