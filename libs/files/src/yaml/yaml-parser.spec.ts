import { monitorEventLoopDelay } from 'node:perf_hooks';
import { InvalidFiles } from '../invalid-files.js';
import { LIMITS } from '../limits.js';
import { readYaml } from './read-yaml.js';
import { YamlParser } from './yaml-parser.js';
import { yamlWriter } from './write-yaml.js';

const { signal } = new AbortController();

/**
 * Reads a file of countermeasures. Returns why it is refused, and for how many milliseconds the event loop was blocked.
 */
async function rejectionOf(text: string): Promise<{ message: string; blocked: number }> {
  async function* content() {
    yield Buffer.from(text);
  }
  const columns = ['title', 'tags'].map((name) => ({ name }));
  const file = { name: 'standard.yaml', model: 'standard', columns, content: content(), signal };
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let message = '';
  try {
    for await (const _ of readYaml(file, () => undefined));
  } catch (error) {
    if (!(error instanceof InvalidFiles)) throw error;
    ({ message } = error);
  }
  delay.disable();
  return { message, blocked: delay.max / 1e6 };
}

/** This many entries, one below the other. */
const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('');

describe('The YAML parser', () => {
  it.each([
    ['200,000 complex keys', `rows:\n- ${lines(200_000, (n) => `? [${n}]\n  : a\n  `)}`, /more than \d+ (names|keys)/],
    ['2,000 keys in a block', `rows:\n- ${lines(2000, (n) => `k${n}: a\n  `)}`, /more than 1000 keys/],
    ['2,000 keys in braces', `rows:\n- {${lines(2000, (n) => `k${n}: a, `)}}\n`, /more than 1000 keys/],
    ['2,000 keys outside the rows', `${lines(2000, (n) => `k${n}: a\n`)}rows: []\n`, /more than 1000 keys/],
    ['a million small values', `rows:\n- tags: [${'a,'.repeat(1_000_000)}]\n`, /more than \d+ names/],
    ['a million comments', `rows:\n- title: a\n${'  #\n'.repeat(1_000_000)}`, /more than \d+ names/],
  ])('rejects %s without blocking the event loop for two seconds', async (_, text, message) => {
    let blocked = Infinity;
    // The best of three runs: other processes of a busy machine delay this one as well.
    for (let time = 0; time < 3 && blocked >= 2000; time += 1) {
      const rejection = await rejectionOf(text);
      expect(rejection.message).toMatch(message);
      blocked = Math.min(blocked, rejection.blocked);
    }
    expect(blocked).toBeLessThan(2000);
  });

  it('reads 1,000 keys and long lists', async () => {
    const parser = new YamlParser('a.yaml', signal);
    try {
      const keys = await parser.parse(
        lines(LIMITS.yamlKeys, (n) => `k${n}: [a, b]\n`),
        null,
      );
      expect(Object.keys(keys as object)).toHaveLength(LIMITS.yamlKeys);
      expect(await parser.parse(`[${'a,'.repeat(10_000)}]`, null)).toHaveLength(10_000);
    } finally {
      await parser.close();
    }
  });

  it('preserves keys that look like other types, and texts of white space from exports', async () => {
    const texts = ['\n', ' \n', '  \n\n ', '\t\n'];
    const columns = ['title', '1.0', '~', 'true'];
    async function* batches(): AsyncGenerator<string[][]> {
      yield [texts];
    }
    let file = '';
    const about = {
      model: 'standard',
      columns: columns.map((name) => ({ name, type: 'text' as const })),
      cells: new Map(),
    };
    for await (const piece of yamlWriter.write(about, batches())) file += piece;
    const parser = new YamlParser('a.yaml', signal);
    expect(await parser.parse(file, null)).toMatchObject({
      rows: [Object.fromEntries(columns.map((name, n) => [name, texts[n]]))],
    });
    await parser.close();
  });

  const list = `[${'{a: b},'.repeat(60_000)}]`;
  const bounds = { seconds: 30, fileSeconds: 300, memoryMebibytes: 256 };

  it.each([
    ['a row exceeds its time limit', { ...bounds, seconds: 0.01 }, /too long to parse/],
    ['a file exceeds its time limit', { ...bounds, fileSeconds: 0 }, /too long to parse/],
    ['it exceeds its memory limit', { ...bounds, memoryMebibytes: 16 }, /more than 16 MiB of memory/],
  ])('stops with an error if %s', async (_, bounded, message) => {
    const parser = new YamlParser('a.yaml', signal, bounded);
    await expect(parser.parse(list, 3)).rejects.toMatchObject({
      errors: [{ file: 'a.yaml', row: 3, field: null, details: expect.stringMatching(message) }],
    });
    await parser.close();
  });

  it('stops when its job is aborted', async () => {
    const job = new AbortController();
    const parser = new YamlParser('a.yaml', job.signal);
    const answer = parser.parse(list, null);
    job.abort(new Error('cancelled'));
    await expect(answer).rejects.toThrow('cancelled');
    await parser.close();
  });
});
