// The load of `npm run bench -- fairness`, in a separate process so that it does not delay the measuring process: one
// organization requests pages, unpaged lists, reports and exports, each as soon as the previous response has ended.
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { lowerProcessPriority } from '#platform/low-priority.js';
import { reports } from './report-scenarios.ts';

const { ORIGIN: origin = '', TOKEN: token = '' } = process.env;
const headers = { authorization: `Token ${token}`, 'content-type': 'application/json', 'accept-encoding': 'identity' };
/**
 * The pause after a 429. Clients that obey `Retry-After` would be a smaller load.
 */
const PAUSE_MILLISECONDS = 100;

lowerProcessPriority(process.pid, constants.priority.PRIORITY_LOW);
const counts = { answered: 0, throttled: 0 };

async function send(route: string, body?: object): Promise<string> {
  const answer = await fetch(`${origin}/api/v2${route}`, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  let text = '';
  // Unpaged lists are discarded while they arrive, because keeping them would cost time in this process.
  if (route === WHOLE_LIST) for await (const _ of answer.body ?? []);
  else text = await answer.text();
  if (answer.status === 429) {
    counts.throttled += 1;
    await sleep(PAUSE_MILLISECONDS);
  } else if (answer.ok) counts.answered += 1;
  else throw new Error(`${route}: ${answer.status} ${text}`);
  return text;
}

const WHOLE_LIST = '/library/tasks/?include=tags,match_conditions';
const LARGE_PAGES = '/library/tasks/?page_size=1000&ordering=-priority&include=tags,match_conditions&page=';
const SEARCH = '/library/tasks/?page_size=1000&search=abc&page=';
const EXPORT = { type: 'content', file_format: 'csv', content_models: ['standard', 'weakness'] };

const saved: string[] = [];
for (const report of reports(false)) saved.push((JSON.parse(await send('/queries/', report)) as { id: string }).id);

async function always(request: (n: number) => Promise<unknown>): Promise<never> {
  for (let n = 0; ; n += 1) await request(n);
}

/** Concurrent requests of each kind: more than an organization may have. */
const LOAD: readonly (readonly [number, (n: number) => Promise<unknown>])[] = [
  [10, (n) => send(`${LARGE_PAGES}${1 + (n % 9)}`)],
  [4, () => send(`${SEARCH}1`)],
  [6, () => send(WHOLE_LIST)],
  [6, (n) => send(`/queries/${saved[n % saved.length]}/run/`)],
  [1, () => send('/library/export/', EXPORT).then(() => sleep(1000))],
];

process.on('message', () => process.send?.(counts));
process.send?.('loading');
await Promise.all(LOAD.flatMap(([count, request]) => Array.from({ length: count }, () => always(request))));
