import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeWeakness } from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { List } from '#test/support/resources.js';

interface RuleMapping {
  id: string;
  system: string;
  rule_pattern: string;
  cwe: number | null;
  weakness: string | null;
  is_custom: boolean;
}

const test = useTestApi();
const path = '/library/rule-mappings/';
const at = (id: string): string => `${path}${id}/`;
const map = (fields: object = {}): Promise<RuleMapping> =>
  bodyOf(test.api.post<RuleMapping>(path, { system: 'scan', rule_pattern: 'no-*', cwe: 79, ...fields }), 201);

describe('A rule mapping', () => {
  it('maps a pattern of rules to a CWE or to a weakness', async () => {
    const mapping = await map({ system: ' scan ', rule_pattern: ' no-* ' });
    expect(mapping).toEqual({
      id: expect.stringMatching(/^CRM[1-9]\d*$/),
      system: 'scan',
      rule_pattern: 'no-*',
      cwe: 79,
      weakness: null,
      is_custom: true,
    });
    expect(await map({ cwe: null, weakness: 'P1' })).toMatchObject({ cwe: null, weakness: 'P1' });
  });

  it('is built in for ESLint, Trivy and Gitleaks', async () => {
    const rows = await rowsOf(test.api.get<List<RuleMapping>>(`${path}?is_custom=false&page_size=100`));
    expect([...new Set(rows.map(({ system }) => system))].sort()).toEqual(['eslint', 'gitleaks', 'trivy']);
  });

  it('has one target: a new one replaces the old one', async () => {
    const { id } = await map();
    const change = (body: object) => bodyOf(test.api.patch<RuleMapping>(at(id), body));
    expect(await change({ weakness: 'P2' })).toMatchObject({ cwe: null, weakness: 'P2' });
    expect(await change({ cwe: null })).toMatchObject({ cwe: null, weakness: 'P2' });
    expect(await change({ cwe: 89 })).toMatchObject({ cwe: 89, weakness: null });
    expect(await change({ cwe: null, weakness: 'P1' })).toMatchObject({ cwe: null, weakness: 'P1' });
    expect(await change({ rule_pattern: 'x' })).toMatchObject({ weakness: 'P1', rule_pattern: 'x' });
  });

  it.each([
    [{ cwe: 79, weakness: 'P1' }, ['non_field_errors']],
    [{ cwe: null, weakness: null }, ['non_field_errors']],
    [{ cwe: 999_998 }, ['cwe']],
    [{ cwe: 'x' }, ['cwe']],
    [{ cwe: 1e20 }, ['cwe']],
    [{ cwe: null, weakness: 'P99999' }, ['weakness']],
    [{ system: '' }, ['system']],
    [{ system: 'x'.repeat(201) }, ['system']],
    [{ rule_pattern: null }, ['rule_pattern']],
    [{ rule_pattern: 'a\0' }, ['rule_pattern']],
  ])('is rejected with %j, and nothing changes', async (fields, rejected) => {
    const { id } = await map();
    const body = { system: 'scan', rule_pattern: 'x', cwe: 79, ...fields };
    await changesNothing(test, async () => {
      expect(await rejectedFields(test.api.post(path, body))).toEqual(rejected);
      expect(await rejectedFields(test.api.patch(at(id), fields))).toEqual(rejected);
    });
  });

  it('cannot lose its target', async () => {
    const { id } = await map();
    expect(await changesNothing(test, () => rejectedFields(test.api.patch(at(id), { cwe: null })))).toEqual([
      'non_field_errors',
    ]);
    await changesNothing(test, () => bodyOf(test.api.post(path, { system: 'x', rule_pattern: 'x' }), 400));
  });

  it('that is built in cannot be changed or deleted', async () => {
    await changesNothing(test, async () => {
      await bodyOf(test.api.patch(at('RM1'), { cwe: 79 }), 403);
      await bodyOf(test.api.delete(at('RM1')), 403);
    });
  });

  it('moves to the successor of its weakness, or is deleted with it', async () => {
    const [{ id: first }, { id: second }] = [await makeWeakness(test.api), await makeWeakness(test.api)];
    const { id } = await map({ cwe: null, weakness: first });
    await bodyOf(test.api.delete(`/library/problems/${first}/`, { new_weakness_id: second }), 204);
    expect(await bodyOf(test.api.get(at(id)))).toMatchObject({ weakness: second });
    await bodyOf(test.api.delete(`/library/problems/${second}/`), 204);
    await bodyOf(test.api.get(at(id)), 404);
  });

  it('records its activities', async () => {
    const activities = await activitiesOf(test, async () => {
      const { id } = await map();
      await bodyOf(test.api.patch(at(id), { rule_pattern: 'b' }));
      await bodyOf(test.api.delete(at(id)), 204);
    });
    expect(activities.map(({ name, data }) => [name, data])).toEqual([
      ['CreatedRuleMappingActivity', { rule_mapping: expect.stringMatching(/^CRM/), rule_mapping_desc: 'no-*' }],
      ['UpdatedRuleMappingActivity', { rule_mapping: expect.stringMatching(/^CRM/), rule_mapping_desc: 'b' }],
      ['DeletedRuleMappingActivity', { rule_mapping: expect.stringMatching(/^CRM/), rule_mapping_desc: 'b' }],
    ]);
  });
});
