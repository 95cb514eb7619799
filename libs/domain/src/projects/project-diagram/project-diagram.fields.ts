import type { InputOf } from '../../kernel/fields/field.js';
import { integer, line } from '../../kernel/fields/fields.js';
import { anyJson } from '../../kernel/fields/free-fields.js';
import { MAX_PROJECT_NAME_LENGTH } from '../hierarchy/hierarchy.fields.js';

export const diagramFields = {
  name: line({ maximum: MAX_PROJECT_NAME_LENGTH, example: 'Data flow' }),
  diagram_data: anyJson({
    description:
      'The diagram as the editor saved it: any JSON except null, up to 5,000 values and a million characters.',
    example: { nodes: [], edges: [] },
  }),
};

export const projectDiagramFields = {
  ...diagramFields,
  project: integer({ description: 'Its project.', example: 1 }),
};

export type ProjectDiagramInput = InputOf<typeof projectDiagramFields>;
