import { type ChartInput, type Plot, plotOf, formatNumber } from './chart-rows.js';
import {
  BarChart,
  type EChartsCoreOption,
  GridComponent,
  init,
  LegendComponent,
  LineChart,
  PieChart,
  SVGRenderer,
  TitleComponent,
  use,
} from './echarts.js';
import { shorten, shortenApart } from './svg.js';
import { FONT_FAMILY, HEIGHT, statusColour, type Theme, WIDTH } from './theme.js';

use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

/** Bars make the chart taller; columns and points become narrower instead. */
const BARS = { categories: 30, times: 100 };
const COLUMNS = { categories: 40, times: 400 };
const POINTS = { categories: 400, times: 400 };
const SLICES = { categories: Infinity, times: Infinity, seriesPerMeasure: true };
/** One less than the number of colours: the remaining slices are combined into one. */
const MAX_SLICES = 7;
const BAR_HEIGHT = 26;
const LABEL_LENGTH = 34;
const BAR_LABEL_LENGTH = 60;
const SLICE_LABEL_LENGTH = 28;
/** Labels below columns share this width, and are wrapped into so many lines. */
const LABELS_WIDTH = 820;
const MAX_LABEL_LINES = 3;
const MIN_WRAPPED_CHARACTERS = 14;
const LABEL_ANGLE = 35;
/** Pixels of a line, and an average character, of a label. */
const LABEL_LINE_HEIGHT = 15;
const LABEL_CHARACTER_WIDTH = 6.5;

function base(input: ChartInput, plot: Plot, theme: Theme): EChartsCoreOption {
  const notes = [
    ...(plot.omittedCategories > 0 ? [`${plot.omittedCategories.toLocaleString('en')} more not shown`] : []),
    ...(plot.omittedSeries > 0 ? [`${plot.omittedSeries.toLocaleString('en')} smaller series not shown`] : []),
    ...(input.truncated ? [`only the first ${input.rows.length.toLocaleString('en')} rows of the report`] : []),
    ...(plot.series.length ? [] : ['Nothing to show']),
  ];
  return {
    animation: false,
    backgroundColor: theme.background,
    color: [...theme.colours],
    textStyle: { fontFamily: FONT_FAMILY, color: theme.text },
    title: {
      text: shorten(input.title, 80),
      subtext: notes.join(', ').replace(/^o/, 'O'),
      left: 20,
      top: 14,
      textStyle: { fontSize: 20, fontWeight: 600, color: theme.text },
      subtextStyle: { fontSize: 12, color: theme.quiet },
    },
  };
}

/** A status has the same colour in every chart. */
function withStatusColour(theme: Theme, name: string): object {
  const color = statusColour(theme, name);
  return color === undefined ? {} : { itemStyle: { color } };
}

/** Fewer names have more room. */
const legendLabelLength = ({ series }: Plot): number =>
  Math.max(LABEL_LENGTH, Math.floor(LABELS_WIDTH / LABEL_CHARACTER_WIDTH / series.length) - 8);

const legendOf = (plot: Plot, theme: Theme): object =>
  plot.series.length > 1
    ? {
        legend: {
          bottom: 10,
          left: 'center',
          itemGap: 20,
          itemWidth: 14,
          itemHeight: 10,
          icon: 'roundRect',
          textStyle: { color: theme.text, fontSize: 12 },
          formatter: (name: string) => shorten(name, legendLabelLength(plot)),
        },
      }
    : {};

const valueAxis = (plot: Plot, theme: Theme, horizontal: boolean): object => ({
  type: 'value',
  // Counts are whole numbers, and percentages end at 100.
  ...(plot.isPercent ? { max: 100 } : { minInterval: 1 }),
  name: plot.series.length ? plot.valueTitle : '',
  nameLocation: horizontal ? 'middle' : 'end',
  nameGap: horizontal ? 30 : 14,
  nameTextStyle: { color: theme.quiet, fontSize: 12, align: horizontal ? 'center' : 'left' },
  axisLabel: { color: theme.quiet, fontSize: 12, formatter: (value: number) => formatNumber(value, plot.isPercent) },
  splitLine: { lineStyle: { color: theme.line } },
});

interface CategoryLabels {
  readonly texts: readonly string[];
  /** The width that labels below columns are wrapped to. */
  readonly width?: number;
  /** The angle of labels that are too narrow to be wrapped. */
  readonly angle?: number;
  /** Their height in lines. */
  readonly lines: number;
}

/** The labels of categories, as long as there is room: next to bars, wrapped below columns, or at an angle. */
function categoryLabels({ categories, isTime }: Plot, horizontal: boolean): CategoryLabels {
  const width = Math.max(40, LABELS_WIDTH / Math.max(1, categories.length));
  const perLine = Math.floor(width / LABEL_CHARACTER_WIDTH);
  if (horizontal || isTime) return { texts: shortenApart(categories, BAR_LABEL_LENGTH), lines: 1 };
  const length = perLine < MIN_WRAPPED_CHARACTERS ? LABEL_LENGTH : perLine * MAX_LABEL_LINES;
  const texts = shortenApart(categories, length);
  const longest = Math.max(0, ...texts.map((text) => text.length));
  if (longest <= perLine) return { texts, width, lines: 1 };
  if (perLine >= MIN_WRAPPED_CHARACTERS) return { texts, width, lines: MAX_LABEL_LINES };
  const height = longest * LABEL_CHARACTER_WIDTH * Math.sin((LABEL_ANGLE * Math.PI) / 180);
  return { texts, angle: LABEL_ANGLE, lines: Math.ceil(height / LABEL_LINE_HEIGHT) };
}

const categoryAxis = (plot: Plot, theme: Theme, horizontal: boolean, labels: CategoryLabels): object => ({
  type: 'category',
  data: labels.texts,
  ...(horizontal && { inverse: true }),
  name: horizontal || !plot.series.length ? '' : plot.categoryTitle,
  nameLocation: 'middle',
  nameGap: 25 + labels.lines * LABEL_LINE_HEIGHT,
  nameTextStyle: { color: theme.quiet, fontSize: 12 },
  axisTick: { alignWithLabel: true, lineStyle: { color: theme.line } },
  axisLine: { lineStyle: { color: theme.line } },
  axisLabel: {
    color: theme.text,
    fontSize: 12,
    hideOverlap: true,
    ...(horizontal && { interval: 0 }),
    ...(!horizontal &&
      !plot.isTime && {
        interval: 0,
        ...(labels.angle === undefined
          ? { width: labels.width, lineHeight: LABEL_LINE_HEIGHT, overflow: 'break' }
          : { rotate: labels.angle }),
      }),
  },
});

const grid = (plot: Plot, horizontal: boolean): object => ({
  left: horizontal ? 20 : 28,
  right: 56,
  top: 92,
  bottom: (plot.series.length > 1 ? 44 : 16) + (horizontal ? 30 : 34),
  outerBoundsMode: 'same',
  outerBoundsContain: 'axisLabel',
});

function bars(input: ChartInput, theme: Theme, horizontal: boolean): { option: EChartsCoreOption; height: number } {
  const plot = plotOf(input, horizontal ? BARS : COLUMNS);
  // Values that can't be summed, such as percentages of different totals, are drawn side by side.
  const stack = !plot.addsUp || (horizontal && !canStack(input)) ? {} : { stack: 'all' };
  const single = plot.series.length === 1;
  const [along, across] = [
    categoryAxis(plot, theme, horizontal, categoryLabels(plot, horizontal)),
    valueAxis(plot, theme, horizontal),
  ];
  return {
    height: horizontal ? Math.max(300, 170 + plot.categories.length * BAR_HEIGHT) : HEIGHT,
    option: {
      ...base(input, plot, theme),
      ...legendOf(plot, theme),
      grid: grid(plot, horizontal),
      xAxis: horizontal ? across : along,
      yAxis: horizontal ? along : across,
      series: plot.series.map(({ name, values }) => ({
        type: 'bar',
        name,
        data: [...values],
        barMaxWidth: horizontal ? 18 : 56,
        ...withStatusColour(theme, name),
        ...stack,
        ...(single && {
          label: {
            show: true,
            position: horizontal ? 'right' : 'top',
            color: theme.text,
            fontSize: 12,
            formatter: ({ value }: { value: unknown }) => formatNumber(Number(value), plot.isPercent),
          },
        }),
      })),
    },
  };
}

/** Series can be stacked only if they split one measure: different measures are not parts of one total. */
const canStack = ({ query }: ChartInput): boolean => query.measures.length === 1;

function lines(input: ChartInput, theme: Theme): { option: EChartsCoreOption; height: number } {
  const plot = plotOf(input, POINTS);
  return {
    height: HEIGHT,
    option: {
      ...base(input, plot, theme),
      ...legendOf(plot, theme),
      grid: grid(plot, false),
      xAxis: {
        ...categoryAxis(plot, theme, false, categoryLabels(plot, false)),
        boundaryGap: plot.categories.length === 1,
      },
      yAxis: valueAxis(plot, theme, false),
      series: plot.series.map(({ name, values }) => ({
        type: 'line',
        name,
        data: [...values],
        ...withStatusColour(theme, name),
        lineStyle: { width: 2.5 },
        symbol: 'circle',
        symbolSize: 6,
        showSymbol: plot.categories.length <= 60,
      })),
    },
  };
}

function pie(input: ChartInput, theme: Theme): { option: EChartsCoreOption; height: number } {
  const plot = plotOf(input, SLICES);
  const sums = plot.categories
    .map((name, index) => ({ name, value: plot.series[0]?.values[index] ?? 0 }))
    .sort((a, b) => b.value - a.value);
  const rest = sums.slice(MAX_SLICES).reduce((sum, { value }) => sum + value, 0);
  const slices = [
    ...sums.slice(0, MAX_SLICES),
    ...(rest > 0 ? [{ name: `Other (${sums.length - MAX_SLICES})`, value: rest }] : []),
  ];
  const total = sums.reduce((sum, { value }) => sum + value, 0);
  const share = (value: number): string => (total > 0 ? `, ${Math.round((100 * value) / total)} %` : '');
  return {
    height: HEIGHT,
    option: {
      ...base(input, plot, theme),
      series: [
        {
          type: 'pie',
          radius: ['34%', '64%'],
          center: ['50%', '56%'],
          data: slices.map(({ name, value }) => ({ name, value, ...withStatusColour(theme, name) })),
          itemStyle: { borderColor: theme.background, borderWidth: 2 },
          label: {
            color: theme.text,
            fontSize: 13,
            formatter: ({ name, value }: { name: string; value: unknown }) =>
              `${shorten(name, SLICE_LABEL_LENGTH)}: ` +
              `${formatNumber(Number(value), plot.isPercent)}${share(Number(value))}`,
          },
          labelLine: { lineStyle: { color: theme.quiet } },
        },
      ],
    },
  };
}

const KINDS = {
  pie,
  line: lines,
  stacked_bar: (input: ChartInput, theme: Theme) => bars(input, theme, false),
  horizontal_bar: (input: ChartInput, theme: Theme) => bars(input, theme, true),
};

export type AxisChart = keyof typeof KINDS;

/** Draws a bar, column, line or pie chart. */
export function drawAxisChart(kind: AxisChart, input: ChartInput, theme: Theme): string {
  const { option, height } = KINDS[kind](input, theme);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  try {
    chart.setOption(option);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}
