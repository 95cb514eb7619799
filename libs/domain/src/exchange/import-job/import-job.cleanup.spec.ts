import { EntityManager } from '@mikro-orm/postgresql';
import { useTestApi } from '#test/support/api.js';
import { type ImportJob, importRows } from '#test/support/imports.js';
import { changesNothing } from '#test/support/records.js';
import { acrossOrganizations } from '../../kernel/across-organizations.js';
import { findExpiredImports, dropExpiredDifference, trimEndedImport } from './import-job.cleanup.js';

const test = useTestApi();
const emOf = (): EntityManager => test.running.app.get(EntityManager);

/** Rows that attempt 1 staged, and those of attempt 2, whose difference is shown. */
const STAGED = [
  [1, 'created'],
  [2, 'created'],
  [2, 'unchanged'],
] as const;

/** Creates a job in a state, with its difference and its staged rows; `kept` is its remaining retention period. */
async function makeJob(status: ImportJob['status'], kept: string): Promise<number> {
  const { id } = await importRows(test.api, 'standard');
  await test.database.query(
    `UPDATE import_job SET status = $2, due_at = 'infinity', summary = '{}', difference_fence = 2, fence = 2,
      staged_bytes = 1000, trimmed = false, kept_until = now() + $3::interval,
      completed_at = CASE WHEN $2 IN ('success', 'fail', 'cancel') THEN now() END,
      lease_until = CASE WHEN $2 IN ('generating_diff', 'applying_changes') THEN now() + interval '1 hour' END
     WHERE id = $1`,
    [id, status, kept],
  );
  for (const [position, [fence, action]] of STAGED.entries())
    await test.database.query(
      `INSERT INTO import_row (job_id, fence, position, model, file, row, action, given, changes)
       VALUES ($1, $2, $3, 'standard', 'standard.json', 1, $4, '{"title": "x"}', '{}')`,
      [id, fence, position, action],
    );
  return id;
}

const SWEEP = 'sweep what is over';

const expired = async (): Promise<number[]> =>
  (await acrossOrganizations(emOf(), SWEEP, (em) => findExpiredImports(em, 100))).map(({ id }) => Number(id));
const forget = (job: number) => acrossOrganizations(emOf(), SWEEP, (em) => dropExpiredDifference(em, String(job)));
const trimAll = async (): Promise<number> => {
  let count = 0;
  while (await acrossOrganizations(emOf(), SWEEP, trimEndedImport)) count += 1;
  return count;
};
const rowsOf = (job: number) =>
  test.database.query('SELECT fence, action, given FROM import_row WHERE job_id = $1 ORDER BY position', [job]);

const AT_WORK = ['pending', 'generating_diff', 'applying_changes'] as const;
const ENDED = ['success', 'fail', 'cancel'] as const;

afterEach(() => test.database.query('DELETE FROM import_job'));

describe('The cleanup of imports', () => {
  it.each(AT_WORK)('does not change an import with status %s, even long after its retention period', async (status) => {
    const job = await makeJob(status, '-1 year');
    await changesNothing(test, async () => {
      expect(await expired()).toEqual([]);
      await forget(job);
      expect(await trimAll()).toBe(0);
    });
  });

  it('keeps all rows of an import that is ready for review', async () => {
    const job = await makeJob('ready_for_review', '-1 minute');
    await changesNothing(test, async () => {
      await forget(job);
      expect(await trimAll()).toBe(0);
    });
  });

  it.each([...ENDED, 'ready_for_review'] as const)(
    'keeps the upload of an import with status %s until its retention period ends',
    async (status) => {
      await makeJob(status, '1 minute');
      expect(await expired()).toEqual([]);
      const over = await makeJob(status, '-1 minute');
      expect(await expired()).toEqual([over]);
    },
  );

  it('cancels an import that was not accepted in time', async () => {
    const job = await makeJob('ready_for_review', '-1 minute');
    await expired();
    expect(
      await test.database.query('SELECT status, completed_at, errors FROM import_job WHERE id = $1', [job]),
    ).toEqual([
      {
        status: 'cancel',
        completed_at: expect.any(Date),
        errors: [expect.objectContaining({ details: expect.stringContaining('within') })],
      },
    ]);
  });

  it('deletes the difference of an expired import, but not of one that was retried meanwhile', async () => {
    const over = await makeJob('success', '-1 minute');
    const retried = await makeJob('success', '1 minute');
    for (const job of [over, retried]) await forget(job);
    expect(await rowsOf(over)).toEqual([]);
    expect(await rowsOf(retried)).toHaveLength(STAGED.length);
    expect(
      await test.database.query(
        'SELECT id::integer, file_key, summary, staged_bytes::integer FROM import_job ORDER BY id',
      ),
    ).toEqual([
      { id: over, file_key: null, summary: null, staged_bytes: 0 },
      { id: retried, file_key: expect.any(String), summary: {}, staged_bytes: 1000 },
    ]);
    expect(await expired()).toEqual([]);
  });

  it('reduces an ended import to the rows and fields that its difference shows', async () => {
    const job = await makeJob('success', '1 day');
    expect(await trimAll()).toBe(1);
    expect(await rowsOf(job)).toEqual([{ fence: 2, action: 'created', given: null }]);
    expect(await trimAll()).toBe(0);
  });
});
