import { type AxisChart, drawAxisChart } from './axis-chart.js';
import { type ChartInput, columnsFor } from './chart-rows.js';
import type { Chart } from './charts.js';
import { drawNumber } from './number-chart.js';
import { withTextAlternative } from './svg.js';
import { drawTable } from './table-chart.js';
import { type SizeName, type Style, styleOf, type ThemeName } from './theme.js';

const NAMES: Readonly<Record<Chart, string>> = {
  table: 'Table',
  pie: 'Pie chart',
  number: 'Number',
  stacked_bar: 'Stacked bar chart',
  horizontal_bar: 'Horizontal bar chart',
  line: 'Line chart',
};

/** Maximum number of rows in the text alternative. */
const ROWS_IN_WORDS = 12;

/** Describes the content of a chart in words. */
function describe(kind: Chart, input: ChartInput): string {
  const columns = columnsFor(input);
  const rows = input.rows
    .slice(0, ROWS_IN_WORDS)
    .map((row) => columns.map((column) => `${column.title}: ${column.write(row[column.name] ?? null)}`).join(', '));
  const more = input.rows.length - rows.length;
  const count = `${NAMES[kind]} of ${input.rows.length} ${input.rows.length === 1 ? 'row' : 'rows'}.`;
  return [count, ...rows.map((row) => `${row}.`), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

function draw(kind: Chart, input: ChartInput, style: Style): string {
  if (kind === 'table') return drawTable(input, style);
  if (kind === 'number') return drawNumber(input, style);
  return drawAxisChart(kind satisfies AxisChart, input, style);
}

/** Draws a report as SVG with a text alternative. */
export const drawChart = (kind: Chart, input: ChartInput, theme: ThemeName, size: SizeName = 'large'): string =>
  withTextAlternative(draw(kind, input, styleOf(theme, size)), input.title, describe(kind, input));
