import type { Value } from '../engine.js';
import type { ReportQuery } from '../query.js';
import { sheetOf } from '../sheet.js';
import { type ChartInput, columnsFor } from './chart-rows.js';
import type { Chart } from './charts.js';
import { drawChart } from './draw-chart.js';
import { statusColour, THEMES } from './theme.js';

const QUERY: ReportQuery = {
  schema: 'library',
  measures: ['LibraryTask.count'],
  dimensions: [],
  timeDimensions: [],
  filters: [],
  order: [],
  limit: 50_000,
  offset: 0,
  timezone: 'UTC',
  total: false,
  ungrouped: false,
};

const draw = (chart: Chart, query: Partial<ReportQuery>, rows: ChartInput['rows']): string =>
  drawChart(chart, { title: 'A chart', query: { ...QUERY, ...query }, rows, truncated: false }, 'light');

/** How many different places bars begin at, from left to right. */
const placesOf = (svg: string): number =>
  new Set([...svg.matchAll(/<path d="M([\d.]+) [^>]* ecmeta_ssr_type="chart"/g)].map(([, left]) => left)).size;

const heightOf = (svg: string): number => Number(/^<svg[^>]* height="(\d+)"/.exec(svg)?.[1]);

describe('Omitted items of a chart', () => {
  const SECONDS = { timeDimensions: [{ dimension: 'LibraryTask.created', granularity: 'second' as const }] };
  const moments = Array.from({ length: 50_000 }, (_, n): Record<string, Value> => ({
    'LibraryTask.created.second': new Date(n * 1000).toISOString().slice(0, 23),
    'LibraryTask.count': '1',
  }));

  it.each([
    ['horizontal_bar', 49_900],
    ['stacked_bar', 49_600],
    ['line', 49_600],
  ] as const)('are counted for times that do not fit in a %s chart', (chart, left) => {
    const svg = draw(chart, SECONDS, moments);
    expect(svg).toContain(`${left.toLocaleString('en')} more not shown`);
    expect(heightOf(svg)).toBeLessThan(3000);
    expect(svg.length).toBeLessThan(500_000);
  });

  const byTitle = (measure: string) =>
    Array.from({ length: 20 }, (_, n): Record<string, Value> => ({
      'LibraryTask.priority': '1',
      'LibraryTask.title': `Title ${n}`,
      [measure]: String(n + 1),
    }));
  const BY_TITLE = { dimensions: ['LibraryTask.priority', 'LibraryTask.title'] };

  it('are counted for series of averages, which cannot be summed up as "Other"', () => {
    const rows = byTitle('LibraryTask.averagePriority');
    const svg = draw('stacked_bar', { ...BY_TITLE, measures: ['LibraryTask.averagePriority'] }, rows);
    expect(svg).toContain('12 smaller series not shown');
    expect(svg).not.toContain('Other');
    expect(draw('stacked_bar', BY_TITLE, byTitle('LibraryTask.count'))).toContain('Other');
  });

  it('are counted for columns of a table and numbers of a number chart', () => {
    const membersNamed = (...names: string[]): string[] => names.map((name) => `LibraryTask.${name}`);
    const query = {
      dimensions: membersNamed('id', 'title', 'priority', 'phase', 'type', 'active', 'problem', 'tags'),
      measures: membersNamed('count', 'activeCount', 'customCount', 'modifiedCount', 'averagePriority'),
    };
    expect(draw('table', query, [{}])).toContain('3 further columns');
    expect(draw('number', query, [{}])).toContain('1 more not shown');
  });
});

describe('A stacked bar chart', () => {
  it.each([
    ['stacks the bars of counts', 'count', 1],
    ['puts the bars of averages side by side, because averages cannot be added', 'averagePriority', 3],
  ] as const)('%s', (_, measure, places) => {
    const rows = ['A', 'B', 'C'].map((title) => ({
      'LibraryTask.priority': '1',
      'LibraryTask.title': title,
      [`LibraryTask.${measure}`]: '5',
    }));
    const dimensions = ['LibraryTask.priority', 'LibraryTask.title'];
    expect(placesOf(draw('stacked_bar', { dimensions, measures: [`LibraryTask.${measure}`] }, rows))).toBe(places);
  });
});

describe('Columns for a chart', () => {
  const query: ReportQuery = {
    ...QUERY,
    dimensions: ['LibraryTask.title'],
    timeDimensions: [{ dimension: 'LibraryTask.created', granularity: 'year' }],
  };
  const row = {
    'LibraryTask.title': 'A',
    'LibraryTask.created.year': '2026-01-01T00:00:00.000',
    'LibraryTask.count': '3',
  };

  it.each([[[]], [['LibraryTask.created']], [['LibraryTask.count', 'LibraryTask.created.year']]])(
    'have the same order in a table as in an exported file, with %j as the requested order',
    (columnOrder) => {
      const input = { title: 'A table', query, rows: [row], truncated: false, columnOrder };
      const { columns } = sheetOf({ queries: [query] }, [], columnOrder);
      expect(columnsFor(input).map(({ name }) => name)).toEqual(columns.map(({ name }) => name));
    },
  );

  it('are times if the query has a time dimension', () => {
    expect(draw('stacked_bar', query, [row])).toContain('>2026</text>');
  });
});

describe('A pie chart', () => {
  it('has a slice for every combination of dimensions', () => {
    const rows = [
      ['1', 'A', 3],
      ['1', 'B', 1],
      ['2', 'B', 4],
    ].map(([priority, title, count]) => ({
      'LibraryTask.priority': String(priority),
      'LibraryTask.title': String(title),
      'LibraryTask.count': String(count),
    }));
    const svg = draw('pie', { dimensions: ['LibraryTask.priority', 'LibraryTask.title'] }, rows);
    for (const label of ['1 · A: 3, 38 %', '1 · B: 1, 13 %', '2 · B: 4, 50 %']) expect(svg).toContain(label);
  });
});

describe('A status in a chart', () => {
  const rows = ['Pass', 'Fail', 'Other'].map((status) => ({
    'Task.verificationStatus': status,
    'Task.count': '2',
  }));
  const query = { dimensions: ['Task.verificationStatus'], measures: ['Task.count'] };
  const { good, bad } = THEMES.light.statuses;

  it('has its own colour: green for pass, red for fail', () => {
    const svg = draw('pie', query, rows);
    for (const colour of [good, bad]) expect(svg).toContain(`fill="${colour}"`);
    const series = draw('horizontal_bar', { ...query, dimensions: ['Task.phase', 'Task.verificationStatus'] }, rows);
    for (const colour of [good, bad]) expect(series).toContain(`fill="${colour}"`);
  });

  /** Machado, Oliveira and Fernandes, 2009: how colours look without red, or without green, receptors. */
  const SIMULATIONS = {
    protanopia: [
      [0.152286, 1.052583, -0.204868],
      [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
    deuteranopia: [
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ],
  };

  it.each(
    Object.entries(SIMULATIONS).flatMap(([name, matrix]) =>
      Object.entries(THEMES).map(([theme, { statuses }]) => [name, theme, matrix, Object.values(statuses)] as const),
    ),
  )('differs enough in colour from the others for people with %s (%s theme)', (_name, _theme, matrix, colours) => {
    const seen = colours.map((colour) => {
      const channels = [1, 3, 5].map((offset) => Number.parseInt(colour.slice(offset, offset + 2), 16));
      return matrix.map((row) => row.reduce((sum, factor, channel) => sum + factor * (channels[channel] ?? 0), 0));
    });
    for (const [index, one] of seen.entries())
      for (const other of seen.slice(index + 1))
        expect(Math.hypot(...one.map((value, channel) => value - (other[channel] ?? 0)))).toBeGreaterThan(50);
  });

  it('is also the colour of a measure that counts the countermeasures of that status', () => {
    const { statuses } = THEMES.light;
    expect(statusColour(THEMES.light, 'Complete countermeasures')).toBe(statuses.good);
    expect(statusColour(THEMES.light, 'Not applicable countermeasures')).toBe(statuses.none);
  });

  it('is not recognized in a name that only contains the word', () => {
    expect(statusColour(THEMES.light, 'Passport control')).toBeUndefined();
  });
});

describe('Chart labels', () => {
  it('are words: dimensions without "name", and activity types as phrases', () => {
    const titles = columnsFor({
      title: '',
      query: { ...QUERY, dimensions: ['BusinessUnit.name', 'LibraryTask.priority', 'LibraryTask.id'] },
      rows: [],
      truncated: false,
    }).map(({ title }) => title);
    expect(titles).toEqual([
      'Business unit',
      'Library countermeasure priority',
      'Library countermeasure id',
      'Library countermeasures',
    ]);
    const rows = [{ 'Activity.name': 'CreatedBusinessUnitActivity', 'Activity.count': '1' }];
    expect(draw('pie', { dimensions: ['Activity.name'], measures: ['Activity.count'] }, rows)).toContain(
      'Created business unit: 1',
    );
  });

  it('use the terms of the field for activities, and words for a missing value and for a limit', () => {
    const query = { dimensions: ['Activity.name'], measures: ['Activity.count'] };
    const rows = ['CreatedStandardActivity', 'AddedReusableComponentToProjectActivity', null].map((name) => ({
      'Activity.name': name,
      'Activity.count': '1',
    }));
    const svg = drawChart('pie', { title: 'Changes', query: { ...QUERY, ...query }, rows, truncated: true }, 'light');
    for (const text of ['Created countermeasure: 1', 'Added component to project: 1', 'No value: 1'])
      expect(svg).toContain(text);
    expect(svg).toContain('Only the first 3 rows of the report');
  });

  it('are complete below five columns, and at an angle below many', () => {
    const title = 'Validate input at the trust boundary';
    const columns = (count: number): string =>
      draw(
        'stacked_bar',
        { dimensions: ['LibraryTask.title'] },
        Array.from({ length: count }, (_, n) => ({
          'LibraryTask.title': `${title} ${n}`,
          'LibraryTask.count': '1',
        })),
      );
    expect(columns(5)).not.toContain('…');
    expect(columns(5)).not.toContain('rotate');
    expect(columns(20)).toMatch(/matrix\(0\.8\d+,-0\.5\d+/);
  });

  it('do not name the axes of an empty chart', () => {
    const query = { timeDimensions: [{ dimension: 'LibraryTask.created', granularity: 'day' as const }] };
    const svg = draw('line', query, []);
    expect(svg).toContain('Nothing to show');
    expect(svg).not.toContain('>Library countermeasures</text>');
  });

  const coverage = (...titles: string[]): string =>
    draw(
      'horizontal_bar',
      { dimensions: ['Regulation.title'], measures: ['LibraryTask.count'] },
      titles.map((title, index) => ({ 'Regulation.title': title, 'LibraryTask.count': String(index + 3) })),
    );
  const labelsOf = (svg: string): string[] =>
    [...svg.matchAll(/<text [^>]*>([^<]+)<\/text>/g)].map(([, text = '']) => text);
  const barsOf = (svg: string): number => svg.match(/ ecmeta_ssr_type="chart"/g)?.length ?? 0;

  it('are shortened if they are long', () => {
    const labels = labelsOf(
      coverage('A regulation of the security of products with digital elements and of their remote services', 'Short'),
    );
    expect(labels).toContain('A regulation of the security of products with digital eleme…');
    expect(labels).toContain('Short');
  });

  it('distinguish two versions of a framework, each with its own bar, even if the name is long', () => {
    const short = coverage('OWASP ASVS 4.0.3', 'OWASP ASVS 5.0.0');
    expect(barsOf(short)).toBe(2);
    expect(labelsOf(short)).toEqual(expect.arrayContaining(['OWASP ASVS 4.0.3', 'OWASP ASVS 5.0.0']));
    const name = 'Payment Card Industry Data Security Standard for merchants and service providers';
    const long = coverage(`${name} 3.2.1`, `${name} 4.0.1`);
    expect(barsOf(long)).toBe(2);
    expect(labelsOf(long)).toEqual(
      expect.arrayContaining([
        'Payment Card Industry Data Security Standard fo…viders 3.2.1',
        'Payment Card Industry Data Security Standard fo…viders 4.0.1',
      ]),
    );
  });
});

describe('A chart for a page', () => {
  const KINDS: Chart[] = ['table', 'pie', 'number', 'stacked_bar', 'horizontal_bar', 'line'];
  const rows = Array.from({ length: 60 }, (_, n) => ({
    'LibraryTask.title': `A title that is long enough to be shortened ${n}`,
    'LibraryTask.count': String(n),
  }));
  const input: ChartInput = {
    title: 'A chart <b>',
    query: { ...QUERY, dimensions: ['LibraryTask.title'] },
    rows,
    truncated: false,
  };

  it.each(KINDS)('of small size is a %s without title and background, which says what it leaves out', (kind) => {
    const svg = drawChart(kind, input, 'dark', 'small');
    expect(svg).toMatch(/^<svg[^>]* width="480" height="270"/);
    expect(svg.split('A chart &#60;b&#62;')).toHaveLength(2); // only in the text alternative
    expect(svg).not.toContain(THEMES.dark.background);
    if (kind !== 'pie' && kind !== 'number' && kind !== 'line') expect(svg).toMatch(/5[0-4] (more|further)/);
  });

  it.each(KINDS)('of medium size is a %s with all items of a large one', (kind) => {
    const svg = drawChart(kind, input, 'dark', 'medium');
    expect(svg).toMatch(/^<svg[^>]* width="960"/);
    expect(svg.split('A chart &#60;b&#62;')).toHaveLength(2);
    const omitted = (text: string) => /\d+ (?:more|further)/.exec(text)?.[0];
    expect(omitted(svg)).toBe(omitted(drawChart(kind, input, 'dark', 'large')));
  });

  it.each(KINDS)('of any size is the same text for the same %s, without styles for a pointer', (kind) => {
    const svg = drawChart(kind, input, 'light', 'small');
    expect(drawChart(kind, input, 'light', 'small')).toBe(svg);
    expect(svg).not.toMatch(/<style|class=|cursor/);
  });
});
