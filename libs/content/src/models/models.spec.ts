import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CONTENT_MODELS } from '#domain/exchange/job/content-models.js';
import { MODELS } from './models.js';
import { renderModels } from './render-models.js';

it('describes every model once, in the order in which they are named', () => {
  expect(MODELS.map(({ name }) => name)).toEqual(CONTENT_MODELS);
});

it.each(MODELS)('begins the columns of $name with its id, and names none twice', ({ columns }) => {
  const names = columns.map(({ name }) => name);
  expect(names[0]).toBe('id');
  expect(new Set(names).size).toBe(names.length);
});

it('is what docs/export-format.md says, which `npm run export-format` writes', () => {
  const document = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/export-format.md'), 'utf8');
  expect(document).toBe(renderModels(document));
});
