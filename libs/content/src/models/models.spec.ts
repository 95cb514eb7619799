import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CONTENT_MODELS } from '#domain/exchange/job/content-models.js';
import { MODELS } from './models.js';
import { renderModels } from './render-models.js';

it('describes every model once, in the order of the list of models', () => {
  expect(MODELS.map(({ name }) => name)).toEqual(CONTENT_MODELS);
});

it.each(MODELS)('starts the columns of $name with the id, without duplicates', ({ columns }) => {
  const names = columns.map(({ name }) => name);
  expect(names[0]).toBe('id');
  expect(new Set(names).size).toBe(names.length);
});

it('matches docs/use/export-columns.md, which `npm run generate` generates', () => {
  const document = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/use/export-columns.md'), 'utf8');
  expect(document).toBe(renderModels(document));
});
