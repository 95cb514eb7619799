import { Readable } from 'node:stream';
import { readInPieces, verdictsOf } from '#test/support/analysis-reports.js';
import { readReport } from './read-report.js';
import { REPORT_LIMITS, UnreadableReport } from './report-limits.js';

const read = async (report: string | Buffer, size?: number) => verdictsOf(await readInPieces(report, size));

const rejected = async (report: string | Buffer, size = 4096): Promise<string> => {
  const error: unknown = await read(report, size).catch((caught: unknown) => caught);
  if (!(error instanceof UnreadableReport)) throw new Error(`Not refused: ${JSON.stringify(error)}`);
  return error.message;
};

describe('A JUnit report', () => {
  it('reports passes and failures for the countermeasures and CWEs that its tests refer to', async () => {
    const report = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>
      <testsuites><testsuite name="s">
        <testcase name="T21 hashes passwords" classname="auth.CWE-916"/>
        <testcase name="7-CT3: rejects &lt;script&gt;"><failure message="it was &#39;run&#39;">long text</failure></testcase>
        <testcase name="again CT3"><error message="broke"/><error message="other"/></testcase>
        <testcase name="PT1"><skipped/></testcase>
        <testcase name="by property"><properties><property name="task" value="T22, T23"/></properties></testcase>
        <testcase name="xT99y ST4 T0 TH1"/>
      </testsuite></testsuites>`;
    expect(await read(report)).toEqual({
      T21: [1, 0, {}],
      'CWE-916': [1, 0, {}],
      CT3: [0, 2, { "7-CT3: rejects <script>: it was 'run'": 1, 'again CT3: broke': 1 }],
      T22: [1, 0, {}],
      T23: [1, 0, {}],
    });
  });

  it('is rejected if it has a document type declaration or undeclared entities', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>`;
    const outside = `<!DOCTYPE x SYSTEM "file:///etc/passwd"><testsuite/>`;
    for (const report of [bomb, outside]) expect(await rejected(report)).toContain('document type');
    expect(await rejected('<testsuite><testcase name="&a;"/></testsuite>')).toContain('not valid XML');
  });

  it('is rejected if it is malformed, another document, without tests or too complex', async () => {
    expect(await rejected('<testsuite><testcase name="T1"></testsuite>')).toContain('not valid XML');
    expect(await rejected('<html><body/></html>')).toContain('not a JUnit report');
    expect(await rejected('<testsuite/>')).toContain('no test');
    expect(await rejected('<testsuite>')).toContain('not valid XML');
    expect(await rejected('<testsuite>'.repeat(100))).toContain('nested deeper');
    const attributes = Array.from({ length: 300 }, (_, n) => `a${n}="x"`).join(' ');
    expect(await rejected(`<testsuite ${attributes}/>`)).toContain('attributes');
  });
});

describe('A SARIF log', () => {
  const log = (rules: object[], results: object[]): string =>
    JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Scan', rules } }, results }] });

  it('reports failures for rules with results and passes for rules without', async () => {
    const rules = [
      { id: 'js/xss', properties: { tags: ['security', 'external/cwe/cwe-079'] } },
      { id: 'js/sqli', properties: { tags: ['external/cwe/cwe-089'] } },
      { id: 'quiet', name: 'About T5' },
    ];
    const results = [
      { ruleId: 'js/xss', message: { text: 'in /search' } },
      { ruleId: 'js/xss', message: { text: 'in /search' } },
      { ruleIndex: 1, message: { text: 'in /login' } },
      { ruleId: 'quiet', kind: 'pass' },
      { ruleId: 'suppressed T6', suppressions: [{ kind: 'inSource' }], message: { text: 'x' } },
      { ruleId: 'T7', kind: 'notApplicable' },
    ];
    const expected = {
      'CWE-79': [0, 2, { 'in /search': 2 }],
      'CWE-89': [0, 1, { 'in /login': 1 }],
      T5: [1, 0, {}],
    };
    expect(await read(log(rules, results))).toMatchObject(expected);
    const { runs } = JSON.parse(log(rules, results)) as { runs: [{ tool: object; results: object[] }] };
    const turned = JSON.stringify({ runs: [{ results: runs[0].results, tool: runs[0].tool }] });
    expect(await read(turned)).toMatchObject(expected);
  });

  it('is rejected if it is malformed, nested too deeply or without runs', async () => {
    expect(await rejected('{"runs": [')).toContain('not valid JSON');
    expect(await rejected('{"runs": nope}')).toContain('not valid JSON');
    expect(await rejected('{"version": "2.1.0"}')).toContain('runs');
    expect(await rejected(`{"runs": ${'['.repeat(1000)}`)).toContain('nested deeper');
  });
});

describe('A large SARIF log', () => {
  /** A log of one run with these members, as it would come: in pieces of 64 KiB. */
  const readLarge = (members: Iterable<string>) => {
    function* content() {
      yield Buffer.from('{"runs": [{');
      for (const piece of members) yield Buffer.from(piece);
      yield Buffer.from('}]}');
    }
    return readReport(Readable.from(content(), { objectMode: false, highWaterMark: 2 ** 16 }));
  };
  function* listed(name: string, entry: string, times: number) {
    yield `"${name}": [${entry}`;
    for (let n = 1; n < times; n += 1) yield `,${entry}`;
    yield ']';
  }
  const OBJECTS = `[${'{},'.repeat(20_000)}{}]`;

  it('is never held in memory as a whole', async () => {
    let most = 0;
    const before = process.memoryUsage().heapUsed;
    function* watched() {
      for (const piece of listed('results', `{"ruleId": "T1", "locations": ${OBJECTS}}`, 200)) {
        most = Math.max(most, process.memoryUsage().heapUsed - before);
        yield piece;
      }
      yield `, "tool": {"driver": {"other": [${OBJECTS}]}}`;
    }
    const { outcomes } = await readLarge(watched());
    expect(outcomes).toMatchObject([{ subjects: ['T1'], failed: 200 }]);
    expect(most).toBeLessThan(150 * 2 ** 20);
  }, 120_000);

  it.each([
    ['a result', `"results": [{"x": [${`${OBJECTS},`.repeat(20)}0]}]`, 'too large'],
    ['a rule', `"tool": {"driver": {"rules": [{"x": [${`${OBJECTS},`.repeat(20)}0]}]}}`, 'too large'],
    ['an excessive number of rules', `"tool": {"driver": {"rules": [${'{"id": "a"},'.repeat(10_000)}{}]}}`, 'rules'],
  ])('is rejected if %s would exhaust the memory', async (_, members, message) => {
    await expect(readLarge([members])).rejects.toThrow(message);
  });

  it('limits the number of references and the length of the finding that it keeps for a result', async () => {
    const rule = `{"ruleId": "${Array.from({ length: 60 }, (__, n) => `T${n + 1}`).join(' ')}", "message": {"text": "${'x '.repeat(2 ** 20)}"}}`;
    const [outcome] = (await readLarge([`"results": [${rule}]`])).outcomes;
    expect(outcome?.subjects).toHaveLength(REPORT_LIMITS.keys);
    expect([...(outcome?.findings.keys() ?? [])].map((finding) => finding.length)).toEqual([
      REPORT_LIMITS.descriptionLength,
    ]);
  });
});

describe('Any report', () => {
  it('is rejected if it has another format or encoding, is blank or is too large', async () => {
    for (const text of ['T21 passed', '[]', '%PDF-1.7']) expect(await rejected(text)).toContain('neither');
    expect(await rejected('  \n ')).toContain('empty');
    expect(await rejected(Buffer.from('<testsuite name="\xff"/>', 'latin1'))).toContain('UTF-8');
    const huge = Buffer.concat([Buffer.from('<testsuite><!--'), Buffer.alloc(REPORT_LIMITS.bytes, 0x20)]);
    expect(await rejected(huge, 2 ** 20)).toContain('larger than 32 MiB');
  });
});
