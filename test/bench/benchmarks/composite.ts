// `npm run bench -- composite [--rounds N]`: 100 small creates in one composite request, with and without
// `all_or_none`, compared with 100 requests in sequence. See docs/operate/performance.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startDatabase, startService } from '../deployment.ts';
import { ask, middle } from '../load.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const CREATES = 100;

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, 0);
try {
  const service = await startService(database);
  try {
    let created = 0;
    const group = () => ({ name: `Group ${(created += 1)}` });
    const composite = async (allOrNone: boolean): Promise<void> => {
      const requests = Array.from({ length: CREATES }, (_, index) => ({
        method: 'POST',
        path: 'groups/',
        reference_id: `group${index}`,
        body: group(),
      }));
      const body = { all_or_none: allOrNone, composite_request: requests };
      const { composite_response: answers } = await ask<{ composite_response: { http_status_code: number }[] }>(
        service.target,
        '/api/v2/composite/',
        { body },
      );
      if (answers.some((answer) => answer.http_status_code !== 201)) throw new Error('Not all groups were created.');
    };
    const ways: [string, () => Promise<void>][] = [
      ['one composite request, all_or_none', () => composite(true)],
      ['one composite request, not all_or_none', () => composite(false)],
      [
        `${CREATES} requests`,
        async () => {
          for (let n = 0; n < CREATES; n += 1) await ask(service.target, '/api/v2/groups/', { body: group() });
        },
      ],
    ];
    console.log(`Creating ${CREATES} groups, median of ${values.rounds} rounds\n`);
    const delays = ways.map((): number[] => []);
    for (let round = 0; round < Number(values.rounds); round += 1)
      for (const [index, [, make]] of ways.entries()) {
        const begun = performance.now();
        await make();
        delays[index]?.push(performance.now() - begun);
      }
    for (const [index, [name]] of ways.entries())
      console.log(
        `${name.padEnd(40)} ${middle(delays[index] ?? [])
          .toFixed(0)
          .padStart(6)} ms`,
      );
  } finally {
    await service.stop();
  }
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
