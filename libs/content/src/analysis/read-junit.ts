import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { RuleOutcome } from '#domain/projects/project-countermeasure/analysis-report.rules.js';
import { descriptionOf, REPORT_LIMITS, type ReportReader, subjectsIn, UnreadableReport } from './report-limits.js';
import { addOutcome, assertFewSubjects, noOutcome, type OpenOutcome } from './report-outcomes.js';

/** The outcome of a test: `unknown` if it did not run, or if its status means nothing here. */
type TestOutcome = 'passed' | 'failed' | 'unknown';

/** Values of `status` and `result` that tools write for a test that ran. All other values are neither. */
const STATUSES: Readonly<Record<'passed' | 'failed', ReadonlySet<string>>> = {
  passed: new Set(['run', 'executed', 'completed', 'finished', 'pass', 'passed', 'ok', 'success', 'successful']),
  failed: new Set(['fail', 'failed', 'failure', 'error', 'errored', 'broken', 'timeout', 'crashed', 'aborted']),
};
const FAILING = new Set(['failure', 'error', 'rerunFailure', 'rerunError']);
const SKIPPING = new Set(['skipped', 'disabled', 'ignored', 'notrun']);
const YES = /^(?:true|yes|1)$/i;
const NO = /^(?:false|no|0)$/i;

/** A test case of the report whose element is still open. */
interface TestCase {
  readonly texts: string[];
  readonly name: string;
  outcome: TestOutcome;
  finding: string;
}

/** A suite whose element is still open. */
interface Suite {
  /** The tests so far, by what they refer to. */
  readonly outcomes: Map<string, OpenOutcome>;
  /** Number of failures and errors that the suite announces. */
  readonly announced: number;
  /** Number of failures and errors in it. */
  failures: number;
  /** Whether the suite itself has an error, so that its tests may not have run as they should. */
  isBroken: boolean;
}

type Attributes = Readonly<Record<string, string>>;

const countIn = (attributes: Attributes, name: string): number => {
  const count = Number(attributes[name] ?? 0);
  return count > 0 ? count : 0;
};

/** What the attributes of a test say about it. */
function statedOutcome(attributes: Attributes): TestOutcome {
  const stated = ['status', 'result'].flatMap((name) => {
    const status = attributes[name]?.trim().toLowerCase();
    if (!status) return [];
    return STATUSES.failed.has(status) ? ['failed'] : STATUSES.passed.has(status) ? ['passed'] : ['unknown'];
  });
  if (stated.includes('failed')) return 'failed';
  const isOff =
    [...SKIPPING].some((name) => YES.test(attributes[name] ?? '')) ||
    ['executed', 'enabled'].some((name) => NO.test(attributes[name] ?? ''));
  return isOff || stated.includes('unknown') ? 'unknown' : 'passed';
}

/** Collects the tests of a report. */
class Tests {
  tests = 0;
  private readonly suites: Suite[] = [];
  private test: TestCase | undefined;

  opened(name: string, attributes: Attributes): void {
    const { test } = this;
    if (name === 'testsuite' || name === 'testsuites') this.openSuite(attributes);
    else if (name === 'testcase') this.openTest(attributes);
    else if (FAILING.has(name)) this.fail(attributes['message'] ?? '');
    else if (test && SKIPPING.has(name)) test.outcome = test.outcome === 'failed' ? 'failed' : 'unknown';
    else if (test && name === 'property' && test.texts.length < REPORT_LIMITS.attributes)
      test.texts.push(attributes['value'] ?? '');
  }

  closed(name: string): void {
    if (name === 'testcase') this.closeTest();
    else if (name === 'testsuite' || name === 'testsuites') this.closeSuite();
  }

  /** What the tests say about countermeasures, once all suites are closed. */
  readonly outcomes: RuleOutcome[] = [];

  private openSuite(attributes: Attributes): void {
    const announced = countIn(attributes, 'failures') + countIn(attributes, 'errors');
    this.suites.push({ outcomes: new Map(), announced, failures: 0, isBroken: false });
  }

  private openTest(attributes: Attributes): void {
    this.tests += 1;
    const title = attributes['name'] ?? '';
    const outcome = statedOutcome(attributes);
    this.test = { texts: [title, attributes['classname'] ?? ''], name: title, outcome, finding: '' };
    if (outcome === 'failed') this.countFailure();
  }

  private fail(message: string): void {
    this.countFailure();
    const suite = this.suites.at(-1);
    if (this.test) {
      this.test.outcome = 'failed';
      this.test.finding ||= message;
    } else if (suite) suite.isBroken = true;
  }

  private countFailure(): void {
    const suite = this.suites.at(-1);
    if (suite) suite.failures += 1;
  }

  private closeTest(): void {
    const { test } = this;
    const suite = this.suites.at(-1);
    this.test = undefined;
    if (!test || !suite) return;
    const { name, outcome, finding } = test;
    const subjects = subjectsIn(test.texts);
    const hasFailed = outcome === 'failed';
    addTo(suite, {
      tool: '',
      ids: [descriptionOf(name)],
      rules: 1,
      results: 1,
      subjects,
      passed: outcome === 'passed' ? 1 : 0,
      failed: hasFailed ? 1 : 0,
      findings: new Map(hasFailed ? [[descriptionOf(`${name}: ${finding}`), 1]] : []),
    });
  }

  private closeSuite(): void {
    const suite = this.suites.pop();
    if (!suite) return;
    // If the suite announces failures that no test has, some of its tests failed without a trace.
    const isBroken = suite.isBroken || suite.announced > suite.failures;
    const outcomes = [...suite.outcomes.values()];
    if (isBroken) for (const outcome of outcomes) outcome.passed = 0;
    const parent = this.suites.at(-1);
    if (!parent) this.outcomes.push(...outcomes);
    else {
      parent.failures += suite.failures;
      for (const outcome of outcomes) addTo(parent, outcome);
    }
  }
}

/** Adds an outcome to those of a suite. */
function addTo({ outcomes }: Suite, outcome: RuleOutcome): void {
  const key = outcome.subjects.join();
  const total = outcomes.get(key) ?? noOutcome('', outcome.subjects);
  outcomes.set(key, total);
  addOutcome(total, outcome);
}

/**
 * Reads a JUnit report: countermeasures pass or fail with the tests that name them. Tests that did not run, and tests
 * of a suite that has an error itself, do not pass. A document type declaration is rejected, so there are no entities
 * to expand.
 */
export function junitReader(): ReportReader {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const tests = new Tests();
  let depth = 0;
  let attributes = 0;

  const opened = ({ name, attributes: rawAttributes }: SaxesTagPlain): void => {
    depth += 1;
    attributes = 0;
    if (depth > REPORT_LIMITS.depth)
      throw new UnreadableReport(`Elements are nested deeper than ${REPORT_LIMITS.depth} levels.`);
    if (depth === 1 && name !== 'testsuites' && name !== 'testsuite')
      throw new UnreadableReport(`The file is not a JUnit report: its root is <${name.slice(0, 50)}>.`);
    tests.opened(name, rawAttributes);
  };
  const closed = ({ name }: SaxesTagPlain): void => {
    depth -= 1;
    tests.closed(name);
  };

  parser.on('error', (error) => {
    throw new UnreadableReport(`The file is not valid XML: ${error.message.slice(0, 200)}`);
  });
  parser.on('doctype', () => {
    throw new UnreadableReport('XML with a document type is not supported.');
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > REPORT_LIMITS.attributes) throw new UnreadableReport('An element has too many attributes.');
  });
  parser.on('opentag', opened);
  parser.on('closetag', closed);
  return {
    write: (text) => void parser.write(text),
    end: () => {
      parser.close();
      if (!tests.tests) throw new UnreadableReport('The report contains no tests.');
      assertFewSubjects(tests.outcomes);
      return { outcomes: tests.outcomes, warnings: [] };
    },
  };
}
