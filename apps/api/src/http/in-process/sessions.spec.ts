import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../../../..');

/**
 * Services that write or read outside of a request's transaction on purpose: side records, or the state of the process.
 */
const APART = new Set([
  'apps/api/src/http/access/authentication.service.ts',
  'apps/api/src/http/operations/operations.controller.ts',
]);

const sources = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => path.join(folder, name));

describe('Whatever serves a request', () => {
  it('joins the transaction that it is part of: it forks sessions by sessionOf, and begins transactions by inTransaction', () => {
    const apart = [...sources('apps/api/src'), ...sources('libs/domain/src')].filter((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return /\.(fork|transactional)\(/.test(text) && !APART.has(file);
    });
    expect(apart).toEqual(['libs/domain/src/kernel/transaction.ts']);
  });

  it('is bound to organizations in two files alone, and so is everything else', () => {
    const binding = [...sources('apps'), ...sources('libs')].filter((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return /inBoundTransaction|EVERY_ORGANIZATION/.test(text);
    });
    expect(binding.sort()).toEqual([
      'libs/domain/src/kernel/across-organizations.ts',
      'libs/domain/src/kernel/transaction.ts',
    ]);
  });
});
