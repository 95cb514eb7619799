import { withGeneratedPart } from '#platform/generated-part.js';
import type { Column, ModelDescription } from './content-model.js';
import { MODELS } from './models.js';

const yes = (holds: boolean): string => (holds ? 'yes' : '');

const row = ({ name, type, nullable, readOnly, references, about }: Column): string =>
  `| \`${name}\` | ${type} | ${yes(nullable)} | ${yes(readOnly)} | ${references ? `\`${references}\`` : ''} | ` +
  `${about} |`;

const section = ({ name, title, columns }: ModelDescription): string =>
  [
    `## \`${name}\`: ${title}`,
    '',
    '| Column | Type | Null | Read-only | Refers to | Content |',
    '|---|---|---|---|---|---|',
    ...columns.map(row),
  ].join('\n');

/** Updates the tables of columns in `docs/use/export-columns.md`. */
export function renderModels(document: string): string {
  return withGeneratedPart(document, 'models', MODELS.map(section).join('\n\n'));
}
