import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type ImportAction, KEPT_DAYS, STAGED_ROW_BYTES } from '#domain/exchange/import-job/import-job.rules.js';
import { importLease } from '#domain/exchange/import-job/import-job.machine.js';
import type { Sql } from '#query/query-context.js';
import type { CellValue, RowValues } from '#files/cell-value.js';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import type { Changes } from '../plans/changes.js';
import { greatestCondition } from '../plans/condition-numbers.js';
import { InvalidFiles } from '#files/invalid-files.js';
import { jobError } from '#domain/exchange/job/job.rules.js';
import { mebibytes } from '#files/limits.js';
import { LIMITS } from '../formats/limits.js';

/** Identifies staged rows: a job, and the fencing token of the attempt that read them. */
export interface ImportAttempt {
  readonly job: number;
  readonly fence: number;
}

/** A row of the files without its values. */
export interface RowHead {
  readonly position: number;
  readonly model: ContentModel;
  readonly file: string;
  readonly row: number;
  readonly id: string | null;
}

/** A row with its changes. */
export interface Compared<Row extends RowHead = RowHead> {
  readonly row: Row;
  readonly action: ImportAction;
  readonly changes: Changes;
}

/** The changes of a staged row. */
export interface RowChange extends RowHead {
  readonly action: ImportAction;
  /** The JSON text of the changes as it was stored. */
  readonly changesText: string;
}

/** Parses the changes of a staged row. */
export const changesOf = <Row extends RowChange>(row: Row): Compared<Row> => ({
  row,
  action: row.action,
  changes: JSON.parse(row.changesText) as Changes,
});

/** A staged row of an existing item, with its changes. */
export interface ComparedRow extends RowChange {
  readonly givenText: string;
}

/** A staged row without its values, and what it would do. */
export interface NamedRow extends RowHead {
  readonly action: ImportAction;
  /** Answers of a component question, or contexts of a prompt: these have ids too. */
  readonly entries: CellValue | undefined;
}

/** Limits of a batch of rows, in rows and in characters. */
export const BATCH_ROWS = 500;
export const BATCH_CHARACTERS = 4 * 2 ** 20;

/** Rows with invalid ids are staged under the negative token, so that rules across rows ignore them. */
export const misnamedRowsOf = ({ job, fence }: ImportAttempt): ImportAttempt => ({ job, fence: -fence });

/** Deletes the rows of earlier attempts, unless another worker has taken the job in the meantime. */
export async function clearStaging(em: EntityManager, { job, fence }: ImportAttempt): Promise<void> {
  await sql`
    WITH cleared AS (UPDATE import_job AS item SET staged_bytes = 0
      WHERE ${importLease.isHeld({ id: job, fence })} RETURNING id)
    DELETE FROM import_row WHERE job_id IN (SELECT id FROM cleared) AND fence < ${fence}`.execute(em.getKysely());
}

/**
 * Stages rows of one file with their changes. The values of a new item are stored in its changes only. Throws
 * `InvalidFiles` if the organization's staged rows would exceed their share of the database.
 */
export async function stageRows(
  em: EntityManager,
  { job, fence }: ImportAttempt,
  compared: readonly Compared<RowHead & { readonly given: RowValues }>[],
): Promise<void> {
  const [first] = compared;
  if (!first) return;
  const { model, file } = first.row;
  const rows = compared.map(({ row: { position, row, id, given }, action, changes }) => ({
    position,
    row,
    id,
    given: action === 'created' ? undefined : given,
    action,
    changes,
    condition: greatestCondition(changes),
  }));
  const { rows: staged } = await sql<{ bytes: string }>`
    WITH staged AS (INSERT INTO import_row (job_id, fence, position, model, file, row, item_id, given, action, changes,
      greatest_condition, size)
    SELECT ${job}::bigint, ${fence}::integer, position, ${model}, ${file}, row, id, given, action, changes,
      condition, coalesce(octet_length(given::text), 0) + octet_length(changes::text)
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r(position integer, row integer, id text, given json,
      action text, changes json, condition integer)
    RETURNING size)
    UPDATE import_job AS item SET trimmed = false,
      staged_bytes = staged_bytes + (SELECT sum(size + ${STAGED_ROW_BYTES}::integer) FROM staged)
    WHERE id = ${job} RETURNING staged_bytes + (SELECT coalesce(sum(other.staged_bytes), 0) FROM import_job other
      WHERE other.organization_id = item.organization_id AND other.id <> item.id) AS bytes`.execute(em.getKysely());
  if (Number(staged[0]?.bytes ?? 0) > LIMITS.staged)
    throw new InvalidFiles(
      [
        jobError(
          `The rows of this organization's imports take up more than ${mebibytes(LIMITS.staged)}. Cancel imports ` +
            'that wait for review, import fewer rows, or wait until the differences of earlier imports are removed, ' +
            `${KEPT_DAYS} days after they end.`,
        ),
      ],
      { permanent: false },
    );
}

/**
 * Rows of a model that change a field. The model is compared first, since looking into the changes of all rows is slow.
 */
export const rowsChanging = ({ job, fence }: ImportAttempt, model: ContentModel, field: string): Sql =>
  sql`job_id = ${job} AND fence = ${fence} AND CASE model WHEN ${model} THEN changes->${field} IS NOT NULL END`;

/** Staged rows of existing items, with their changes. */
export const comparedRows = (em: EntityManager, attempt: ImportAttempt): AsyncIterable<readonly ComparedRow[]> =>
  batches<ComparedRow>(em, attempt, sql`given IS NOT NULL`, {
    givenText: sql`given::text`,
    action: sql`action`,
    changesText: sql`changes::text`,
  });

/** Staged rows that change something. */
export const rowChanges = (em: EntityManager, attempt: ImportAttempt): AsyncIterable<readonly RowChange[]> =>
  batches<RowChange>(em, attempt, sql`action <> 'unchanged'`, { action: sql`action`, changesText: sql`changes::text` });

/** Staged rows without their values. */
export async function* namedRows(
  em: EntityManager,
  attempt: ImportAttempt,
): AsyncGenerator<readonly NamedRow[], void, undefined> {
  type Written = RowHead & { readonly action: ImportAction; readonly entriesText: string | null };
  const entriesText = sql`(CASE model WHEN 'component_question'
    THEN coalesce(given->'answers', changes->'answers'->'to')
    WHEN 'workflow_prompt' THEN changes->'contexts'->'to' END)::text`;
  for await (const rows of batches<Written>(em, attempt, sql`true`, { action: sql`action`, entriesText }))
    yield rows.map(({ entriesText: text, ...row }) => ({
      ...row,
      entries: text === null ? undefined : (JSON.parse(text) as CellValue),
    }));
}

/**
 * Rows of an attempt in batches of one model. While the caller processes one batch, the next is fetched.
 *
 * @param which condition on the rows
 * @param parts columns to select in addition to those of `RowHead`, by name
 */
async function* batches<Row extends RowHead>(
  em: EntityManager,
  { job, fence }: ImportAttempt,
  which: Sql,
  parts: Readonly<Record<Exclude<keyof Row, keyof RowHead>, Sql>>,
): AsyncGenerator<readonly Row[], void, undefined> {
  const columns = sql.join(Object.entries<Sql>(parts).map(([name, part]) => sql`${part} AS ${sql.ref(name)}`));
  // Rows can be large: fetch as many as fit into a batch by size, and at least one.
  const fetch = async (after: number): Promise<Row[]> => {
    const { rows } = await sql<Row>`
      SELECT position, model, file, row, item_id AS id, ${columns}
      FROM (
        SELECT *, sum(size) OVER (ORDER BY position) - size AS before
        FROM (SELECT * FROM import_row WHERE job_id = ${job} AND fence = ${fence} AND position > ${after} AND ${which}
          ORDER BY position LIMIT ${BATCH_ROWS}) next
      ) r WHERE before < ${BATCH_CHARACTERS} ORDER BY position`.execute(em.getKysely());
    return rows;
  };
  let next = fetch(0);
  try {
    for (;;) {
      const rows = await next;
      const [first] = rows;
      if (!first) return;
      const batch = rows.filter(({ model }) => model === first.model);
      next = fetch(batch.at(-1)?.position ?? first.position);
      next.catch(() => undefined); // awaited above
      yield batch;
    }
  } finally {
    await Promise.allSettled([next]); // a consumer that stops early may end the transaction
  }
}
