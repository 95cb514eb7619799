import { text } from '#domain/kernel/fields/fields.js';
import { analysisNoteFields } from '#domain/projects/project-countermeasure/note.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export const noteFields = {
  text: text({ description: 'CommonMark.', example: 'Reviewed with the team; see the **threat model**.' }),
};

export class CreateNote extends BodyOf(noteFields) {}

export class ChangeNote extends Changes(CreateNote) {}

export class CreateAnalysisNote extends BodyOf(analysisNoteFields) {}

export class ChangeAnalysisNote extends Changes(CreateAnalysisNote) {}
