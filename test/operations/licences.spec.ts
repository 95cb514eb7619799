import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

interface LockedPackage {
  readonly license?: string;
  /** A workspace of this repository. */
  readonly link?: boolean;
  /** Only development needs it. */
  readonly dev?: boolean;
}

/** Licences that allow a company to run and pass on Merlon unchanged, under the conditions in NOTICE. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);
/** Packages whose metadata names no licence; their LICENSE files do. */
const LICENCE_FILES: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  rechoir: 'MIT',
  streamsearch: 'MIT',
};
/** Packages that are never shipped. */
const DEVELOPMENT_ONLY: Readonly<Record<string, string>> = {
  'caniuse-lite': 'CC-BY-4.0',
  'spdx-exceptions': 'CC-BY-3.0',
};

/** Whether a licence expression of SPDX can be met by allowed licences. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => ALLOWED.has(licence)));

describe('Every package that is installed', () => {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };

  it('has a licence on the list', () => {
    const unknown = Object.entries(lock.packages).flatMap(([location, { license, dev, link }]) => {
      if (!location.includes('node_modules/') || link === true) return [];
      const name = location.split('node_modules/').at(-1) ?? location;
      const licence = license ?? LICENCE_FILES[name] ?? 'none';
      const isKnown = isAllowed(licence) || (dev === true && DEVELOPMENT_ONLY[name] === licence);
      return isKnown ? [] : [`${name}: ${licence}`];
    });
    expect(unknown).toEqual([]);
  });
});
