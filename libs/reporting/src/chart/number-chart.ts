import { type ChartInput, columnsFor } from './chart-rows.js';
import { shorten, svgOf, svgRectangle, svgText } from './svg.js';
import type { Style } from './theme.js';

const NUMBER_HEIGHT = 280;
const MAX_TILES = 4;

/** Draws the measures of the first row in large type. */
export function drawNumber(input: ChartInput, style: Style): string {
  const columns = columnsFor(input);
  const measures = columns.filter(({ isMeasure }) => isMeasure);
  const all = measures.length ? measures : columns;
  const visible = all.slice(0, MAX_TILES);
  const more = all.length - visible.length;
  const height = style.isCompact ? style.height : NUMBER_HEIGHT;
  const middle = style.isWhole ? 174 : height / 2;
  const width = style.width / Math.max(1, visible.length);
  const size = (visible.length === 1 ? 92 : visible.length === 2 ? 72 : 48) * (style.isCompact ? 0.6 : 1);
  const tiles = visible.map((column, index) => {
    const x = width * (index + 0.5);
    const text = shorten(column.write(input.rows[0]?.[column.name] ?? null), 14);
    return (
      svgText(text, { x, y: middle, size, weight: 600, anchor: 'middle', fill: style.colours[index] ?? style.text }) +
      svgText(shorten(column.title, Math.floor(width / 8)), {
        x,
        y: middle + (style.isCompact ? 30 : 48),
        size: style.isCompact ? 13 : 16,
        anchor: 'middle',
        fill: style.quiet,
      })
    );
  });
  return svgOf(
    style.width,
    height,
    svgRectangle(0, 0, style.width, height, style.background) +
      svgText(style.isWhole ? shorten(input.title, 80) : '', {
        x: 28,
        y: 44,
        size: 20,
        weight: 600,
        fill: style.text,
      }) +
      tiles.join('') +
      (more ? svgText(`${more} more not shown`, { x: 28, y: height - 18, size: 12, fill: style.quiet }) : ''),
  );
}
