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
import { FONT_FAMILY, SIZES, statusColour, type Style } from './theme.js';

use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

/** Bars make the chart taller; columns and points become narrower instead. */
const BARS = { categories: 30, times: 100 };
const COMPACT_BARS = { categories: 7, times: 7 };
const COLUMNS = { categories: 40, times: 400 };
const COMPACT_COLUMNS = { categories: 10, times: 100 };
const POINTS = { categories: 400, times: 400 };
const SLICES = { categories: Infinity, times: Infinity, seriesPerMeasure: true };
/** One less than the number of colours: the remaining slices are combined into one. */
const MAX_SLICES = 7;
const BAR_HEIGHT = 26;
const LABEL_LENGTH = 34;
const BAR_LABEL_LENGTH = 60;
const SLICE_LABEL_LENGTH = 28;
/** Labels below columns share what is left of the width, and are wrapped into so many lines. */
const BESIDE_LABELS = 140;
const MAX_LABEL_LINES = 3;
const MIN_WRAPPED_CHARACTERS = 14;
const LABEL_ANGLE = 35;
/** Pixels of a line, and an average character, of a label. */
const LABEL_LINE_HEIGHT = 15;
const LABEL_CHARACTER_WIDTH = 6.5;

const labelsWidth = ({ width }: Style): number => width - BESIDE_LABELS;

/** How many characters fit in the width, where so many fit in a large chart. */
const fitting = (length: number, { width }: Style): number => Math.round((length * width) / SIZES.large.width);

function base(input: ChartInput, plot: Plot, style: Style): EChartsCoreOption {
  const notes = [
    ...(plot.omittedCategories > 0 ? [`${plot.omittedCategories.toLocaleString('en')} more not shown`] : []),
    ...(plot.omittedSeries > 0 ? [`${plot.omittedSeries.toLocaleString('en')} smaller series not shown`] : []),
    ...(input.truncated ? [`only the first ${input.rows.length.toLocaleString('en')} rows of the report`] : []),
    ...(plot.series.length ? [] : ['Nothing to show']),
  ];
  return {
    animation: false,
    backgroundColor: style.background,
    color: [...style.colours],
    textStyle: { fontFamily: FONT_FAMILY, color: style.text },
    title: {
      text: style.isWhole ? shorten(input.title, 80) : '',
      subtext: notes.join(', ').replace(/^o/, 'O'),
      left: style.isWhole ? 20 : 0,
      top: style.isWhole ? 14 : -4,
      ...(!style.isWhole && { itemGap: 0 }),
      textStyle: { fontSize: 20, fontWeight: 600, color: style.text },
      subtextStyle: { fontSize: 12, color: style.quiet },
    },
  };
}

/** A status has the same colour in every chart. */
function withStatusColour(style: Style, name: string): object {
  const color = statusColour(style, name);
  return color === undefined ? {} : { itemStyle: { color } };
}

/** Between names of the legend. Wide fonts, which viewers without the bundled one use, need some of it. */
const LEGEND_GAP = 36;
/** The icon and the gaps next to a name of the legend. */
const BESIDE_NAME = LEGEND_GAP + 20;

/** Names of the legend share the whole width, so that fewer names have more room. */
const legendLabelLength = ({ series }: Plot, style: Style): number =>
  Math.max(
    fitting(LABEL_LENGTH, style),
    Math.floor((style.width / series.length - BESIDE_NAME) / LABEL_CHARACTER_WIDTH),
  );

const legendOf = (plot: Plot, style: Style): object =>
  plot.series.length > 1
    ? {
        legend: {
          bottom: 10,
          left: 'center',
          itemGap: LEGEND_GAP,
          itemWidth: 14,
          itemHeight: 10,
          icon: 'roundRect',
          textStyle: { color: style.text, fontSize: 12 },
          formatter: (name: string) => shorten(name, legendLabelLength(plot, style)),
        },
      }
    : {};

const valueAxis = (plot: Plot, style: Style, horizontal: boolean): object => ({
  type: 'value',
  // Counts are whole numbers, and percentages end at 100.
  ...(plot.isPercent ? { max: 100 } : { minInterval: 1 }),
  name: plot.series.length ? plot.valueTitle : '',
  nameLocation: horizontal ? 'middle' : 'end',
  nameGap: horizontal ? 30 : 14,
  nameTextStyle: { color: style.quiet, fontSize: 12, align: horizontal ? 'center' : 'left' },
  axisLabel: { color: style.quiet, fontSize: 12, formatter: (value: number) => formatNumber(value, plot.isPercent) },
  splitLine: { lineStyle: { color: style.line } },
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
function categoryLabels({ categories, isTime }: Plot, style: Style, horizontal: boolean): CategoryLabels {
  const width = Math.max(40, labelsWidth(style) / Math.max(1, categories.length));
  const perLine = Math.floor(width / LABEL_CHARACTER_WIDTH);
  if (horizontal || isTime) return { texts: shortenApart(categories, fitting(BAR_LABEL_LENGTH, style)), lines: 1 };
  const length = perLine < MIN_WRAPPED_CHARACTERS ? fitting(LABEL_LENGTH, style) : perLine * MAX_LABEL_LINES;
  const texts = shortenApart(categories, length);
  const longest = Math.max(0, ...texts.map((text) => text.length));
  if (longest <= perLine) return { texts, width, lines: 1 };
  if (perLine >= MIN_WRAPPED_CHARACTERS) return { texts, width, lines: MAX_LABEL_LINES };
  const height = longest * LABEL_CHARACTER_WIDTH * Math.sin((LABEL_ANGLE * Math.PI) / 180);
  return { texts, angle: LABEL_ANGLE, lines: Math.ceil(height / LABEL_LINE_HEIGHT) };
}

const categoryAxis = (plot: Plot, style: Style, horizontal: boolean, labels: CategoryLabels): object => ({
  type: 'category',
  data: labels.texts,
  ...(horizontal && { inverse: true }),
  name: horizontal || !plot.series.length ? '' : plot.categoryTitle,
  nameLocation: 'middle',
  nameGap: 25 + labels.lines * LABEL_LINE_HEIGHT,
  nameTextStyle: { color: style.quiet, fontSize: 12 },
  axisTick: { alignWithLabel: true, lineStyle: { color: style.line } },
  axisLine: { lineStyle: { color: style.line } },
  axisLabel: {
    color: style.text,
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

const grid = (plot: Plot, style: Style, horizontal: boolean): object => ({
  left: horizontal ? 20 : 28,
  right: style.isCompact ? 44 : 56,
  top: style.isWhole ? 92 : horizontal ? 20 : 36,
  bottom: (plot.series.length > 1 ? 44 : 16) + (horizontal ? 30 : 34),
  outerBoundsMode: 'same',
  outerBoundsContain: 'axisLabel',
});

function bars(input: ChartInput, style: Style, horizontal: boolean): { option: EChartsCoreOption; height: number } {
  const plot = plotOf(
    input,
    horizontal ? (style.isCompact ? COMPACT_BARS : BARS) : style.isCompact ? COMPACT_COLUMNS : COLUMNS,
  );
  // Values that can't be summed, such as percentages of different totals, are drawn side by side.
  const stack = !plot.addsUp || (horizontal && !canStack(input)) ? {} : { stack: 'all' };
  const single = plot.series.length === 1;
  const [along, across] = [
    categoryAxis(plot, style, horizontal, categoryLabels(plot, style, horizontal)),
    valueAxis(plot, style, horizontal),
  ];
  return {
    height: horizontal && !style.isCompact ? Math.max(300, 170 + plot.categories.length * BAR_HEIGHT) : style.height,
    option: {
      ...base(input, plot, style),
      ...legendOf(plot, style),
      grid: grid(plot, style, horizontal),
      xAxis: horizontal ? across : along,
      yAxis: horizontal ? along : across,
      series: plot.series.map(({ name, values }) => ({
        type: 'bar',
        name,
        data: [...values],
        barMaxWidth: horizontal ? 18 : 56,
        ...withStatusColour(style, name),
        ...stack,
        ...(single && {
          label: {
            show: true,
            position: horizontal ? 'right' : 'top',
            color: style.text,
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

function lines(input: ChartInput, style: Style): { option: EChartsCoreOption; height: number } {
  const plot = plotOf(input, POINTS);
  return {
    height: style.height,
    option: {
      ...base(input, plot, style),
      ...legendOf(plot, style),
      grid: grid(plot, style, false),
      xAxis: {
        ...categoryAxis(plot, style, false, categoryLabels(plot, style, false)),
        boundaryGap: plot.categories.length === 1,
      },
      yAxis: valueAxis(plot, style, false),
      series: plot.series.map(({ name, values }) => ({
        type: 'line',
        name,
        data: [...values],
        ...withStatusColour(style, name),
        lineStyle: { width: 2.5 },
        symbol: 'circle',
        symbolSize: 6,
        showSymbol: plot.categories.length <= 60,
      })),
    },
  };
}

function pie(input: ChartInput, style: Style): { option: EChartsCoreOption; height: number } {
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
  // A small chart has no room for both the number and its share.
  const share = (value: number): string =>
    total > 0 && !style.isCompact ? `, ${Math.round((100 * value) / total)} %` : '';
  return {
    height: style.height,
    option: {
      ...base(input, plot, style),
      series: [
        {
          type: 'pie',
          radius: style.isCompact ? ['26%', '50%'] : ['34%', '64%'],
          center: ['50%', style.isWhole ? '56%' : '50%'],
          data: slices.map(({ name, value }) => ({ name, value, ...withStatusColour(style, name) })),
          itemStyle: { borderColor: style.background, borderWidth: 2 },
          label: {
            color: style.text,
            fontSize: style.isCompact ? 12 : 13,
            formatter: ({ name, value }: { name: string; value: unknown }) =>
              `${shorten(name, fitting(SLICE_LABEL_LENGTH, style))}: ` +
              `${formatNumber(Number(value), plot.isPercent)}${share(Number(value))}`,
          },
          labelLine: { lineStyle: { color: style.quiet } },
        },
      ],
    },
  };
}

const KINDS = {
  pie,
  line: lines,
  stacked_bar: (input: ChartInput, style: Style) => bars(input, style, false),
  horizontal_bar: (input: ChartInput, style: Style) => bars(input, style, true),
};

export type AxisChart = keyof typeof KINDS;

/**
 * Removes styles for a pointer, which an image does not have, and numbers that count the charts of the process: equal
 * charts are equal texts.
 */
const withoutCounters = (svg: string): string =>
  svg
    .replaceAll(/ class="zr\d+-cls-\d+"/g, '')
    .replaceAll(/<style ><!\[CDATA\[[^<]*<\/style>/g, '')
    .replaceAll(/(id="|url\(#)zr\d+-/g, '$1');

/** Draws a bar, column, line or pie chart. */
export function drawAxisChart(kind: AxisChart, input: ChartInput, style: Style): string {
  const { option, height } = KINDS[kind](input, style);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: style.width, height });
  try {
    chart.setOption(option);
    return withoutCounters(chart.renderToSVGString());
  } finally {
    chart.dispose();
  }
}
