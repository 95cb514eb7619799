import { junitSuite, readInPieces, verdictsOf } from '#test/support/analysis-reports.js';

const read = async (report: string) => verdictsOf(await readInPieces(report));

const statusOf = async (testCase: string): Promise<string> => {
  const [passed = 0, failed = 0] = (await read(junitSuite(testCase)))['T58'] ?? [];
  return failed ? 'fail' : passed ? 'pass' : 'none';
};

describe('A test of a JUnit report', () => {
  it.each([
    ['<testcase name="T58"/>', 'pass'],
    ['<testcase name="T58" time="0.1" status="run" result="completed"/>', 'pass'],
    ['<testcase name="T58" status="Passed"/>', 'pass'],
    ['<testcase name="DISABLED_T58_x" status="notrun" result="suppressed" time="0"/>', 'none'],
    ['<testcase name="T58_seeds" status="run" result="skipped"/>', 'none'],
    ['<testcase name="T58" status="skipped"/>', 'none'],
    ['<testcase name="T58" status="disabled"/>', 'none'],
    ['<testcase name="T58" status="something else"/>', 'none'],
    ['<testcase name="T58" skipped="true"/>', 'none'],
    ['<testcase name="T58" executed="False"/>', 'none'],
    ['<testcase name="T58"><skipped message="no"/></testcase>', 'none'],
    ['<testcase name="T58"><disabled/></testcase>', 'none'],
    ['<testcase name="T58"><ignored/></testcase>', 'none'],
    ['<testcase name="T58" status="failed"/>', 'fail'],
    ['<testcase name="T58" result="FAILURE"/>', 'fail'],
    ['<testcase name="T58" status="run" result="error"/>', 'fail'],
    ['<testcase name="T58"><failure/><skipped/></testcase>', 'fail'],
    ['<testcase name="T58"><skipped/><error/></testcase>', 'fail'],
    ['<testcase name="T58"><failure><![CDATA[a < b]]></failure></testcase>', 'fail'],
    ['<testcase name="T58"><flakyFailure message="once"/></testcase>', 'pass'],
    ['<testcase name="T58"><system-out><![CDATA[<failure/>]]></system-out></testcase>', 'pass'],
  ])('%s: %s', async (testCase, status) => {
    expect(await statusOf(testCase)).toBe(status);
  });
});

describe('A suite of a JUnit report', () => {
  const TWO = '<testcase name="T1"/><testcase name="T2"><failure message="no"/></testcase>';

  it('passes nothing if it has an error itself, before or after its tests', async () => {
    for (const content of [`<error message="crashed"/>${TWO}`, `${TWO}<error/>`, `<failure/>${TWO}`])
      expect(await read(junitSuite(content))).toEqual({ T2: [0, 1, { 'T2: no': 1 }] });
  });

  it('passes nothing if it announces failures that none of its tests has', async () => {
    expect(await read(junitSuite('<testcase name="T1"/>', 'errors="1"'))).toEqual({});
    expect(await read(junitSuite(TWO, 'tests="2" failures="1" errors="0"'))).toMatchObject({ T1: [1, 0, {}] });
    expect(await read(junitSuite(TWO, 'failures="" errors="x"'))).toMatchObject({ T1: [1, 0, {}] });
  });

  it('can contain others, which its errors affect, but not the reverse', async () => {
    const report = `<testsuites failures="1">
      <testsuite name="outer"><testsuite name="broken"><error/><testcase name="T1"/></testsuite>
        <testcase name="T2"/><testsuite name="inner"><testcase name="T3"/></testsuite></testsuite>
      <testsuite name="crashed"><testsuite><testcase name="T4"/></testsuite><error/></testsuite>
    </testsuites>`;
    expect(await read(report)).toEqual({ T2: [1, 0, {}], T3: [1, 0, {}] });
  });
});

describe('The tests of a JUnit report', () => {
  it('are counted, with the names of those that refer to nothing', async () => {
    const { outcomes } = await readInPieces(
      junitSuite(
        '<testcase name="T1 a"/><testcase name="T1 b"/><testcase name="x"/><testcase name="y"><skipped/></testcase>',
      ),
    );
    expect(outcomes).toMatchObject([
      { subjects: ['T1'], rules: 2, results: 2, passed: 2 },
      { subjects: [], rules: 2, results: 2, ids: ['x', 'y'] },
    ]);
  });
});
