import { type ChartInput, columnsFor } from './chart-rows.js';
import { shorten, svgOf, svgRectangle, svgText } from './svg.js';
import type { Style } from './theme.js';

const MAX = { rows: 25, columns: 10 };
const MAX_COMPACT = { rows: 6, columns: 3 };
const ROW_HEIGHT = 30;
const MARGIN = 28;
const HEAD = 78;
const HEAD_WITHOUT_TITLE = 4;
/** Approximate width of a character in a cell, in pixels. */
const CHARACTER_WIDTH = 7.4;

const headOf = ({ isWhole }: Style): number => (isWhole ? HEAD : HEAD_WITHOUT_TITLE);

/** Distributes the width of the picture over columns, in proportion to their texts. */
function widthsOf(texts: readonly (readonly string[])[], across: number): number[] {
  const lengths = texts.map((column) => Math.min(40, Math.max(6, ...column.map((text) => text.length + 2))));
  const sum = lengths.reduce((total, length) => total + length, 0);
  return lengths.map((length) => (across * length) / sum);
}

/** A column with its title, its formatted values and its position. */
interface DrawnColumn {
  readonly texts: readonly string[];
  readonly isMeasure: boolean;
  readonly left: number;
  readonly width: number;
}

/** Draws one line of a table; line 0 is the header. */
function drawRow(line: number, columns: readonly DrawnColumn[], style: Style): string {
  const top = headOf(style) + line * ROW_HEIGHT;
  const across = style.width - 2 * MARGIN;
  const cells = columns.map(({ texts, isMeasure, left, width }) =>
    svgText(shorten(texts[line] ?? '', Math.max(4, Math.floor((width - 16) / CHARACTER_WIDTH))), {
      x: isMeasure ? left + width - 8 : left + 8,
      y: top + 20,
      size: 13,
      weight: line ? 400 : 600,
      anchor: isMeasure ? 'end' : 'start',
      fill: line ? style.text : style.quiet,
    }),
  );
  return [
    ...(line > 0 && line % 2 === 0 ? [svgRectangle(MARGIN, top, across, ROW_HEIGHT, style.band)] : []),
    ...(line === 1 ? [svgRectangle(MARGIN, top - 1, across, 1, style.line)] : []),
    ...cells,
  ].join('');
}

/** Draws a table: the first rows, and the number of rows that were left out. */
export function drawTable(input: ChartInput, style: Style): string {
  const maximum = style.isCompact ? MAX_COMPACT : MAX;
  const all = columnsFor(input);
  const columns = all.slice(0, maximum.columns);
  const rows = input.rows.slice(0, maximum.rows);
  const texts = columns.map((column) => [column.title, ...rows.map((row) => column.write(row[column.name] ?? null))]);
  const widths = widthsOf(texts, style.width - 2 * MARGIN);
  const drawn = columns.map(({ isMeasure }, index): DrawnColumn => ({
    texts: texts[index] ?? [],
    isMeasure,
    left: widths.slice(0, index).reduce((left, width) => left + width, MARGIN),
    width: widths[index] ?? 0,
  }));
  const height = Math.max(
    style.height / (style.isCompact ? 1 : 2),
    headOf(style) + (rows.length + 1) * ROW_HEIGHT + 44,
  );
  const parts = [
    svgRectangle(0, 0, style.width, height, style.background),
    svgText(style.isWhole ? shorten(input.title, 80) : '', {
      x: MARGIN,
      y: 44,
      size: 20,
      weight: 600,
      fill: style.text,
    }),
  ];
  for (let line = 0; line <= rows.length; line += 1) parts.push(drawRow(line, drawn, style));
  const more = input.rows.length - rows.length;
  const notes = [
    ...(more ? [`${input.truncated ? 'At least ' : ''}${more.toLocaleString('en')} further rows`] : []),
    ...(all.length > columns.length ? [`${all.length - columns.length} further columns`] : []),
    ...(rows.length ? [] : ['Nothing to show']),
  ];
  parts.push(svgText(notes.join(', '), { x: MARGIN + 8, y: height - 18, size: 12, fill: style.quiet }));
  return svgOf(style.width, height, parts.join(''));
}
