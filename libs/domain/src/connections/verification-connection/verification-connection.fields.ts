import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, choice, line, numericReference } from '../../kernel/fields/fields.js';
import { MERGES } from '../../projects/project-countermeasure/project-countermeasure.rules.js';
import { FREQUENCIES } from '../tracker-connection/tracker-connection.rules.js';

/** The maximum of SonarQube, for keys of projects. */
const MAX_KEY_LENGTH = 400;
const MAX_BRANCH_LENGTH = 255;

export const verificationConnectionFields = {
  connector: numericReference({ description: 'The connector to the tool.', example: 2 }),
  project_key: line({ maximum: MAX_KEY_LENGTH, description: 'The project of the tool.', example: 'acme:shop' }),
  branch: line({
    maximum: MAX_BRANCH_LENGTH,
    blank: true,
    optional: true,
    default: '',
    description: 'The branch; empty: the main one.',
    example: 'release',
  }),
  frequency: choice(FREQUENCIES, {
    optional: true,
    default: 'manually',
    description: 'How often a run starts.',
    example: 'daily',
  }),
  merge: choice(MERGES, {
    optional: true,
    default: 'replace_same_tool',
    description: 'Which earlier results a run replaces; `combine`: none, so that the worst counts.',
  }),
  update_status: boolean({
    optional: true,
    default: false,
    description: 'Whether a changed result completes countermeasures, and reopens them.',
  }),
};

export type VerificationConnectionInput = InputOf<typeof verificationConnectionFields>;
