import type { InputOf } from '../../kernel/fields/field.js';
import { integer, line } from '../../kernel/fields/fields.js';
import { repositoryUrlError } from './scan.rules.js';

export const scanFields = {
  project: integer({ description: 'Its project.', example: 1 }),
  connection: integer({ optional: true, nullable: true, description: 'The connection to use.', example: null }),
  repository_url: line({
    maximum: 2048,
    validate: repositoryUrlError,
    description: 'What to scan: http, https or ssh, without credentials and query.',
    example: 'https://git.example.com/shop',
  }),
};

export type ScanInput = InputOf<typeof scanFields>;
