import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DEFAULT_ICON } from '#domain/library/component/component.rules.js';

/** An icon that components can have. */
export interface Icon {
  readonly slug: string;
  readonly name: string;
  /** What it shows and stands for, for those who search. */
  readonly keywords: string;
  readonly svg: string;
}

/** Our own drawing, in the manner of the package's: a middle that five others hang on. */
const HUB: Icon = {
  slug: DEFAULT_ICON,
  name: 'Hub',
  keywords: 'component, connection, network, nodes',
  svg: `<svg
  xmlns="http://www.w3.org/2000/svg"
  width="24"
  height="24"
  viewBox="0 0 24 24"
  fill="none"
  stroke="currentColor"
  stroke-width="2"
  stroke-linecap="round"
  stroke-linejoin="round"
>
  <circle cx="12" cy="12" r="3" />
  <circle cx="12" cy="4" r="2" />
  <circle cx="20" cy="9.5" r="2" />
  <circle cx="17" cy="19" r="2" />
  <circle cx="7" cy="19" r="2" />
  <circle cx="4" cy="9.5" r="2" />
  <path d="M12 6v3M18.1 10.1l-3.2 1M15.8 17.4l-2-3M8.2 17.4l2-3M5.9 10.1l3.2 1" />
</svg>
`,
};

const require = createRequire(import.meta.url);
const manifest = require.resolve('lucide-static/package.json');
const inPackage = (...parts: string[]): string => path.join(path.dirname(manifest), ...parts);

/** What the set is known by, without reading all of it. */
export async function componentIconsVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  return JSON.stringify([version, HUB]);
}

/** `file-json` → `File json`. */
const nameOf = (slug: string): string => slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll('-', ' ');

/** Reads every icon of the package, those under former names too, and our own. */
export async function readComponentIcons(): Promise<Icon[]> {
  const [files, tags] = await Promise.all([readdir(inPackage('icons')), readFile(inPackage('tags.json'), 'utf8')]);
  const keywords = new Map(Object.entries(JSON.parse(tags) as Record<string, string[]>));
  const icons = files
    .filter((file) => file.endsWith('.svg'))
    .sort()
    .map((file) => {
      const slug = path.basename(file, '.svg');
      // Two thousand small files: to read each of them beside the main thread takes five times as long.
      const svg = readFileSync(inPackage('icons', file), 'utf8');
      return { slug, name: nameOf(slug), keywords: (keywords.get(slug) ?? []).join(', '), svg };
    });
  return [HUB, ...icons];
}
