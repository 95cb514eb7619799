import { LETTERS } from '#domain/kernel/item-id.js';
import { WRITINGS } from '../activities/table.js';
import { REFERENCE_CONTENT } from '../contract/reference-content.js';
import { REFERENCE } from '../contract/resources.js';
import { fillPool } from '../property/pool.js';
import { BASE, type Id } from '../property/places.js';
import type { Pool } from '../property/values.js';
import { inOrganization, startTestApi, type TestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { setIdCounter } from '../support/factories.js';
import type { TestDatabase } from '../support/database.js';
import { makeBusinessUnit } from '../support/projects.js';
import { temporaryFolder } from '../support/worker.js';

/** An organization: the API with it as the default organization, and ids of its items. */
export interface Side {
  readonly test: TestApi;
  readonly pool: Pool;
}

/** Two organizations on one API: the caller's, and another one, all of whose ids the caller knows. */
export interface TwoOrganizations {
  readonly test: TestApi;
  readonly caller: Side;
  readonly stranger: Side;
  readonly close: () => Promise<void>;
}

/** The range of the other organization's ids of every kind. No other ids are in this range. */
const FIRST = 5_000_000;
const BEHIND = 6_000_000;

/** Whether an id of the other organization's pool belongs only to this organization. */
export const isTheirs = (id: Id): boolean => /(^|\D)5\d{6}(\D|$)/.test(String(id));

/** A part of many of the other organization's ids, and of no other ids. */
export const THEIR_DIGITS = String(FIRST).slice(0, -1);

/**
 * Whether a text contains an id of the other organization: such a number, perhaps after capital letters. Within the
 * lower-case letters of a hash, the same digits occur by chance.
 */
export const showsTheirs = (text: string): boolean => /(?<![\da-z.])500\d{4}(?![\da-z])/.test(text);

const countOnFrom = async (database: TestDatabase, value: number): Promise<void> => {
  await database.query(
    `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, $1) FROM pg_sequences
      WHERE schemaname = 'public'`,
    [value],
  );
};

/** Tables that only imports fill. */
const IMPORTED = [
  'component_answer',
  'component_question',
  'glossary_term',
  'profile',
  'regulation',
  'regulation_section',
  'survey_answer',
  'survey_question',
  'survey_section',
  'survey_subquestion',
  'survey_subsection',
  'training_module',
];

/** Creates what only imports create, in addition to the rows of the contract tests. */
async function insertImported({ database, organization }: TestApi): Promise<void> {
  await database.query(
    `WITH subsection AS (
       INSERT INTO survey_subsection (organization_id, number, section_id, title, ordinal)
       SELECT $1, 1, id, 'Ours', 9 FROM survey_section WHERE item_id = 'S1'),
     named AS (
       INSERT INTO regulation_section_countermeasure (section_id, countermeasure_id)
       SELECT s.id, c.id FROM regulation_section s, countermeasure c WHERE s.organization_id = $1 AND c.item_id = 'T1'),
     module AS (
       INSERT INTO training_module (organization_id, number, title) VALUES ($1, 1, 'Ours') RETURNING id),
     taught AS (
       INSERT INTO training_module_countermeasure (training_module_id, countermeasure_id)
       SELECT m.id, c.id FROM module m, countermeasure c WHERE c.item_id = 'T1')
     INSERT INTO survey_subquestion (organization_id, number, question_id, text, ordinal)
     SELECT $1, 1, id, 'Ours?', 9 FROM survey_question WHERE item_id = 'Q1'`,
    [organization.id],
  );
  // Other items than these have their numbers from counters and sequences.
  for (const table of IMPORTED)
    await database.query(`UPDATE ${table} SET number = number + $2 WHERE organization_id = $1 AND number < $2`, [
      organization.id,
      FIRST,
    ]);
}

/** Runs every writing operation as an organization, so that it has an item of each kind. */
async function doEverything(test: TestApi): Promise<void> {
  for (const { seed } of [...REFERENCE, ...REFERENCE_CONTENT]) await seed?.(test, test.organization);
  await insertImported(test);
  await makeBusinessUnit(test.api, { users: [{ email: (await test.newUser()).email }] });
  for (const { operation, prepare } of WRITINGS.filter((writing) => !writing.operation.startsWith('DELETE'))) {
    const request = await prepare(test);
    const { status, text } = await request();
    if (status >= 300) throw new Error(`${operation} was rejected: ${status} ${text}`);
  }
}

async function sideOf(test: TestApi, flag: string): Promise<Side> {
  const { email } = await test.newUser();
  await bodyOf(test.api.post('/flags/', { name: flag }), 201);
  const pool = await fillPool(test, test.organization.admin);
  const parts: Record<string, readonly Id[]> = {};
  for (const table of ['component_answer', 'survey_subquestion', 'survey_subsection']) {
    const rows = await test.database.query<{ id: string }>(
      `SELECT item_id AS id FROM ${table} WHERE organization_id = $1`,
      [test.organization.id],
    );
    parts[table] = rows.map(({ id }) => id);
  }
  return { test, pool: { ...pool, ...parts, emails: [email], [`${BASE}/flags`]: [flag] } };
}

/**
 * Starts an API with two organizations.
 *
 * @param beforeTheStranger runs while the caller's organization is there and the other one has nothing yet
 */
export async function startTwoOrganizations(
  beforeTheStranger: (caller: Side) => Promise<void>,
): Promise<TwoOrganizations> {
  const folder = await temporaryFolder();
  const test = await startTestApi({ DATA_DIR: folder.path });
  const organization = await test.newOrganization();
  const caller = await sideOf(test, 'FLAG_OF_THE_CALLER');
  await beforeTheStranger(caller);
  await countOnFrom(test.database, FIRST);
  for (const kind of Object.keys(LETTERS)) await setIdCounter(test, organization, kind, FIRST);
  const there = inOrganization(test, organization);
  await doEverything(there);
  const stranger = await sideOf(there, `FLAG_${FIRST}`);
  await countOnFrom(test.database, BEHIND);
  return {
    test,
    caller,
    stranger,
    close: async () => {
      await test.close();
      await folder.remove();
    },
  };
}
