import { setImmediate } from 'node:timers/promises';
import { MarkdownThreads } from './markdown-threads.js';
import { NOTICE } from './plain-text.js';

/** Takes half a second or more: emphasis is nested 20 levels deep and never closed. */
const SLOW = '*a '.repeat(165_000);
const ORGANIZATION = 1;

const warnings: string[] = [];
const opened: MarkdownThreads[] = [];
const openThreads = (options: { checkSeconds?: number; memoryMebibytes?: number } = {}): MarkdownThreads => {
  const threads = new MarkdownThreads({ imageHosts: [], warn: (message) => warnings.push(message), ...options });
  opened.push(threads);
  return threads;
};
const isPlain = (html: string): boolean => html.includes(NOTICE);

beforeEach(() => warnings.splice(0));
afterAll(() => Promise.all(opened.map((threads) => threads.onApplicationShutdown())));

describe('Markdown that is rendered in a thread', () => {
  it('is returned in the order of the texts, whatever their number and length', async () => {
    const texts = Array.from({ length: 300 }, (_, n) => `${n} ${'word '.repeat(n)}`);
    const html = await openThreads().render(['', ...texts], ORGANIZATION);
    expect(html).toEqual(['', ...texts.map((text) => `<p>${text.trim()}</p>\n`)]);
    expect(await openThreads().render([], ORGANIZATION)).toEqual([]);
  });

  it('leaves the event loop to others while it takes long', async () => {
    // This thread never rests meanwhile, so that the other one may get little time on a busy machine.
    const threads = openThreads({ checkSeconds: 30 });
    await threads.render(['start the thread'], ORGANIZATION);
    const progress = { isDone: false };
    const rendering = threads.render([SLOW, SLOW], ORGANIZATION).finally(() => (progress.isDone = true));
    let turns = 0;
    while (!progress.isDone) {
      await setImmediate();
      turns += 1;
    }
    expect((await rendering).map(isPlain)).toEqual([false, false]);
    // Rendering both in this thread would leave one turn before and one after each.
    expect(turns).toBeGreaterThan(100);
  });

  it.each([
    ['time', { checkSeconds: 0.1 }, /aborted/],
    ['memory', { memoryMebibytes: 24 }, /memory limit/],
  ])('is plain text if it takes too much %s, and other texts are rendered', async (_what, options, reason) => {
    const html = await openThreads(options).render(['*a*', `${SLOW}<b>`, '*b*'], ORGANIZATION);
    expect(html.map(isPlain)).toEqual([false, true, false]);
    expect(html[0]).toBe('<p><em>a</em></p>\n');
    expect(html[1]?.slice(-20)).toMatch(/&#60;b&#62;<\/pre>\n$/);
    expect(html[2]).toBe('<p><em>b</em></p>\n');
    expect(warnings).toEqual([expect.stringMatching(reason)]);
  });

  it('is no longer tried after three failures of one request', async () => {
    const html = await openThreads({ checkSeconds: 0.05 }).render(Array<string>(9).fill(SLOW), ORGANIZATION);
    expect(html.every(isPlain)).toBe(true);
    expect(warnings).toHaveLength(3);
  });

  it('does not wait for another organization, which renders for long', async () => {
    const threads = openThreads();
    await Promise.all([threads.render(['a'], 1), threads.render(['a'], 2)]);
    const order: string[] = [];
    const long = [1, 2].map(() => threads.render([SLOW, SLOW], 1).then(() => order.push('long')));
    await threads.render(['short'], 2).then(() => order.push('short'));
    await Promise.all(long);
    expect(order).toEqual(['short', 'long', 'long']);
  });

  it('is bounded for all texts of a request together', async () => {
    // Each of them becomes six times as long.
    const html = await openThreads().render(Array<string>(100).fill(`[a](<${'ü'.repeat(330)}>)`.repeat(150)), 1);
    expect(isPlain(html[0] ?? '')).toBe(false);
    expect(isPlain(html.at(-1) ?? '')).toBe(true);
    expect(html.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(2 ** 25);
  });

  it('has no threads left after a shutdown, during which it is plain text', async () => {
    const threads = openThreads();
    await threads.render(['a'], ORGANIZATION);
    const interrupted = threads.render([SLOW, 'a'], ORGANIZATION);
    await threads.onApplicationShutdown();
    expect((await interrupted).map(isPlain)).toContain(true);
  });
});
