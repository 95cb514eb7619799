import { useDomain } from '#test/support/domain.js';
import { createRuleMappings, removeRuleMapping, writeRuleMappings } from './rule-mapping.commands.js';
import { FIXED_RULE_MAPPING, MAX_RULE_MAPPINGS, ONE_TARGET } from './rule-mapping.rules.js';
import { mappedRules } from './mapped-rules.js';

const domain = useDomain();
const mapping = (fields: object = {}) => ({ system: 'scan', rule_pattern: 'no-*', cwe: 79, ...fields });

describe('Batch commands for rule mappings', () => {
  it('report the errors of every row, and write nothing if one is rejected', async () => {
    const [id = ''] = await domain.run((em, actor) => createRuleMappings(em, actor, [mapping()]));
    const rejected = await domain.rejection((em, actor) =>
      writeRuleMappings(em, actor, [
        { input: mapping() },
        { input: mapping({ weakness: 'P1' }) },
        { input: mapping({ cwe: 999_998 }) },
        { id, changes: { cwe: null } },
        { id: 'RM1', changes: { system: 'x' } },
        { id: 'CRM99999', changes: { system: 'x' } },
      ]),
    );
    const target = { non_field_errors: [ONE_TARGET] };
    expect(rejected).toEqual([
      undefined,
      target,
      { cwe: [expect.any(String)] },
      target,
      `Forbidden: ${FIXED_RULE_MAPPING}`,
      'Not found.',
    ]);
  });

  it('limit the number of mappings of an organization', async () => {
    const actor = await domain.newOrganization();
    const many = Array.from({ length: MAX_RULE_MAPPINGS }, () => mapping());
    const [id = ''] = await domain.run((em, caller) => createRuleMappings(em, caller, many), actor);
    const tooMany = () => domain.rejection((em, caller) => createRuleMappings(em, caller, [mapping()]), actor);
    expect(await tooMany()).toEqual({ non_field_errors: [expect.stringContaining(String(MAX_RULE_MAPPINGS))] });
    await domain.run((em, caller) => writeRuleMappings(em, caller, [{ id, changes: { cwe: 89 } }]), actor);
    await domain.run((em, caller) => removeRuleMapping(em, caller, id), actor);
    await domain.run((em, caller) => createRuleMappings(em, caller, [mapping()]), actor);
  });

  it('cannot change or delete the mappings of another organization', async () => {
    const [id = ''] = await domain.run((em, actor) => createRuleMappings(em, actor, [mapping()]));
    const other = await domain.newOrganization();
    expect(await domain.rejection((em, actor) => removeRuleMapping(em, actor, id), other)).toBe('Not found.');
    expect(
      await domain.rejection((em, actor) => writeRuleMappings(em, actor, [{ id, changes: { cwe: 89 } }]), other),
    ).toEqual(['Not found.']);
  });
});

describe('A pattern of rules', () => {
  it.each([
    ['no-*', 'no-eval', true],
    ['no-*', 'NO-', true],
    ['no-*', 'yes-no-eval', false],
    ['*', '', true],
    ['*eval', 'no-eval', true],
    ['*eval', 'no-evals', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['a_b', 'axb', false],
    ['a%', 'ab', false],
    ['a%', 'a%', true],
    ['a\\b', 'a\\b', true],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
  ])('%j: %j is %s', async (pattern, rule, matches) => {
    const actor = await domain.newOrganization();
    await domain.run((em, caller) => createRuleMappings(em, caller, [mapping({ rule_pattern: pattern })]), actor);
    const found = await domain.run((em, caller) => mappedRules(em, caller, 'x', [{ tool: 'Scan', rule }]), actor);
    expect(found).toEqual(matches ? [{ place: 0, cwe: 79, weakness: null }] : []);
  });

  it('gives a rule at most 20 targets', async () => {
    const actor = await domain.newOrganization();
    const cwes = await domain.database.query<{ id: number }>('SELECT id FROM cwe ORDER BY id LIMIT 25');
    const patterns = cwes.map(({ id }) => mapping({ rule_pattern: '*', cwe: id }));
    await domain.run((em, caller) => createRuleMappings(em, caller, patterns), actor);
    const rules = [
      { tool: 'scan', rule: 'a' },
      { tool: 'other', rule: 'a' },
    ];
    expect(await domain.run((em, caller) => mappedRules(em, caller, 'x', rules), actor)).toHaveLength(20);
  });

  it('takes linear time, however many wildcards it has', async () => {
    const actor = await domain.newOrganization();
    const patterns = Array.from({ length: 20 }, () => mapping({ rule_pattern: `${'*a'.repeat(99)}*b` }));
    await domain.run((em, caller) => createRuleMappings(em, caller, patterns), actor);
    const rules = Array.from({ length: 1000 }, () => ({ tool: 'scan', rule: 'a'.repeat(500) }));
    const began = performance.now();
    expect(await domain.run((em, caller) => mappedRules(em, caller, 'x', rules), actor)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
