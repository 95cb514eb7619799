import { type ChartInput, columnsFor } from './chart-rows.js';
import { shorten, svgOf, svgRectangle, svgText } from './svg.js';
import { type Theme, WIDTH } from './theme.js';

const NUMBER_HEIGHT = 280;
const MAX_TILES = 4;

/** Draws the measures of the first row in large type. */
export function drawNumber(input: ChartInput, theme: Theme): string {
  const columns = columnsFor(input);
  const measures = columns.filter(({ isMeasure }) => isMeasure);
  const all = measures.length ? measures : columns;
  const visible = all.slice(0, MAX_TILES);
  const more = all.length - visible.length;
  const width = WIDTH / Math.max(1, visible.length);
  const size = visible.length === 1 ? 92 : visible.length === 2 ? 72 : 48;
  const tiles = visible.map((column, index) => {
    const x = width * (index + 0.5);
    const text = shorten(column.write(input.rows[0]?.[column.name] ?? null), 14);
    return (
      svgText(text, { x, y: 174, size, weight: 600, anchor: 'middle', fill: theme.colours[index] ?? theme.text }) +
      svgText(shorten(column.title, Math.floor(width / 8)), {
        x,
        y: 222,
        size: 16,
        anchor: 'middle',
        fill: theme.quiet,
      })
    );
  });
  return svgOf(
    WIDTH,
    NUMBER_HEIGHT,
    svgRectangle(0, 0, WIDTH, NUMBER_HEIGHT, theme.background) +
      svgText(shorten(input.title, 80), { x: 28, y: 44, size: 20, weight: 600, fill: theme.text }) +
      tiles.join('') +
      (more ? svgText(`${more} more not shown`, { x: 28, y: 262, size: 12, fill: theme.quiet }) : ''),
  );
}
