import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { releaseVersion } from '#platform/version.js';
import { useTestApi } from '../support/api.js';
import { waitForExport, makeExport } from '../support/exports.js';
import { collectGarbage } from '../support/garbage.js';
import { freePort } from '../support/free-port.js';
import { startTestWorker, temporaryFolder } from '../support/worker.js';

const root = path.resolve(import.meta.dirname, '../..');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly targets?: { readonly expr: string }[];
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

const { groups } = parse(await readFile(path.join(root, 'docker/prometheus/alerts.yaml'), 'utf8')) as {
  groups: { rules: Rule[] }[];
};
const scrape = parse(await readFile(path.join(root, 'docker/prometheus/prometheus.yaml'), 'utf8')) as {
  rule_files: string[];
  scrape_configs: { job_name: string }[];
};
const dashboard = JSON.parse(await readFile(path.join(root, 'docker/grafana/merlon.json'), 'utf8')) as {
  panels: Panel[];
};
const rules = groups.flatMap((group) => group.rules);
const expressions = [
  ...rules.map(({ alert, expr }) => ({ of: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: title, expr }))),
];

/** Words of the query language that stand where a name could. */
const WORDS = new Set(['by', 'on', 'or', 'and', 'unless', 'without', 'ignoring', 'bool', 'offset', 'group_left']);

/** Prometheus makes it of every scrape. */
const OF_PROMETHEUS = ['up'];

/** The metrics that an expression asks for, each with the labels that it names there. */
function metricsIn(expression: string): { name: string; labels: [label: string, operator: string, value: string][] }[] {
  const metrics: { name: string; labels: [string, string, string][] }[] = [];
  const bare = expression.replace(/\bby \([^)]*\)/g, ' ').replace(/\[[^\]]*\]/g, ' ');
  for (const [, name = '', selector = ''] of bare.matchAll(/([a-zA-Z_:][\w:]*)(?!\w*\s*\()(\{[^}]*\})?/g)) {
    if (WORDS.has(name) || !(name.includes('_') || OF_PROMETHEUS.includes(name))) continue;
    const labels = [...selector.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']): [string, string, string] => [label, operator, value],
    );
    metrics.push({ name, labels });
  }
  return metrics;
}

/** Labels by which an expression groups. */
const groupings = (expression: string): string[] =>
  [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );

describe('Alerts and dashboard', () => {
  const test = useTestApi();
  let exposed: { job: string; text: string }[];

  beforeAll(async () => {
    const folder = await temporaryFolder();
    const port = await freePort();
    const worker = await startTestWorker({
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      WORKER_PORT: String(port),
    });
    try {
      const { id } = await makeExport(test.api);
      await waitForExport(test.api, id, ['success', 'fail']);
      collectGarbage(); // which is told of once it has happened
      await fetch(`${test.origin}/readyz`);
      exposed = [
        { job: 'merlon-api', text: await (await fetch(`${test.origin}/metrics`)).text() },
        { job: 'merlon-worker', text: await (await fetch(`http://127.0.0.1:${port}/metrics`)).text() },
      ];
    } finally {
      await worker.stop();
      await folder.remove();
    }
  });

  /** Lines of samples with this name, of the services that `job` may mean. */
  const samples = (name: string, job?: [operator: string, value: string]): string[] =>
    exposed
      .filter(
        (service) => !job || (job[0] === '=' ? service.job === job[1] : new RegExp(`^(${job[1]})$`).test(service.job)),
      )
      .flatMap(({ text }) => text.split('\n').filter((line) => line.split(/[{ ]/)[0] === name));

  it.each(expressions)('query only metrics and labels that the services export: $of', ({ expr }) => {
    const metrics = metricsIn(expr);
    expect(metrics).not.toEqual([]);
    for (const { name, labels } of metrics) {
      const [, operator = '', value = ''] = labels.find(([label]) => label === 'job') ?? [];
      if (operator === '=') expect(scrape.scrape_configs.map(({ job_name }) => job_name)).toContain(value);
      if (OF_PROMETHEUS.includes(name)) continue;
      const lines = samples(name, operator === '' ? undefined : [operator, value]);
      expect([name, lines.length]).not.toEqual([name, 0]);
      for (const [label, , expected] of labels) {
        if (label === 'job') continue;
        expect([name, label, lines.some((line) => line.includes(`${label}="`))]).toEqual([name, label, true]);
        if (/^[\w./-]+$/.test(expected) && ['route', 'schedule'].includes(label))
          expect([name, expected, lines.some((line) => line.includes(`${label}="${expected}"`))]).toEqual([
            name,
            expected,
            true,
          ]);
      }
    }
  });

  it('group only by existing labels', () => {
    const ofScrapes = ['instance', 'job', 'le', 'exported_job'];
    for (const { of, expr } of expressions)
      for (const label of groupings(expr)) {
        const there = metricsIn(expr).some(({ name }) => samples(name).some((line) => line.includes(`${label}="`)));
        expect([of, label, there || ofScrapes.includes(label)]).toEqual([of, label, true]);
      }
  });

  it('rely on metrics of jobs and requests that the services export', () => {
    expect(samples('merlon_jobs_total').join('\n')).toMatch(/\{job="export\.run",outcome="success"\} 1/);
    expect(samples('merlon_http_request_duration_seconds_count').join('\n')).toMatch(/route="\/readyz",status="200"/);
  });

  it('show the version that each service runs', () => {
    expect(samples('merlon_build_info')).toEqual(
      Array(2).fill(`merlon_build_info{version="${releaseVersion()}",commit="unknown"} 1`),
    );
  });

  it('have unique alert names, a severity and a summary', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations } of rules) {
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
    }
    expect(scrape.rule_files).toEqual(['alerts.yaml']);
  });

  it('name a section of the monitoring guide that says how to react', async () => {
    for (const { alert, annotations } of rules) {
      const [file = '', anchor] = annotations.runbook_url.split('#');
      const guide = await readFile(path.join(root, file), 'utf8');
      const headings = [...guide.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
      expect([alert, anchor, headings.includes(anchor ?? '')]).toEqual([alert, alert.toLowerCase(), true]);
    }
  });

  it('contain panels that do not overlap', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const [index, { title, gridPos: a }] of panels.entries()) {
      expect([title, a.x + a.w <= 24]).toEqual([title, true]);
      for (const { gridPos: b } of panels.slice(index + 1))
        expect([title, a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h]).toEqual([
          title,
          false,
        ]);
    }
  });
});
