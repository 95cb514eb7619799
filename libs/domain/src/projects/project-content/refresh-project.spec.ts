import { EntityManager } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { type Condition, contentOf, type Facts, type Library } from '#test/support/content-rule.js';
import { makeComponent } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { inTransaction } from '../../kernel/transaction.js';
import { refreshProjects } from './refresh-project.js';

const test = useTestApi();
const emOf = (): EntityManager => test.running.app.get(EntityManager);
const refresh = (organizationId: number, ...projects: number[]): Promise<Set<number>> =>
  inTransaction(emOf(), { organizationId }, (em) => refreshProjects(em, null, projects));

const numbers = (values: readonly string[]): number[] => values.map(Number);

/** An id that does not exist, so that a condition requiring it is never met. */
const NO_ID = -1;

/** The library as an organization sees it, read in the simplest way. */
async function libraryOf(organization: number): Promise<Library> {
  const rows = <Row extends object>(statement: string) => test.database.query<Row>(statement, [organization]);
  const visibleVersions = (kind: string) => `(SELECT DISTINCT ON (${kind}_id) * FROM ${kind}_version
    WHERE organization_id = $1 OR organization_id IS NULL ORDER BY ${kind}_id, organization_id NULLS LAST)`;
  const byAttributes =
    (await rows(`SELECT 1 FROM feature_flag WHERE organization_id = $1 AND name = 'DECISION_ENGINE'`)).length > 0;
  type ConditionRow = Record<'required' | 'excluded' | 'required_attributes' | 'excluded_attributes', string[]>;
  const conditionsOf = (row: { conditions: ConditionRow[] | null }): Condition[] =>
    (row.conditions ?? []).map((condition) => {
      const answers = [numbers(condition.required), numbers(condition.excluded)] as const;
      const attributes = [numbers(condition.required_attributes), numbers(condition.excluded_attributes)] as const;
      const [[required, excluded], others] = byAttributes ? [attributes, answers] : [answers, attributes];
      const incomplete = !required.length && !excluded.length && others.some((list) => list.length);
      return { required: incomplete ? [NO_ID] : required, excluded };
    });
  type Row = { id: string; active: boolean; conditions: ConditionRow[] | null };
  const items = <More extends object>(kind: string, extraColumns: string) =>
    rows<Row & More>(`SELECT v.${kind}_id AS id, v.active, ${extraColumns} (SELECT json_agg(m) FROM match_condition m
      WHERE m.${kind}_version_id = v.id) AS conditions FROM ${visibleVersions(kind)} v`);
  const base = (row: Row) => ({ id: Number(row.id), active: row.active, conditions: conditionsOf(row) });
  return {
    byAttributes,
    levels: new Map(
      (
        await rows<{ id: string; item_id: string }>(
          `SELECT id, item_id FROM attribute WHERE item_id IN ('AT245', 'AT246', 'AT247') AND $1 > 0`,
        )
      ).map((row) => [Number(row.id), Number(row.item_id.slice(2)) - 244]),
    ),
    answers: (
      await rows<{ id: string; is_active: boolean; attributes: string[] }>(
        'SELECT * FROM survey_answer WHERE organization_id IS NULL OR organization_id = $1',
      )
    ).map((row) => ({ id: Number(row.id), active: row.is_active, attributes: numbers(row.attributes) })),
    attributes: (
      await rows<{ id: string; active: boolean }>(`SELECT a.id, coalesce(s.active, a.active) AS active FROM attribute a
        LEFT JOIN attribute_switch s ON s.attribute_id = a.id AND s.organization_id = $1`)
    ).map((row) => ({ id: Number(row.id), active: row.active })),
    components: (
      await rows<{
        component_id: string;
        active: boolean;
        answer_id: string | null;
        implied_attributes: string[];
        tasks_introduced: string[];
      }>(`SELECT * FROM ${visibleVersions('component')} v`)
    ).map((row) => ({
      id: Number(row.component_id),
      hidden: !row.active,
      answer: row.answer_id === null ? null : Number(row.answer_id),
      impliedAttributes: numbers(row.implied_attributes),
      introduces: numbers(row.tasks_introduced),
    })),
    weaknesses: (await items('weakness', '')).map(base),
    countermeasures: (
      await items<{ weakness_id: string; level: number }>('countermeasure', 'v.weakness_id, v.level,')
    ).map((row) => ({
      ...base(row),
      weakness: Number(row.weakness_id),
      level: row.level,
    })),
    threats: (await items<{ problems: string[] }>('threat', 'v.problems,')).map((row) => ({
      ...base(row),
      weaknesses: numbers(row.problems),
    })),
  };
}

/** The content in the tables of a project. */
async function storedContent(project: number): Promise<Record<string, number[]>> {
  const column = async (statement: string): Promise<number[]> =>
    (await test.database.query<{ id: string }>(`${statement} ORDER BY 1`, [project])).map((row) => Number(row.id));
  return {
    components: await column('SELECT component_id AS id FROM project_component WHERE project_id = $1'),
    attributes: await column('SELECT DISTINCT attribute_id AS id FROM project_attribute_source WHERE project_id = $1'),
    weaknesses: await column('SELECT weakness_id AS id FROM project_weakness WHERE project_id = $1'),
    countermeasures: await column(
      'SELECT countermeasure_id AS id FROM project_countermeasure WHERE project_id = $1 AND relevant',
    ),
    threats: await column('SELECT threat_id AS id FROM project_threat WHERE project_id = $1'),
  };
}

const sortedContent = (library: Library, facts: Facts): Record<string, number[]> =>
  Object.fromEntries(
    Object.entries(contentOf(library, facts)).map(([kind, ids]: [string, ReadonlySet<number>]) => [
      kind,
      [...ids].sort((a, b) => a - b),
    ]),
  );

async function setAnswers(project: number, answers: readonly number[]): Promise<void> {
  await test.database.query('DELETE FROM project_answer WHERE project_id = $1', [project]);
  await test.database.query('INSERT INTO project_answer SELECT $1, unnest($2::bigint[])', [project, answers]);
}

/** Public ids of all built-in items of a kind. */
const builtIn = async (table: string): Promise<string[]> =>
  (
    await test.database.query<{ item_id: string }>(
      `SELECT item_id FROM ${table} WHERE organization_id IS NULL ORDER BY number`,
    )
  ).map((row) => row.item_id);

describe('The stored content of a project', () => {
  it('matches the content rule after any changes to answers, attributes and the library', async () => {
    const organization = await test.newOrganization();
    const { api } = organization;
    const project = await makeProject(test, { organization });
    const bystander = await makeProject(test, { organization });
    const { answers, attributes } = await libraryOf(organization.id);
    const anyBuiltIn = async (table: string) => fc.constantFrom(...(await builtIn(table)));
    const answer = await anyBuiltIn('survey_answer');
    const changed = { active: fc.boolean(), required: answer, excluded: answer };
    const manual: number[] = [];
    const step = fc.record({
      given: fc.subarray(answers.map(({ id }) => id)),
      byHand: fc.constantFrom(...attributes.map(({ id }) => id)),
      byAttributes: fc.boolean(),
      tasks: fc.record({ ...changed, item: await anyBuiltIn('countermeasure'), level: fc.integer({ min: 1, max: 3 }) }),
      problems: fc.record({ ...changed, item: await anyBuiltIn('weakness') }),
      threats: fc.record({ ...changed, item: await anyBuiltIn('threat') }),
      attribute: fc.record({ item: await anyBuiltIn('attribute'), active: fc.boolean() }),
      component: fc.record({
        answer,
        hidden: fc.boolean(),
        introduced: await anyBuiltIn('countermeasure'),
        implied: await anyBuiltIn('attribute'),
      }),
    });
    await fc.assert(
      fc.asyncProperty(step, async ({ given, byHand, byAttributes, attribute, component, ...conditioned }) => {
        await (byAttributes ? api.post('/flags/', { name: 'DECISION_ENGINE' }) : api.delete('/flags/DECISION_ENGINE/'));
        for (const [kind, { item, required, excluded, ...fields }] of Object.entries(conditioned)) {
          const conditions = byAttributes
            ? [{ required_attributes: [attribute.item], excluded_attributes: [] }]
            : [{ required: [required], excluded: required === excluded ? [] : [excluded] }];
          await bodyOf(api.patch(`/library/${kind}/${item}/`, { ...fields, match_conditions: conditions }));
        }
        await bodyOf(api.patch(`/library/attributes/${attribute.item}/`, { active: attribute.active }));
        await makeComponent(api, {
          answer_mapping: component.answer,
          hidden: component.hidden,
          tasks_introduced: [component.introduced],
          implied_attributes: [component.implied],
        });
        await test.database.query(
          `INSERT INTO project_attribute_source (project_id, attribute_id, type)
            VALUES ($1, $2, 'manual') ON CONFLICT DO NOTHING`,
          [project.id, byHand],
        );
        manual.push(byHand);
        await setAnswers(project.id, given);

        await refresh(organization.id, project.id, bystander.id);
        const library = await libraryOf(organization.id);
        expect(await storedContent(project.id)).toEqual(
          sortedContent(library, { answers: given, manualAttributes: manual }),
        );
        expect(await storedContent(bystander.id)).toEqual(
          sortedContent(library, { answers: [], manualAttributes: [] }),
        );
        expect(await refresh(organization.id, project.id, bystander.id)).toEqual(new Set());
      }),
      // Every step depends on the previous ones, so shrinking would not find a smaller example.
      { numRuns: 12, endOnFailure: true },
    );
  });
});
