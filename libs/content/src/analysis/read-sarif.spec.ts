import { readInPieces, sarifLog, sarifRule, sarifRun, verdictsOf } from '#test/support/analysis-reports.js';

type Status = 'pass' | 'fail' | 'partial' | 'none';

/** The status of each CWE that has a verdict; `none` for the others of these. */
async function statusesOf(log: string, ...cwes: number[]): Promise<Record<string, Status>> {
  const verdicts = verdictsOf(await readInPieces(log, 4096));
  return Object.fromEntries(
    [...new Set([...Object.keys(verdicts), ...cwes.map((cwe) => `CWE-${cwe}`)])].map((subject) => {
      const [passed = 0, failed = 0] = verdicts[subject] ?? [];
      return [subject, passed && failed ? 'partial' : failed ? 'fail' : passed ? 'pass' : 'none'];
    }),
  );
}

const RULE = sarifRule('xss', 79);
const finding = (fields: object = {}) => ({ ruleId: 'xss', message: { text: 'Not escaped.' }, ...fields });
const suppressed = (...statuses: (string | undefined)[]) =>
  finding({ suppressions: statuses.map((status) => ({ kind: 'external', ...(status && { status }) })) });

describe('A rule of a SARIF log', () => {
  const statusWith = async (results: object[] | undefined, fields: object = {}, rule: object = RULE) =>
    (await statusesOf(sarifLog(sarifRun([rule], results, fields)), 79))['CWE-79'];

  it.each<[string, Status, object[]]>([
    ['it has no results', 'pass', []],
    ['a result passes', 'pass', [finding({ kind: 'pass', level: 'none' })]],
    ['a result fails', 'fail', [finding()]],
    ['a result fails as a note', 'fail', [finding({ level: 'note' })]],
    ['a result fails and another one passes', 'fail', [finding(), finding({ kind: 'pass' })]],
    ['a result is open', 'none', [finding({ kind: 'open', level: 'none' })]],
    ['a result has to be reviewed', 'none', [finding({ kind: 'review', level: 'none' })]],
    [
      'a result has to be reviewed and another one passes',
      'none',
      [finding({ kind: 'review' }), finding({ kind: 'pass' })],
    ],
    ['the rule does not apply', 'none', [finding({ kind: 'notApplicable', level: 'none' })]],
    ['a result is informational', 'none', [finding({ kind: 'informational', level: 'none' })]],
    [
      'it does not apply in one place and passes in another',
      'pass',
      [finding({ kind: 'notApplicable' }), finding({ kind: 'pass' })],
    ],
    ['a result is of an unknown kind', 'none', [finding({ kind: 'other' })]],
    ['a failure has no severity', 'none', [finding({ level: 'none' })]],
    ['a suppression is accepted', 'pass', [suppressed('accepted')]],
    ['a suppression has no status', 'pass', [suppressed(undefined)]],
    ['a suppression was rejected', 'fail', [suppressed('rejected')]],
    ['a suppression is under review', 'fail', [suppressed('underReview')]],
    ['one of two suppressions was rejected', 'fail', [suppressed('accepted', 'rejected')]],
    ['the list of suppressions is empty', 'fail', [finding({ suppressions: [] })]],
    ['a result is no longer there', 'pass', [finding({ baselineState: 'absent' })]],
    ['a result was there before', 'fail', [finding({ baselineState: 'unchanged' })]],
    ['a result is new', 'fail', [finding({ baselineState: 'new' }), finding({ baselineState: 'absent' })]],
  ])('if %s: %s', async (_, status, results) => {
    expect(await statusWith(results)).toBe(status);
  });

  it.each<[string, Status, object[] | undefined, object]>([
    ['it has no list of results', 'none', undefined, {}],
    ['its list of results is null', 'none', undefined, { results: null }],
    ['its results are in another file', 'none', undefined, { externalPropertyFileReferences: { results: [{}] } }],
    ['it failed', 'none', [], { invocations: [{ executionSuccessful: false }] }],
    ['it failed after a finding', 'fail', [finding()], { invocations: [{ executionSuccessful: false }] }],
    [
      'it failed after a result that passes',
      'none',
      [finding({ kind: 'pass' })],
      { invocations: [{ executionSuccessful: false }] },
    ],
    [
      'one of its invocations failed',
      'none',
      [],
      { invocations: [{ executionSuccessful: true }, { executionSuccessful: false }] },
    ],
    ['a signal ended it', 'none', [], { invocations: [{ exitSignalName: 'SIGKILL' }] }],
    ['it never started', 'none', [], { invocations: [{ processStartFailureMessage: 'Not found' }] }],
    ['it succeeded', 'pass', [], { invocations: [{ executionSuccessful: true, exitCode: 0 }] }],
    ['it has no invocations', 'pass', [], { invocations: [] }],
  ])('if %s, the run says: %s', async (_, status, results, fields) => {
    expect(await statusWith(results, fields)).toBe(status);
    const { tool, ...others } = sarifRun([RULE], results, fields);
    expect((await statusesOf(sarifLog({ ...others, tool }), 79))['CWE-79']).toBe(status);
  });

  const overriding = (...overrides: [object, object?][]) => ({
    invocations: overrides.map(([configuration, descriptor = { id: 'xss' }]) => ({
      executionSuccessful: true,
      ruleConfigurationOverrides: [{ descriptor, configuration }],
    })),
  });
  const OFF = { ...RULE, defaultConfiguration: { enabled: false } };

  it.each<[string, Status, object, object]>([
    ['is disabled by default', 'none', OFF, {}],
    ['is disabled by default and enabled for the run', 'pass', OFF, overriding([{ enabled: true }])],
    ['is disabled by default and has another level in the run', 'none', OFF, overriding([{ level: 'note' }])],
    ['is disabled for the run by id', 'none', RULE, overriding([{ enabled: false }])],
    ['is disabled for the run by index', 'none', RULE, overriding([{ enabled: false }, { index: 0 }])],
    ['is disabled for one of two invocations', 'none', RULE, overriding([{ enabled: true }], [{ enabled: false }])],
    ['is enabled while another one is disabled', 'pass', RULE, overriding([{ enabled: false }, { id: 'other' }])],
    ['has another level in the run', 'pass', RULE, overriding([{ level: 'note' }])],
  ])('that %s has no results: %s', async (_, status, rule, fields) => {
    expect(await statusWith([], fields, rule)).toBe(status);
  });

  it('has no verdict if the tool reports an error of the rule', async () => {
    const notified = (level: string) => ({
      invocations: [
        {
          executionSuccessful: true,
          toolExecutionNotifications: [{ level, associatedRule: { id: 'xss' }, message: {} }],
        },
      ],
    });
    expect(await statusWith([], notified('error'))).toBe('none');
    expect(await statusWith([], notified('note'))).toBe('pass');
  });

  it('fails if a disabled rule has a finding', async () => {
    expect(await statusWith([finding()], {}, OFF)).toBe('fail');
  });

  it('fails with its sub-rules, with the same CWE or another one', async () => {
    const results = [{ ruleId: 'CA3001/1', message: { text: 'x' } }];
    expect(await statusesOf(sarifLog(sarifRun([sarifRule('CA3001', 89)], results)))).toEqual({ 'CWE-89': 'fail' });
    const rules = [sarifRule('CA3001', 89), sarifRule('CA3001/1', 79), sarifRule('CA3002', 22)];
    expect(await statusesOf(sarifLog(sarifRun(rules, results)))).toEqual({
      'CWE-89': 'fail',
      'CWE-79': 'fail',
      'CWE-22': 'pass',
    });
  });

  it('is one rule if it is listed twice', async () => {
    expect(await statusesOf(sarifLog(sarifRun([RULE, RULE], [finding()])))).toEqual({ 'CWE-79': 'fail' });
  });

  it('passes only if a rule for the weakness is listed, or a result says so', async () => {
    expect(await statusesOf(sarifLog(sarifRun([], [])), 79)).toEqual({ 'CWE-79': 'none' });
    const results = [
      { ruleId: 'CWE-79', kind: 'pass' },
      { ruleId: 'CWE-89', suppressions: [{ kind: 'inSource' }] },
    ];
    expect(await statusesOf(sarifLog(sarifRun([], results)), 89)).toEqual({ 'CWE-79': 'pass', 'CWE-89': 'none' });
  });
});

describe('A SARIF log with several runs', () => {
  it('has the outcomes of each run and tool', async () => {
    const failing = sarifRun([RULE], [finding()]);
    const clean = {
      ...sarifRun([RULE, sarifRule('sqli', 89)], []),
      tool: { driver: { name: 'Other', rules: [RULE] } },
    };
    const crashed = sarifRun([sarifRule('path', 22)], [], { invocations: [{ executionSuccessful: false }] });
    const { outcomes, warnings } = await readInPieces(sarifLog(failing, clean, crashed, { tool: {} }));
    expect(outcomes.map(({ tool, passed, failed }) => [tool, passed, failed])).toEqual([
      ['Scan', 0, 1],
      ['Other', 1, 0],
      ['Scan', 0, 0],
    ]);
    expect(warnings).toEqual(['The run of Scan failed, so it verifies nothing: only its findings count.']);
  });

  it('keeps the results of a run apart from those of the run before it', async () => {
    const log = sarifLog({ tool: { driver: { name: 'a', rules: [RULE] } } }, sarifRun([sarifRule('sqli', 89)], []));
    expect(await statusesOf(log, 79)).toEqual({ 'CWE-79': 'none', 'CWE-89': 'pass' });
    expect((await readInPieces(log)).warnings).toEqual([
      'The run of a has no list of results, so it verifies nothing.',
    ]);
  });

  it('explains that a run without rules verifies nothing, and what records a correction', async () => {
    const { outcomes, warnings } = await readInPieces(sarifLog(sarifRun([], [])));
    expect(outcomes).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(/^The run of Scan lists no rules, .* nothing passes\. .* analysis note: .*`replace`\.$/),
    ]);
  });

  it('is rejected if it has too many runs or components', async () => {
    const runs = Array.from({ length: 1001 }, () => sarifRun([], []));
    await expect(readInPieces(sarifLog(...runs), 4096)).rejects.toThrow('more than 1000 runs');
    const extensions = Array.from({ length: 101 }, (_, n) => ({ name: `e${n}` }));
    await expect(readInPieces(sarifLog({ tool: { extensions } }), 4096)).rejects.toThrow('more than 100 components');
  });
});

describe('The CWEs of a SARIF log', () => {
  it('are found in extensions, in which results refer to rules by index', async () => {
    const tool = {
      driver: { name: 'CodeQL', rules: [sarifRule('diagnostic', 1)] },
      extensions: [
        { name: 'codeql/java-queries', rules: [sarifRule('java/path', 22)] },
        { name: 'codeql/js-queries', guid: 'ABC', rules: [sarifRule('js/xss', 79), sarifRule('js/sqli', 89)] },
      ],
    };
    const found = { message: { text: 'x' } };
    for (const rule of [
      { id: 'js/sqli', index: 1, toolComponent: { index: 1 } },
      { index: 1, toolComponent: { index: 1 } },
      { index: 1, toolComponent: { guid: 'abc' } },
      { index: 1, toolComponent: { name: 'codeql/js-queries' } },
      { id: 'js/sqli' },
    ])
      expect([rule, await statusesOf(sarifLog({ tool, results: [{ rule, ...found }] }))]).toEqual([
        rule,
        { 'CWE-1': 'pass', 'CWE-22': 'pass', 'CWE-79': 'pass', 'CWE-89': 'fail' },
      ]);
  });

  const TAXONOMY = {
    name: 'CWE',
    guid: 'F2856FC0-85B7-373F-83E7-6F8582243547',
    taxa: [{ id: '20' }, { id: '338', guid: 'b2' }],
  };
  const target = (fields: object) => ({ relationships: [{ target: fields, kinds: ['superset'] }] });

  it.each<[string, object]>([
    ['the name of the taxonomy', target({ id: '338', toolComponent: { name: 'CWE' } })],
    ['the guid of the taxonomy', target({ id: '338', toolComponent: { guid: TAXONOMY.guid.toLowerCase() } })],
    ['the index of the taxonomy', target({ id: '338', toolComponent: { index: 0 } })],
    ['the index of the entry', target({ index: 1, toolComponent: { index: 0 } })],
    ['the guid of the entry', target({ guid: 'B2', toolComponent: { name: 'CWE' } })],
    ['an id with the name of the taxonomy', target({ id: 'CWE-338', toolComponent: { name: 'CWE', guid: 'x' } })],
    [
      'the guid of the public taxonomy',
      target({ id: '338', toolComponent: { guid: 'FFC64C90-42B6-44CE-8BEB-F6B7DAE649E5' } }),
    ],
    ['a property with a text', { properties: { cwe: 'CWE-338: Weak generator' } }],
    ['a property with a list', { properties: { cwe: ['cwe-338'] } }],
    ['a property with a number', { properties: { 'cwe-id': 338 } }],
    ['a property with digits', { properties: { CWE: ['338'] } }],
    ['a property with objects', { properties: { cwes: [{ id: 338 }] } }],
    ['a tag as CodeQL writes it', { properties: { tags: ['external/cwe/cwe-338'] } }],
  ])('are found by %s', async (_, fields) => {
    const log = sarifLog(
      sarifRun([{ id: 'G404', ...fields }], [{ ruleId: 'G404', ruleIndex: 0 }], { taxonomies: [TAXONOMY] }),
    );
    expect(await statusesOf(log)).toEqual({ 'CWE-338': 'fail' });
  });

  it('are found in results', async () => {
    for (const fields of [{ properties: { cwe: 'CWE-338' } }, { taxa: [{ index: 1, toolComponent: { index: 0 } }] }]) {
      const log = sarifLog(sarifRun([{ id: 'r' }], [{ ruleId: 'r', ...fields }], { taxonomies: [TAXONOMY] }));
      expect(await statusesOf(log)).toEqual({ 'CWE-338': 'fail' });
    }
  });

  it('are found by a guid that only the driver names', async () => {
    const driver = {
      name: 'gosec',
      supportedTaxonomies: [{ name: 'CWE', guid: 'AA-1' }],
      rules: [{ id: 'G404', ...target({ id: '338', toolComponent: { guid: 'aa-1' } }) }],
    };
    expect(await statusesOf(sarifLog({ tool: { driver }, results: [] }))).toEqual({ 'CWE-338': 'pass' });
  });

  it('are not those of other taxonomies and of unrelated entries', async () => {
    const rules = [
      { id: 'a', ...target({ id: '338', toolComponent: { name: 'OWASP' } }) },
      { id: 'b', relationships: [{ target: { id: '338', toolComponent: { name: 'CWE' } }, kinds: ['disjoint'] }] },
      { id: 'c', properties: { cwe: null, cwes: {}, 'cwe-ids': 'none' } },
    ];
    expect(await statusesOf(sarifLog(sarifRun(rules, [])), 338)).toEqual({ 'CWE-338': 'none' });
  });
});
