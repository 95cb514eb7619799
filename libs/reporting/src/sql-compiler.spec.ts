import { collectGarbage } from '#test/support/garbage.js';
import { checkQuery } from './check-query.js';
import { compile } from './sql-compiler.js';
import { localTimeOf } from './time-zone.js';

/** Bytes in use after everything without a reference was collected. */
function used(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('Compiled queries leave nothing in memory', async () => {
  const compileOne = async (name: string): Promise<void> => {
    const values = Array.from({ length: 1000 }, (_, n) => `${name} ${n} ${'x'.repeat(100)}`);
    const filters = [{ member: 'Project.name', operator: 'equals', values }];
    const [query] = checkQuery({ schema: 'all', measures: ['Project.count'], filters }).queries;
    if (query) await compile(query);
  };
  await compileOne('first');
  const before = used();
  for (let n = 0; n < 100; n += 1) await compileOne(`other ${n}`);
  expect((used() - before) / 2 ** 20).toBeLessThan(10);
});

// No other suite uses this time zone: suites share modules.
it('A time zone is prepared once, regardless of case', () => {
  const { DateTimeFormat } = Intl;
  let constructed = 0;
  const construct = (target: typeof DateTimeFormat, parameters: unknown[]): object => {
    constructed += 1;
    return Reflect.construct(target, parameters) as object;
  };
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, { construct });
  try {
    for (const zone of ['Pacific/Wallis', 'pacific/wallis', 'PACIFIC/Wallis'])
      expect(localTimeOf(0, zone)).toBe(Date.UTC(1970, 0, 1, 12));
  } finally {
    Intl.DateTimeFormat = DateTimeFormat;
  }
  expect(constructed).toBe(1);
});
