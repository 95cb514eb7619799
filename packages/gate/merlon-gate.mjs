#!/usr/bin/env node
/**
 * Asks Merlon whether a project may be released, and ends with an exit status that a pipeline understands. This is one
 * file without dependencies, so that pipelines can run a copy of it. `docs/integrate/ci.md` describes it.
 */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const EXIT = { passed: 0, not_passed: 1, error: 2, nothing_to_evaluate: 3 };

/** The options with their placeholder and description. `MERLON_MIN_PRIORITY` is the same as `--min-priority`. */
const OPTIONS = /** @type {const} */ ({
  url: ['URL', 'the address of Merlon, such as https://merlon.example.com'],
  project: ['ID', 'the number of the project'],
  policy: ['ID', "apply this risk policy instead of the project's"],
  'min-priority': ['N', "look at this priority and above, whatever the policy's filter"],
  phase: ['IDS', "look at these phases, such as X3,X4, whatever the policy's filter"],
  report: ['FILE', 'first upload this SARIF log or JUnit report; needs a token that may change the project'],
  system: ['NAME', 'the tool that wrote the report; its results replace earlier ones of the same tool'],
  format: ['FORMAT', 'text (the default), json, junit or sarif'],
  output: ['FILE', 'write the result to this file; standard output then gets the text'],
  summary: ['FILE', 'append a summary in Markdown to this file, such as $GITHUB_STEP_SUMMARY'],
  timeout: ['SECONDS', 'give up after this time (120)'],
});

/** @typedef {keyof typeof OPTIONS} Option */
/** @typedef {Partial<Record<Option, string>>} Options */
/** @typedef {{id: string, title: string, priority: number, status: string, url: string}} Countermeasure */
/** @typedef {{rule: string, message: string, countermeasures: Countermeasure[]}} FailedRule */
/** @typedef {{relevant: number, complete: number, not_applicable: number, open: number}} Counts */
/**
 * @typedef {{passed: boolean, policy: {id: number, name: string} | null, failed: FailedRule[], counts: Counts,
 *   nothing_to_evaluate: {reason: string, message: string} | null}} Gate
 */
/** @typedef {{tasks: object[], warnings: string[]}} Upload */
/**
 * @typedef {{outcome: Exclude<keyof typeof EXIT, 'error'>, message: string, project: number, url: string,
 *   gate: Gate | null, upload: Upload | null}} Result
 */

const MAX_LISTED = 50;
const STATUS_NAMES = /** @type {Record<string, string>} */ ({ TS1: 'complete', TS2: 'open', TS3: 'not applicable' });

const environmentName = (/** @type {string} */ option) => `MERLON_${option.toUpperCase().replaceAll('-', '_')}`;

const usage = () => `Usage: merlon-gate --url URL --project ID [options]

The environment variable MERLON_TOKEN is the API token. Each option can also be an environment variable (MERLON_URL, …).

${Object.entries(OPTIONS)
  .map(([name, [value, description]]) => `  ${`--${name} ${value}`.padEnd(18)} ${description}`)
  .join('\n')}

Exit status: 0 passed, 1 not passed, 2 error, 3 nothing to evaluate.
`;

/** @returns {Options | null} null if the user asks for help */
function readOptions() {
  const names = /** @type {Option[]} */ (Object.keys(OPTIONS));
  const known = Object.fromEntries(names.map((name) => [name, { type: /** @type {const} */ ('string') }]));
  /** @type {{values: Record<string, string | boolean | undefined>}} */
  const { values } = parseArgs({ options: { ...known, help: { type: 'boolean', short: 'h' } } });
  if (values['help']) return null;
  const valueOf = (/** @type {Option} */ name) =>
    String(values[name] ?? process.env[environmentName(name)] ?? '').trim();
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]).filter(([, value]) => value !== ''));
}

/** @param {Options} options */
function settingsOf({ url = '', project = '', report, system, format = 'text', timeout = '120', ...options }) {
  const missing = Object.entries({ url, project }).find(([, value]) => value === '')?.[0];
  if (missing) throw new Error(`Set --${missing} or ${environmentName(missing)}; --help lists the options.`);
  const token = process.env['MERLON_TOKEN']?.trim() ?? '';
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('Set the environment variable MERLON_TOKEN to an API token.');
  const origin = URL.canParse(url) ? new URL(url) : null;
  if (!origin || !/^https?:$/.test(origin.protocol) || origin.username || origin.password || origin.search)
    throw new Error('--url must be an address such as https://merlon.example.com, without credentials.');
  if (!/^[1-9]\d{0,14}$/.test(project)) throw new Error('--project must be the number of a project.');
  if (!Object.hasOwn(FORMATS, format)) throw new Error(`--format must be one of ${Object.keys(FORMATS).join(', ')}.`);
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= 3600)) throw new Error('--timeout must be a number of seconds, at most 3600.');
  if ((report === undefined) !== (system === undefined)) throw new Error('--report and --system belong together.');
  const base = origin.href.replace(/\/$/, '');
  const formatter = FORMATS[/** @type {keyof typeof FORMATS} */ (format)];
  return { base, token, project: Number(project), report, system, formatter, seconds, ...options };
}

/** How long to wait before the next attempt, in milliseconds: as the service asks, else longer each time. */
function delayOf(/** @type {Response} */ response, /** @type {number} */ attempt) {
  const header = response.headers.get('retry-after') ?? '';
  const asked = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(asked) ? 1000 * 2 ** attempt : Math.max(500, asked);
}

/**
 * Sends a request, again while the service is busy, until the time is over.
 *
 * @param {{base: string, token: string, seconds: number, deadline: number}} service
 * @param {string} address below `/api/v2/`
 * @param {RequestInit} [init]
 */
async function send({ base, token, seconds, deadline }, address, init) {
  for (let attempt = 0; ; attempt += 1) {
    const tooLate = new Error(`Merlon did not answer within ${seconds} seconds.`);
    const left = deadline - Date.now();
    if (left <= 0) throw tooLate;
    // A redirect could send the token to another address.
    const response = await fetch(`${base}/api/v2/${address}`, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(left),
      headers: { Accept: 'application/json', Authorization: `Bearer ${token}`, 'User-Agent': 'merlon-gate' },
    }).catch((/** @type {Error} */ error) => {
      throw error.name === 'TimeoutError' ? tooLate : new Error(`${base} can't be reached: ${messageOf(error)}`);
    });
    if (response.status !== 429 && response.status !== 503) return response;
    await response.body?.cancel();
    const delay = delayOf(response, attempt);
    if (delay >= deadline - Date.now())
      throw new Error(`Merlon is busy (${response.status}), and did not answer within ${seconds} seconds.`);
    await sleep(delay);
  }
}

/** The body of a response with this status; anything else is an error that shows what the service reported. */
async function bodyOf(/** @type {Response} */ response, /** @type {number} */ status, /** @type {string} */ action) {
  const text = await response.text();
  const body = /** @type {unknown} */ (isJson(response) ? JSON.parse(text) : undefined);
  if (response.status === status && body !== undefined) return body;
  const location = response.headers.get('location');
  const reason =
    body === undefined ? `is --url right?${location ? ` It redirects to ${location}.` : ''}` : JSON.stringify(body);
  throw new Error(`Merlon could not ${action}: ${response.status}, ${reason}`);
}

const isJson = (/** @type {Response} */ response) =>
  /^application\/json\b/.test(response.headers.get('content-type') ?? '');

/** @typedef {ReturnType<typeof settingsOf> & {deadline: number}} Service */

/** Uploads a report. */
async function upload(/** @type {Service} */ service, /** @type {string} */ report) {
  const file = await readFile(report).catch(() => {
    throw new Error(`The report ${report} can't be read.`);
  });
  const body = new FormData();
  body.set('project', String(service.project));
  body.set('system', service.system ?? '');
  body.set('report_file', new Blob([file]), path.basename(report));
  const response = await send(service, 'jobs/analysis-file/', { method: 'POST', body });
  return /** @type {Upload} */ (await bodyOf(response, 201, 'take the report'));
}

/** The gate of the project; null if the token sees no such project. */
async function gateOf(/** @type {Service} */ service) {
  const { policy = '', phase = '', 'min-priority': lowest = '' } = service;
  const parameters = Object.entries({ policy, min_priority: lowest, phase__in: phase });
  const query = new URLSearchParams(parameters.filter(([, value]) => value !== ''));
  const response = await send(service, `projects/${service.project}/gate/?${query.toString()}`);
  // The 404 of another service is a page.
  if (response.status === 404 && isJson(response)) return null;
  return /** @type {Gate} */ (await bodyOf(response, 200, 'evaluate the gate'));
}

/**
 * Evaluates the gate, after the upload of a report if there is one.
 *
 * @param {ReturnType<typeof settingsOf>} settings
 * @returns {Promise<Result>}
 */
async function evaluate(settings) {
  const { project, base: url, report } = settings;
  const service = { ...settings, deadline: Date.now() + settings.seconds * 1000 };
  const before = await gateOf(service);
  if (!before) {
    const message = `Project ${project} does not exist, or the token does not give access to it.`;
    return { outcome: 'nothing_to_evaluate', message, project, url, gate: null, upload: null };
  }
  const uploaded = report === undefined ? null : await upload(service, report);
  const gate = (uploaded && (await gateOf(service))) ?? before;
  return { ...outcomeOf(gate), project, url, gate, upload: uploaded };
}

/** @returns {Pick<Result, 'outcome' | 'message'>} not passed if nothing was evaluated, whatever is open */
function outcomeOf(/** @type {Gate} */ { passed, policy, failed, nothing_to_evaluate: nothing }) {
  if (nothing) return { outcome: 'nothing_to_evaluate', message: nothing.message };
  if (passed) return { outcome: 'passed', message: `The project meets the risk policy "${policy?.name}".` };
  return { outcome: 'not_passed', message: failed.map(({ message }) => message).join(' ') };
}

// Texts of results were written by people: none may end a line, or mean something in the format that contains it.
const oneLine = (/** @type {string} */ text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').toWellFormed();
const escapeXml = (/** @type {string} */ text) =>
  oneLine(text).replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
const escapeMarkdown = (/** @type {string} */ text) => oneLine(text).replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

const TITLES = { passed: 'Passed', not_passed: 'Not passed', nothing_to_evaluate: 'Nothing to evaluate' };
const headingOf = (/** @type {Result} */ { outcome, project }) => `${TITLES[outcome]}: project ${project}`;
const describe = (/** @type {Countermeasure} */ { id, priority, status, title }) =>
  `${id} (priority ${priority}, ${STATUS_NAMES[status] ?? status}): ${title}`;
const pathOf = (/** @type {Countermeasure} */ { url }) => url.replace(/^\/|\/$/g, '');

const countermeasures = (/** @type {number | undefined} */ count) =>
  count === 1 ? '1 countermeasure' : `${count} countermeasures`;

/** What was counted and uploaded, in sentences. */
function detailsOf(/** @type {Result} */ { gate, upload }) {
  const { relevant, complete, not_applicable: others, open } = gate?.counts ?? {};
  const counted = `${countermeasures(relevant)}: ${complete} complete, ${others} not applicable, ${open} open.`;
  const verified = `The report verified ${countermeasures(upload?.tasks.length)}.`;
  return [...(gate ? [counted] : []), ...(upload ? [verified, ...upload.warnings] : [])];
}

/** The countermeasures that failed, as lines of a list. */
function linesOf(/** @type {Result} */ { gate }, /** @type {(item: Countermeasure) => string} */ show) {
  const all = gate?.failed.flatMap(({ countermeasures }) => countermeasures) ?? [];
  const lines = all.slice(0, MAX_LISTED).map((item) => `- ${show(item)}`);
  return all.length > MAX_LISTED ? [...lines, `- … and ${all.length - MAX_LISTED} more`] : lines;
}

function asText(/** @type {Result} */ result) {
  const lines = [headingOf(result), result.message, ...detailsOf(result), ...linesOf(result, describe)];
  return `${lines.map(oneLine).join('\n')}\n`;
}

function asMarkdown(/** @type {Result} */ result) {
  const link = (/** @type {Countermeasure} */ item) =>
    `[${escapeMarkdown(describe(item))}](<${encodeURI(`${result.url}/${pathOf(item)}`)}>)`;
  const paragraphs = [result.message, ...detailsOf(result)].map(escapeMarkdown);
  return `${[`## Merlon: ${headingOf(result)}`, ...paragraphs, linesOf(result, link).join('\n')].join('\n\n').trim()}\n`;
}

const asJson = (/** @type {Result} */ result) =>
  `${JSON.stringify({ exit_status: EXIT[result.outcome], ...result }, null, 2)}\n`;

/** What is in the way, one by one: each failing countermeasure, and rules that fail without one. */
function findingsOf(/** @type {Result} */ { outcome, message, project, gate }) {
  const path = `projects/${project}`;
  if (outcome === 'nothing_to_evaluate') return [{ rule: 'nothing-to-evaluate', text: message, path }];
  return (gate?.failed ?? []).flatMap(({ rule, message: text, countermeasures }) =>
    countermeasures.length
      ? countermeasures.map((item) => ({ rule, text: describe(item), path: pathOf(item) }))
      : [{ rule, text, path }],
  );
}

function asJunit(/** @type {Result} */ result) {
  const cases = findingsOf(result).map(({ rule, text }) => [
    `<testcase classname="merlon.${escapeXml(rule)}" name="${escapeXml(text)}">`,
    `<failure message="${escapeXml(result.message)}"/></testcase>`,
  ]);
  const passed = `<testcase classname="merlon.gate" name="${escapeXml(result.message)}"/>`;
  const counts = `tests="${cases.length || 1}" failures="${cases.length}" errors="0" skipped="0"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="Merlon gate: project ${result.project}" ${counts}>
${cases.map((parts) => parts.join('')).join('\n') || passed}
</testsuite>
</testsuites>
`;
}

function asSarif(/** @type {Result} */ result) {
  const rules = Object.entries({
    survey: 'The survey of the project is complete',
    countermeasures: 'The countermeasures of the project meet its risk policy',
    'nothing-to-evaluate': 'There is something to evaluate',
  }).map(([id, text]) => ({ id, shortDescription: { text } }));
  const results = findingsOf(result).map(({ rule, text, path: uri }) => ({
    ruleId: rule,
    level: 'error',
    message: { text: oneLine(text) },
    locations: [{ physicalLocation: { artifactLocation: { uri, uriBaseId: 'MERLON' }, region: { startLine: 1 } } }],
    partialFingerprints: { merlonGate: `${rule}:${uri}` },
  }));
  const tool = { driver: { name: 'merlon-gate', informationUri: result.url, rules } };
  const runs = [{ tool, originalUriBaseIds: { MERLON: { uri: `${result.url}/` } }, results }];
  return `${JSON.stringify({ version: '2.1.0', runs }, null, 2)}\n`;
}

const FORMATS = { text: asText, json: asJson, junit: asJunit, sarif: asSarif };

/** @returns {string} */
const messageOf = (/** @type {unknown} */ error) => {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error && cause.message ? `${message} (${cause.message})` : message;
};

/** Writes without the token, and without what GitHub would take for a command. */
function print(/** @type {NodeJS.WriteStream} */ stream, /** @type {string} */ text) {
  const token = process.env['MERLON_TOKEN']?.trim();
  stream.write((token ? text.replaceAll(token, '********') : text).replaceAll('##[', '## ['));
}

/** @returns {Promise<number>} the exit status */
async function main() {
  const options = readOptions();
  if (!options) {
    print(process.stdout, usage());
    return EXIT.passed;
  }
  const settings = settingsOf(options);
  const result = await evaluate(settings);
  const { output, summary, formatter } = settings;
  if (summary !== undefined) await appendFile(summary, asMarkdown(result));
  if (output !== undefined) await writeFile(output, formatter(result));
  print(process.stdout, output === undefined ? formatter(result) : asText(result));
  return EXIT[result.outcome];
}

process.exitCode = await main().catch((/** @type {unknown} */ error) => {
  print(process.stderr, `merlon-gate: ${messageOf(error)}\n`);
  return EXIT.error;
});
