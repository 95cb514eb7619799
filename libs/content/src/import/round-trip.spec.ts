import { type TestOrganization } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { makeComponent, makeCountermeasure, makeThreat, makeWeakness } from '#test/support/factories.js';
import { exportAll } from '#test/support/imports.js';
import { type ContentModel, FILE_FORMATS } from '#domain/exchange/job/content-models.js';
import { type Rows, jsonArchive, useRoundTrips } from '#test/support/round-trips.js';

const { test, entityManager, imported, contentOf } = useRoundTrips();

/** Content of every kind, which refers to each other in every way, and in no good order. */
const EVERYTHING = {
  phase: [
    { id: 'CX7', name: 'Threat modelling', description: 'Early.', tip: '=1', ordinal: 9, active: false, retain: true },
  ],
  glossary_term: [{ term: 'Moat', definition: 'Water around **it**.' }],
  section: [{ id: 'CS3', title: 'Ours', ordinal: 40 }],
  subsection: [
    { id: 'CSS3', section: 'CS3', title: 'Sub' },
    { section: 'S1', title: 'Within what ships' },
  ],
  attribute: [
    { id: 'CAT5', name: 'Deep', parent: 'CAT9' },
    { id: 'CAT9', name: 'Above', parent: 'AT1' },
    { id: 'CAT10', name: 'Root', description: "'=1", active: false, parent: null },
    { id: 'AT2', active: false },
  ],
  question: [
    { id: 'CQ2', text: 'Really?', format: 'SC', subsection: 'CSS3', depends_on: ['CA8', 'A1'] },
    { id: 'CQ1', text: 'Which?', description: 'One.', format: 'MC', subsection: 'CSS3' },
  ],
  subquestion: [{ id: 'CSQ1', question: 'CQ1', text: 'And?' }],
  answer: [
    { id: 'CA8', text: 'Yes', question: 'CQ1', attributes: ['CAT5', 'AT1'], display_text: 'Yes, ours' },
    { id: 'CA9', text: 'No', question: 'CQ1', subquestion: 'CSQ1', is_active: false },
    { text: 'Perhaps', question: 'CQ2' },
  ],
  weakness: [
    {
      id: 'CP2',
      title: 'Ours',
      text: 'x',
      risk_rating: 3,
      cwe: [79, 89],
      category: 'Cat',
      references: ['cwe:79', 'A handbook, "2nd" edition'],
      reviewed_at: '2026-01-31',
      match_conditions: [{ required: ['CA8'], excluded: ['A1'] }],
    },
    { id: 'P2', active: false, reviewed_at: '2025-02-28' },
    { id: 'P3', title: 'Renamed', risk_rating: 1 },
  ],
  standard: [
    {
      id: 'CT5',
      title: 'Ours',
      text: 'x',
      problem: 'CP2',
      priority: 9,
      phase: 'CX7',
      tags: ['b', 'a'],
      categories: ['c'],
      verification_coverage: ['v'],
      references: ['rfc:9700:4.1', 'cwe:79'],
      reviewed_at: '2026-01-31',
      active: false,
    },
    {
      id: 'T2',
      text: 'Changed',
      references: ['cwe:89'],
      reviewed_at: null,
      match_conditions: [{ required: ['CA9'] }, { required: ['A2'], excluded: ['A3'] }],
    },
  ],
  amendment: [
    { id: 'CTA1', task: 'CT5', title: 'More', text: 'x', ordinal: -1, match_conditions: [{ required: ['A1'] }] },
    { task: 'T1', title: 'More of T1', text: 'x', references: ['owasp-cheatsheet:Logging_Cheat_Sheet'] },
  ],
  implementation: [
    {
      task: 'CT5',
      title: 'How to',
      text: 'x',
      slug: 'a-slug',
      references: ['Node.js 24 documentation'],
      reviewed_at: '2026-01-31',
      versions: 'Node 24, npm 11',
    },
  ],
  regulation: [{ id: 'CREG1', name: 'House rules', version: '2' }],
  regulation_section: [
    { regulation: 'CREG1', code: '1', title: 'One', level: 2, countermeasures: ['CT5', 'T1'] },
    { regulation: 'CREG1', code: '2', title: 'Retired', active: false, countermeasures: ['T1'] },
    { regulation: 'REG1', title: 'Two' },
  ],
  component_question: [
    {
      id: 'CAQ4',
      text: 'Cache?',
      question_type: 'SC',
      answers: [{ id: 'CAA3', text: 'Yes', attribute: 'CAT9' }, { text: 'No' }],
    },
    { id: 'CAQ5', text: 'Which?', question_type: 'MC', answers: [] },
  ],
  component: [
    {
      id: 'CSC2',
      title: 'Ours',
      answer_mapping: 'CA8',
      tasks_implemented: ['CT5', 'T3'],
      tasks_introduced: ['T1'],
      hidden: false,
      implied_attributes: ['CAT5'],
      icon_slug: 'database',
      component_questions: [{ question: 'CAQ4' }, { question: 'CAQ5', parent_answer: 'CAA3' }],
    },
    { id: 'SC1', title: 'Renamed', hidden: true },
  ],
  threat: [
    {
      id: 'CTH3',
      title: 'Ours',
      text: 'x',
      severity: 4,
      capecs: [1],
      problems: ['CP2', 'P1'],
      stride: ['S'],
      references: ['nist:800-53:AC-2'],
      reviewed_at: '2026-01-31',
      match_conditions: [{ excluded: ['CA8'] }],
    },
    { id: 'TH1', severity: 1 },
  ],
  profile: [{ name: 'Ours', answers: ['CA8', 'A1'], default: true, logo_url: null }],
  workflow_prompt: [
    {
      id: '1234',
      title: 'Ours',
      type: 'survey',
      prompt: 'Say {{a}}',
      variables: ['a'],
      contexts: [
        { id: 1300, name: 'c', content_type: 'text', text: '-' },
        { id: 1301, name: 'd', content_type: 'library_item', reference: 'CP2' },
      ],
    },
    { id: '1', active: false },
  ],
  training_module: [
    {
      id: 'CTM4',
      title: 'Threats',
      description: 'Two **hours**.',
      url: 'https://example.com/4',
      active: false,
      countermeasures: ['CT5', 'T1'],
    },
    { id: 'CTM2', title: 'Of nothing' },
    { title: 'Counted' },
  ],
  rule_mapping: [
    { id: 'CRM3', system: 'Our scanner', rule_pattern: '=xss-*', weakness: 'CP2' },
    { system: 'eslint', rule_pattern: 'security/*', cwe: 79 },
  ],
} satisfies Readonly<Record<Exclude<ContentModel, 'threat_framework'>, readonly object[]>>;

const isLong = (list: unknown): boolean => Array.isArray(list) && list.length > 1;

describe('Content of all models', () => {
  let one: TestOrganization;
  let first: Rows;
  beforeAll(async () => {
    one = await test.newOrganization();
    await imported(one, await jsonArchive(EVERYTHING));
    first = await contentOf(one);
  });

  it('keeps the ids from the import', () => {
    for (const [model, rows] of Object.entries(EVERYTHING))
      for (const row of rows)
        if ('id' in row)
          expect(first[model]).toContainEqual(
            expect.objectContaining({ id: model === 'workflow_prompt' ? Number(row.id) : row.id }),
          );
  });

  it.each(FILE_FORMATS)(
    'is unchanged after export as %s and import into an empty organization',
    async (format) => {
      const exported = await exportAll(entityManager(), one.id, format);
      const other = await test.newOrganization();
      await imported(other, exported);
      expect(await contentOf(other)).toEqual(first);

      const again = await imported(other, exported);
      for (const counts of Object.values(again))
        expect(counts).toMatchObject({ created: 0, updated: 0, deactivated: 0 });
    },
    180_000,
  );

  it('is changed by a list in another order only where the order is kept', async () => {
    const organization = await test.newOrganization();
    await imported(organization, await jsonArchive(EVERYTHING));
    const lists = {
      question: 'depends_on',
      profile: 'answers',
      regulation_section: 'countermeasures',
      training_module: 'countermeasures',
      standard: 'tags',
      answer: 'attributes',
    } as const;
    const reordered = Object.entries(lists).map(([model, field]) => {
      const rows = (first[model] ?? []).filter(({ id, [field]: list }) => String(id).startsWith('C') && isLong(list));
      return [model, rows.map(({ id, [field]: list }) => ({ id, [field]: (list as string[]).toReversed() }))] as const;
    });
    const counts = await imported(organization, await jsonArchive(Object.fromEntries(reordered)));
    for (const [model, { length }] of reordered) {
      expect([model, length]).not.toEqual([model, 0]);
      const changed = model === 'standard' || model === 'answer' ? length : 0;
      expect([model, counts[model]]).toMatchObject([model, { updated: changed }]);
    }
  }, 180_000);

  it.each([
    ['references', ['cwe:79', 'cwe:XSS']],
    ['references', Array.from({ length: 51 }, (_, n) => `cwe:${n + 1}`)],
    ['references', ['x'.repeat(201)]],
    ['reviewed_at', '2026-02-30'],
  ])('is rejected with an invalid value of %s, with the same error as in the API', async (field, wrong) => {
    const organization = await test.newOrganization();
    const { [field]: [words] = [] } = await bodyOf(
      organization.api.patch<Record<string, string[]>>('/library/tasks/T1/', { [field]: wrong }),
      400,
    );
    const rejected = imported(organization, await jsonArchive({ standard: [{ id: 'T1', [field]: wrong }] }));
    await expect(rejected).rejects.toMatchObject({ cause: { errors: [{ field, details: words }] } });
  });

  it('keeps conditions by answers and by attributes in either mode', async () => {
    const one = await test.newOrganization();
    const { id } = await makeCountermeasure(one.api, { match_conditions: [{ required: ['A1'] }] });
    await bodyOf(one.api.post('/flags/', { name: 'DECISION_ENGINE' }), 201);
    const { match_conditions: [condition] = [] } = await bodyOf(
      one.api.get<{ match_conditions?: { id: string }[] }>(`/library/tasks/${id}/`, { include: 'match_conditions' }),
    );
    await bodyOf(
      one.api.patch(`/library/tasks/${id}/`, {
        match_conditions: [{ id: condition?.id, excluded_attributes: ['AT1'] }],
      }),
    );
    const [first] = (await contentOf(one))['standard']?.filter((row) => row['id'] === id) ?? [];
    expect(first?.['match_conditions']).toEqual([
      expect.objectContaining({
        required: ['A1'],
        excluded: [],
        required_attributes: [],
        excluded_attributes: ['AT1'],
      }),
    ]);
    const other = await test.newOrganization();
    await imported(other, await exportAll(entityManager(), one.id, 'csv'));
    await bodyOf(other.api.post('/flags/', { name: 'DECISION_ENGINE' }), 201);
    expect(await contentOf(other)).toEqual(await contentOf(one));
  }, 180_000);

  it('created through the API is also unchanged after export and import', async () => {
    const one = await test.newOrganization();
    const weakness = await makeWeakness(one.api, { cwe: [79] });
    const { id } = await makeCountermeasure(one.api, {
      problem: weakness.id,
      match_conditions: [{ required: ['A1'] }],
    });
    await makeThreat(one.api, { problems: [weakness.id] });
    await makeComponent(one.api, { tasks_implemented: [id] });
    await bodyOf(one.api.patch(`/library/tasks/T4/`, { match_conditions: [{ required: ['A2'] }] }));
    await bodyOf(one.api.patch(`/library/problems/P1/`, { active: false }));
    await bodyOf(one.api.patch(`/library/tasks/T1/`, { active: true }));
    const other = await test.newOrganization();
    await imported(other, await exportAll(entityManager(), one.id, 'yaml'));
    expect(await contentOf(other)).toEqual(await contentOf(one));
  }, 180_000);
});
