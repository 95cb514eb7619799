import { SaxesParser, type SaxesTagPlain } from 'saxes';
import {
  descriptionOf,
  REPORT_LIMITS,
  type ReportReader,
  subjectsIn,
  UnreadableReport,
  type Verdicts,
} from './verdicts.js';

/** A test case of the report whose element is still open. */
interface TestCase {
  readonly texts: string[];
  readonly name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  finding: string;
}

/**
 * Reads a JUnit report: countermeasures pass or fail with the tests that name them. A document type declaration is
 * rejected, so there are no entities to expand.
 */
export function junitReader(verdicts: Verdicts): ReportReader {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let attributes = 0;
  let test: TestCase | undefined;
  let tests = 0;

  const opened = ({ name, attributes: rawAttributes }: SaxesTagPlain): void => {
    depth += 1;
    attributes = 0;
    if (depth > REPORT_LIMITS.depth)
      throw new UnreadableReport(`Elements are nested deeper than ${REPORT_LIMITS.depth} levels.`);
    if (depth === 1 && name !== 'testsuites' && name !== 'testsuite')
      throw new UnreadableReport(`The file is not a JUnit report: its root is <${name.slice(0, 50)}>.`);
    if (name === 'testcase') {
      tests += 1;
      const title = rawAttributes['name'] ?? '';
      test = { texts: [title, rawAttributes['classname'] ?? ''], name: title, outcome: 'passed', finding: '' };
    } else if (test && (name === 'failure' || name === 'error')) {
      test.outcome = 'failed';
      test.finding ||= rawAttributes['message'] ?? '';
    } else if (test && name === 'skipped') test.outcome = 'skipped';
    else if (test && name === 'property' && test.texts.length < REPORT_LIMITS.attributes)
      test.texts.push(rawAttributes['value'] ?? '');
  };
  const closed = ({ name }: SaxesTagPlain): void => {
    depth -= 1;
    if (name !== 'testcase' || !test) return;
    const { texts, outcome, finding } = test;
    if (outcome !== 'skipped')
      verdicts.record(subjectsIn(texts), outcome === 'failed' ? descriptionOf(`${test.name}: ${finding}`) : null);
    test = undefined;
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
      if (!tests) throw new UnreadableReport('The report contains no tests.');
    },
  };
}
