import { stringify } from 'yaml';

/**
 * Renders the few kinds of Helm templates that the chart of Merlon uses, because npm has no Helm. It rejects everything
 * else, and values that do not exist, so that the chart cannot grow beyond what the tests render.
 */
export function renderTemplate(template: string, values: object): string {
  const lines: string[] = [];
  let included: boolean | undefined;
  for (const line of template.split('\n')) {
    const condition = /^\{\{- if (\.[\w.]+) \}\}$/.exec(line)?.[1];
    if (condition !== undefined) {
      if (included !== undefined) throw new Error(`Conditions may not be nested: ${line}`);
      included = valueAt(values, condition) === true;
    } else if (line === '{{- end }}') {
      if (included === undefined) throw new Error('There is no condition to end.');
      included = undefined;
    } else if (included ?? true) lines.push(renderLine(line, values));
  }
  if (included !== undefined) throw new Error('A condition does not end.');
  return lines.join('\n');
}

function renderLine(line: string, values: object): string {
  const rendered = line.replace(/\{\{ (.*?) \}\}/g, (_action, pipeline: string) => evaluate(pipeline, values));
  if (line.replace(/\{\{ .*? \}\}/g, '').includes('{{')) throw new Error(`This template is not understood: ${line}`);
  return rendered;
}

function evaluate(pipeline: string, values: object): string {
  const [first = '', ...filters] = pipeline.split(' | ');
  let text = start(first, values);
  for (const filter of filters) {
    const indent = /^indent (\d+)$/.exec(filter)?.[1];
    const fallback = /^default (\.[\w.]+)$/.exec(filter)?.[1];
    if (filter === 'quote') text = JSON.stringify(text);
    else if (indent !== undefined) text = text.replace(/^/gm, ' '.repeat(Number(indent)));
    else if (fallback !== undefined) text = text === '' ? scalar(valueAt(values, fallback), fallback) : text;
    else throw new Error(`This filter is not understood: ${filter}`);
  }
  return text;
}

function start(expression: string, values: object): string {
  const yaml = /^toYaml (\.[\w.]+)$/.exec(expression)?.[1];
  if (yaml !== undefined) return stringify(valueAt(values, yaml)).trimEnd();
  const [, format, argument] = /^printf "([^"%]*%s[^"%]*)" (\.[\w.]+)$/.exec(expression) ?? [];
  if (format !== undefined && argument !== undefined)
    return format.replace('%s', () => scalar(valueAt(values, argument), argument));
  if (!/^\.[\w.]+$/.test(expression)) throw new Error(`This expression is not understood: ${expression}`);
  return scalar(valueAt(values, expression), expression);
}

function valueAt(values: object, path: string): unknown {
  let value: unknown = values;
  for (const name of path.slice(1).split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      throw new Error(`There is no value ${path}.`);
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function scalar(value: unknown, path: string): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`${path} is not a text or a number.`);
  return String(value);
}
