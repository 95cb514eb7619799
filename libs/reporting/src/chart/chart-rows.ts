import type { Value } from '../engine.js';
import { type Member, type Model, reportingModel } from '../model.js';
import { columnsOf, inColumnOrder, type ReportQuery } from '../query.js';

/** Everything that is needed to draw a chart: the report's title, its query and the result. */
export interface ChartInput {
  readonly title: string;
  readonly query: ReportQuery;
  readonly rows: readonly Readonly<Record<string, Value>>[];
  readonly truncated: boolean;
  /** Members in the order in which a table shows its columns. */
  readonly columnOrder?: readonly string[];
}

/** A column of the result, and how to format its values. */
export interface Column {
  readonly name: string;
  readonly title: string;
  readonly isMeasure: boolean;
  /** Whether it is a time dimension with a granularity. */
  readonly isTime: boolean;
  readonly isPercent: boolean;
  /** Whether its values can be summed; percentages and averages can't. */
  readonly addsUp: boolean;
  readonly write: (value: Value) => string;
}

/** The numbers of a chart by category and series; null where the result has no row. */
export interface Plot {
  readonly categories: readonly string[];
  readonly categoryTitle: string;
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  /** Title of the value axis if all series have the same one. */
  readonly valueTitle: string;
  readonly isPercent: boolean;
  /** Whether the numbers can be summed, across series too. */
  readonly addsUp: boolean;
  /** Whether categories are times: these are narrower, so more of them fit. */
  readonly isTime: boolean;
  /** Number of categories that were left out. */
  readonly omittedCategories: number;
  /** Number of series that were left out. */
  readonly omittedSeries: number;
}

/** How a chart arranges rows. */
export interface Arrangement {
  /** Maximum number of categories. */
  readonly categories: number;
  /** Maximum number of categories if they are times. */
  readonly times: number;
  /** One series for each measure; all dimensions together name a category. */
  readonly seriesPerMeasure?: boolean;
}

const EMPTY = '—';
/** The name of a category or series for rows without a value, where a dash would not be understood. */
const NO_VALUE = 'No value';
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** `1,234.5`, with its unit. */
export const formatNumber = (value: number, isPercent: boolean): string =>
  `${numbers.format(value)}${isPercent ? ' %' : ''}`;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a time as briefly as its granularity allows. */
export function formatTime(text: string, granularity: string | undefined): string {
  const [year = '', month = '', day = ''] = text.slice(0, 10).split('-');
  const monthName = MONTHS[Number(month) - 1] ?? month;
  if (granularity === 'year') return year;
  if (granularity === 'quarter') return `Q${Math.ceil(Number(month) / 3)} ${year}`;
  if (granularity === 'month') return `${monthName} ${year}`;
  if (granularity === 'day' || granularity === 'week') return `${Number(day)} ${monthName} ${year}`;
  return `${year}-${month}-${day} ${text.slice(11, granularity === 'second' ? 19 : 16)}`;
}

/** Names of activities contain the terms of paths; readers know these. */
const TERMS: Readonly<Record<string, string>> = {
  Standard: 'Countermeasure',
  Task: 'Countermeasure',
  Amendment: 'AdditionalRequirement',
  HowTo: 'How-to',
  ReusableComponent: 'Component',
};
const TERM = new RegExp(Object.keys(TERMS).join('|'), 'g');

/**
 * Spells an activity's name as words, `CreatedStandardActivity` → `Created countermeasure`; returns other texts
 * unchanged.
 */
function activityInWords(text: string): string {
  const [, verb, rest] = /^([A-Z][a-z]+)((?:[A-Z][a-z]+)+)Activity$/.exec(text) ?? [];
  if (verb === undefined || rest === undefined) return text;
  const terms = rest.replaceAll(TERM, (term) => TERMS[term] ?? term);
  return `${verb}${terms.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

function writerOf(member: Member, granularity?: string): Column['write'] {
  return (value) => {
    if (value === null || value === '') return EMPTY;
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    if (member.type === 'number' && Number.isFinite(Number(value)))
      return member.kind === 'measure' ? formatNumber(Number(value), member.format === 'percent') : value;
    return member.type === 'time' ? formatTime(value, granularity) : activityInWords(value);
  };
}

/** A dimension's title as people say it: "Business unit" instead of "Business unit Name", "Countermeasure priority". */
function dimensionTitle({ title, shortTitle }: Member): string {
  const cube = title.slice(0, -shortTitle.length).trim();
  if (shortTitle === 'Name' || shortTitle === 'Title') return cube;
  // Abbreviations keep their capitals.
  return `${cube} ${shortTitle.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`;
}

/** The columns of a result, in the order that exported files use. */
export function columnsFor({ query, columnOrder = [] }: ChartInput, model: Model = reportingModel()): Column[] {
  return inColumnOrder(columnsOf(query), columnOrder).flatMap((name): Column[] => {
    const [cube, memberName, granularity] = name.split('.');
    const member = model.members.get(`${cube}.${memberName}`);
    if (!member) return [];
    return [
      {
        name,
        title: member.kind === 'measure' ? member.shortTitle : dimensionTitle(member),
        isMeasure: member.kind === 'measure',
        isTime: granularity !== undefined,
        isPercent: member.format === 'percent',
        addsUp: member.format !== 'percent' && member.aggType !== 'avg',
        write: writerOf(member, granularity),
      },
    ];
  });
}

const OTHER = 'Other';
const MAX_SERIES = 8;

/** Combines all but the largest series into one, if their values can be summed. */
function foldSeries(series: Map<string, Map<string, number>>, addsUp: boolean): Map<string, Map<string, number>> {
  if (series.size <= MAX_SERIES) return series;
  const weight = (values: Map<string, number>): number => [...values.values()].reduce((sum, value) => sum + value, 0);
  const sorted = [...series].sort(([, a], [, b]) => weight(b) - weight(a));
  if (!addsUp) return new Map(sorted.slice(0, MAX_SERIES));
  const largest = new Map(sorted.slice(0, MAX_SERIES - 1));
  const other = new Map<string, number>();
  for (const [, values] of sorted.slice(MAX_SERIES - 1))
    for (const [category, value] of values) other.set(category, (other.get(category) ?? 0) + value);
  return largest.set(OTHER, other);
}

/** The name of a row's category or series. */
function labelOf({ name, write }: Column, row: ChartInput['rows'][number]): string {
  const text = write(row[name] ?? null);
  return text === EMPTY ? NO_VALUE : text;
}

/**
 * Arranges rows for a chart: categories from the first time or dimension, series from the others or from the measures.
 */
export function plotOf(input: ChartInput, arrangement: Arrangement, model: Model = reportingModel()): Plot {
  const columns = columnsFor({ ...input, columnOrder: [] }, model);
  const measures = columns.filter(({ isMeasure }) => isMeasure);
  const [category, ...others] = columns
    .filter(({ isMeasure }) => !isMeasure)
    .sort((a, b) => Number(b.isTime) - Number(a.isTime));
  const bySeries = others.length > 0 && measures.length === 1 && !arrangement.seriesPerMeasure;
  const categories = new Set<string>();
  const series = new Map<string, Map<string, number>>();
  for (const row of input.rows) {
    const label = [category, ...(bySeries ? [] : others)]
      .flatMap((column) => (column ? [labelOf(column, row)] : []))
      .join(' · ');
    categories.add(label);
    for (const measure of measures) {
      const value = row[measure.name] ?? null;
      if (value === null) continue;
      const name = bySeries ? others.map((one) => labelOf(one, row)).join(' · ') : measure.title;
      const values = series.get(name) ?? new Map<string, number>();
      values.set(label, (values.get(label) ?? 0) + Number(value));
      series.set(name, values);
    }
  }
  const isTime = category?.isTime ?? false;
  const visibleCategories = [...categories].slice(0, isTime ? arrangement.times : arrangement.categories);
  const [first] = measures;
  const isPercent = measures.length > 0 && measures.every((measure) => measure.isPercent);
  const addsUp = measures.every((measure) => measure.addsUp);
  const folded = foldSeries(series, addsUp);
  return {
    categories: visibleCategories,
    categoryTitle: category?.title ?? '',
    series: [...folded].map(([name, values]) => ({
      name,
      values: visibleCategories.map((label) => values.get(label) ?? null),
    })),
    valueTitle: measures.length === 1 ? (first?.title ?? '') : '',
    isPercent,
    addsUp,
    isTime,
    omittedCategories: categories.size - visibleCategories.length,
    omittedSeries: addsUp ? 0 : series.size - folded.size,
  };
}
