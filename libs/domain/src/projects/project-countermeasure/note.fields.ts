import type { InputOf } from '../../kernel/fields/field.js';
import { choice, integer, line, objectList, text } from '../../kernel/fields/fields.js';
import { BEHAVIOURS, CONFIDENCES } from './note.rules.js';
import { VERIFICATIONS } from './project-countermeasure.rules.js';

const findingFields = {
  desc: text({ maximum: 10_000, description: 'What was found.', example: 'SQL injection in /search' }),
  count: integer({ optional: true, minimum: 0, default: 1, description: 'How often.', example: 2 }),
};

export const analysisNoteFields = {
  status: choice(VERIFICATIONS, { description: 'What it found.', example: 'fail' }),
  behaviour: choice(BEHAVIOURS, {
    optional: true,
    default: 'replace',
    description: 'Whether it takes the place of what was found before, or is combined with it: then the worst counts.',
  }),
  confidence: choice(CONFIDENCES, { optional: true, default: 'high', description: 'How sure it is.' }),
  analysis_session: line({
    optional: true,
    blank: true,
    nullable: true,
    description: 'The run of the analysis; null for a verification by hand.',
    example: 'nightly-42',
  }),
  findings: objectList('FindingBody', findingFields, {
    optional: true,
    noneAsObject: true,
    description: 'The whole list; `{}` is taken for an empty one.',
  }),
  finding_ref: line({
    optional: true,
    blank: true,
    maximum: 2000,
    alias: 'findings_ref',
    description: 'Where the findings can be seen; also sent as `findings_ref`.',
    example: 'https://scan.example.com/7',
  }),
};

/** What was found, and how often: once where that is not said. */
export type Finding = InputOf<typeof findingFields>;

export type AnalysisNoteInput = InputOf<typeof analysisNoteFields>;
