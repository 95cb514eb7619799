import type { Column, ModelDescription } from './content-model.js';
import { MODELS } from './models.js';

const BEGIN = '<!-- models: written by `npm run generate` -->';
const END = '<!-- end of models -->';

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
  const [before, after] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (before === -1 || after === -1) throw new Error('The document has no markers for the models.');
  return `${document.slice(0, before)}${BEGIN}\n\n${MODELS.map(section).join('\n\n')}\n\n${document.slice(after)}`;
}
