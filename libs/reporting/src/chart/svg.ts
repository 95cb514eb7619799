import { FONT_FAMILY } from './theme.js';

/** Characters that XML can't hold at all are left out. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const clean = (text: string): string => text.toWellFormed().replace(FORBIDDEN, '');

/** Escapes a text for an element or attribute, and removes characters that XML forbids. */
export const escapeXml = (text: string): string =>
  clean(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Cuts a text to a number of characters, and ends it with an ellipsis if something was cut. */
export const shorten = (text: string, length: number): string => {
  const characters = Array.from(clean(text).replace(/\s+/g, ' '));
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
};

/** Characters of its end that a label keeps if it begins like another label. */
const END_LENGTH = 12;

/**
 * Cuts labels to a number of characters. Labels that begin alike, such as two versions of a framework, also keep their
 * ends, so that they stay distinct.
 */
export function shortenApart(labels: readonly string[], length: number): string[] {
  const short = labels.map((label) => shorten(label, length));
  const sharing = (text: string): Set<string> => new Set(labels.filter((_, index) => short[index] === text));
  return labels.map((label, index) => {
    const text = short[index] ?? '';
    const characters = Array.from(clean(label).replace(/\s+/g, ' '));
    if (characters.length <= length || sharing(text).size === 1) return text;
    return `${characters.slice(0, length - 1 - END_LENGTH).join('')}…${characters.slice(-END_LENGTH).join('')}`;
  });
}

interface TextOptions {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly fill: string;
  readonly weight?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** A line of text. */
export const svgText = (text: string, { x, y, size, fill, weight = 400, anchor = 'start' }: TextOptions): string =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" fill="${fill}" ` +
  `font-family="${FONT_FAMILY}">${escapeXml(text)}</text>`;

/** A filled rectangle, positioned by its top left corner. */
export const svgRectangle = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;

/** A complete SVG document. */
export const svgOf = (width: number, height: number, body: string): string =>
  `<svg width="${width}" height="${height}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ` +
  `${height}">${body}</svg>`;

/** Adds a title and description for screen readers. */
export const withTextAlternative = (svg: string, title: string, description: string): string =>
  svg.replace(
    /^<svg\b([^>]*)>/,
    (_, attributes: string) =>
      `<svg${attributes} role="img" aria-labelledby="chart-title chart-description"><title ` +
      `id="chart-title">${escapeXml(title)}</title><desc id="chart-description">${escapeXml(description)}</desc>`,
  );
