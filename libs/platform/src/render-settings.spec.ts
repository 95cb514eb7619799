import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadConfiguration } from './configuration.js';
import { renderEnvExample, renderSettings } from './render-settings.js';
import { settings } from './settings.js';

const NAMES = Object.keys(settings.shape);
const read = (file: string): string => readFileSync(path.resolve(import.meta.dirname, '../../..', file), 'utf8');

describe('.env.example', () => {
  it('contains every setting once and is a valid configuration, equal to the defaults', () => {
    const assignments = renderEnvExample()
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => line.split('=') as [string, string]);
    expect(assignments.map(([name]) => name)).toEqual(NAMES);
    expect(loadConfiguration(Object.fromEntries(assignments))).toEqual(loadConfiguration({}));
  });

  it('is what `npm run generate` generates', () => {
    expect(read('.env.example')).toBe(renderEnvExample());
  });
});

describe('The page of settings', () => {
  const page = read('docs/operate/settings.md');

  it('has one row for every setting', () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (?:–|`[^`]+`) \| [^|]+ \| [^|]+ \|$/gm)];
    const names = rows.map(([, name]) => name);
    expect(names).toHaveLength(NAMES.length);
    expect(new Set(names)).toEqual(new Set(NAMES));
  });

  it('is what `npm run generate` generates', () => {
    expect(page).toBe(renderSettings(page));
  });

  it('cannot be generated without the comments that mark its tables', () => {
    expect(() => renderSettings(page.replace('<!-- end of limits -->', ''))).toThrow('comments that mark the limits');
  });
});
