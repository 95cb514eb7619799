import { DEFAULT_ICON } from '#domain/library/component/component.rules.js';
import { rowsOf } from './reference-file.js';

/** An icon for components. */
export interface Icon {
  readonly slug: string;
  readonly name: string;
  /** Search terms: what it shows and stands for. */
  readonly keywords: string;
  readonly svg: string;
}

/** An SVG in the style of Lucide: strokes of one width on a grid of 24 by 24. */
const drawing = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" \
stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${content}</svg>\n`;

/** An icon of our own in the style of Lucide: a hub with five nodes. */
const HUB: Icon = {
  slug: DEFAULT_ICON,
  name: 'Hub',
  keywords: 'component, connection, network, nodes',
  svg: drawing(
    '<circle cx="12" cy="12" r="3"/><circle cx="12" cy="4" r="2"/><circle cx="20" cy="9.5" r="2"/>' +
      '<circle cx="17" cy="19" r="2"/><circle cx="7" cy="19" r="2"/><circle cx="4" cy="9.5" r="2"/>' +
      '<path d="M12 6v3M18.1 10.1l-3.2 1M15.8 17.4l-2-3M8.2 17.4l2-3M5.9 10.1l3.2 1"/>',
  ),
};

/** The icons of Lucide, including former names: the content of each SVG without the common part. */
export const LUCIDE = 'component-icons.json';

type LucideRow = readonly [slug: string, keywords: string, svg: string];

/** `file-json` → `File json`. */
const nameOf = (slug: string): string => slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll('-', ' ');

/** Reads the icons of Lucide, and adds our own. */
export async function readComponentIcons(): Promise<Icon[]> {
  const rows = await rowsOf<LucideRow>(LUCIDE);
  const icons = rows.map(([slug, keywords, svg]) => ({ slug, name: nameOf(slug), keywords, svg: drawing(svg) }));
  return [HUB, ...icons];
}
