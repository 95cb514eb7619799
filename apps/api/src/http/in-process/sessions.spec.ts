import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../../../..');

/**
 * Services that write or read outside of a request's transaction on purpose: side records, or the state of the process.
 */
const APART = new Set([
  'apps/api/src/http/access/authentication.service.ts',
  'apps/api/src/http/operations/operations.controller.ts',
  'apps/api/src/reports/reports-readiness.ts',
]);

const sources = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => path.join(folder, name));

describe('Source code that uses database sessions', () => {
  it('forks sessions and begins transactions only in kernel/transaction.ts, with three exceptions', () => {
    const apart = [...sources('apps/api/src'), ...sources('libs/domain/src')].filter((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return /\.(fork|transactional)\(/.test(text) && !APART.has(file);
    });
    expect(apart).toEqual(['libs/domain/src/kernel/transaction.ts']);
  });

  it('binds sessions to organizations only in two files of the kernel', () => {
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
