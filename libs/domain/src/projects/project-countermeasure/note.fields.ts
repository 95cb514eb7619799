import type { InputOf } from '../../kernel/fields/field.js';
import { choice, integer, line, objectList, text } from '../../kernel/fields/fields.js';
import { BEHAVIOURS, CONFIDENCES, VERIFICATIONS } from './project-countermeasure.rules.js';

const findingFields = {
  desc: text({ maximum: 10_000, description: 'What was found.', example: 'SQL injection in /search' }),
  count: integer({ optional: true, minimum: 0, default: 1, description: 'The number of occurrences.', example: 2 }),
};

export const analysisNoteFields = {
  status: choice(VERIFICATIONS, { description: 'The result.', example: 'fail' }),
  behaviour: choice(BEHAVIOURS, {
    optional: true,
    default: 'replace',
    description:
      'Whether it replaces earlier results. Otherwise it is combined with them, and the worst result counts.',
  }),
  confidence: choice(CONFIDENCES, { optional: true, default: 'high', description: 'How confident the analysis is.' }),
  analysis_session: line({
    optional: true,
    blank: true,
    nullable: true,
    description: 'Id of the analysis run; null for a manual verification.',
    example: 'nightly-42',
  }),
  findings: objectList('FindingBody', findingFields, {
    optional: true,
    emptyObjectIsEmptyList: true,
    description: 'All findings; `{}` means an empty list.',
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

export type Finding = InputOf<typeof findingFields>;

export type AnalysisNoteInput = InputOf<typeof analysisNoteFields>;
