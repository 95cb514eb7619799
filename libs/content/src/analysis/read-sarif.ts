import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import {
  descriptionOf,
  REPORT_LIMITS,
  type ReportReader,
  subjectsIn,
  UnreadableReport,
  type Verdicts,
} from './verdicts.js';

type Plain = Readonly<Record<string, unknown>>;

const plain = (value: unknown): Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : {};
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];

const OPENING = new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);
const CLOSING = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]);

/** What results of one rule amount to, until it is known what the rule is about. */
interface RuleOutcome {
  readonly subjects: Set<string>;
  readonly findings: Map<string, number>;
  passed: number;
}

/** Whether a result says that something is wrong, that all is well, or nothing of either. */
function outcomeOf(result: Plain): 'failed' | 'passed' | 'open' {
  const suppressed = Array.isArray(result['suppressions']) && result['suppressions'].length > 0;
  const kind = text(result['kind']) ?? 'fail';
  if (kind === 'pass') return 'passed';
  return kind === 'fail' && !suppressed && result['level'] !== 'none' ? 'failed' : 'open';
}

const subjectsOf = (item: Plain): string[] => {
  const { id, name, ruleId, properties } = item;
  return subjectsIn([text(id), text(name), text(ruleId), ...texts(plain(properties)['tags'])]);
};

/**
 * A SARIF log: a rule that names countermeasures or CWEs fails where it has results, and passes where it has none.
 * Results are read one by one; a log may tell of them before or after its rules.
 */
export function sarifReader(verdicts: Verdicts): ReportReader {
  const outcomes = new Map<string, RuleOutcome>();
  const ids = new Map<string, string>();
  let depth = 0;
  let runs = false;

  const outcomeOfRule = (key: string): RuleOutcome => {
    const outcome = outcomes.get(key) ?? { subjects: new Set(), findings: new Map(), passed: 0 };
    outcomes.set(key, outcome);
    if (outcomes.size > REPORT_LIMITS.subjects)
      throw new UnreadableReport(`The report has more than ${REPORT_LIMITS.subjects} rules.`);
    return outcome;
  };
  const result = (run: string, item: Plain): void => {
    const index = item['ruleIndex'] ?? plain(item['rule'])['index'];
    const id = text(item['ruleId']) ?? text(plain(item['rule'])['id']);
    const outcome = outcomeOfRule(id === undefined ? `${run} #${String(index)}` : `${run} ${id}`);
    for (const subject of subjectsOf(item)) outcome.subjects.add(subject);
    const said = outcomeOf(item);
    if (said === 'passed') outcome.passed += 1;
    if (said !== 'failed') return;
    const found = descriptionOf(text(plain(item['message'])['text']) ?? id ?? 'A finding');
    const known = outcome.findings.get(found) ?? 0;
    if (known || outcome.findings.size < REPORT_LIMITS.findings) outcome.findings.set(found, known + 1);
  };
  const rule = (run: string, index: string, item: Plain): void => {
    const id = text(item['id']) ?? `#${index}`;
    ids.set(`${run} #${index}`, `${run} ${id}`);
    const outcome = outcomeOfRule(`${run} ${id}`);
    for (const subject of subjectsOf(item)) outcome.subjects.add(subject);
  };

  const tokens = new Tokenizer();
  const values = new TokenParser({
    paths: ['$.runs.*.results.*', '$.runs.*.tool.driver.rules.*', '$.runs'],
    keepStack: false,
  });
  tokens.onToken = (token) => {
    if (OPENING.has(token.token)) depth += 1;
    else if (CLOSING.has(token.token)) depth -= 1;
    if (depth > REPORT_LIMITS.depth)
      throw new UnreadableReport(`Values are nested deeper than ${REPORT_LIMITS.depth} levels.`);
    values.write(token);
  };
  values.onValue = ({ value, key, stack }) => {
    if (stack.length === 1) runs = Array.isArray(value);
    else if (stack.at(-1)?.key === 'results') result(String(stack[2]?.key), plain(value));
    else rule(String(stack[2]?.key), String(key), plain(value));
  };
  const guarded = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      if (error instanceof UnreadableReport) throw error;
      throw new UnreadableReport(`This is no JSON: ${(error as Error).message.slice(0, 200)}`);
    }
  };
  return {
    write: (piece) => guarded(() => tokens.write(piece)),
    end: () => {
      guarded(() => {
        if (!tokens.isEnded) tokens.end();
        if (!values.isEnded) values.end();
      });
      if (!runs) throw new UnreadableReport('This is no SARIF log: it has no list "runs".');
      for (const [byIndex, byId] of ids) {
        const indexed = outcomes.get(byIndex);
        if (!indexed || byIndex === byId) continue;
        const named = outcomeOfRule(byId);
        for (const subject of indexed.subjects) named.subjects.add(subject);
        for (const [finding, count] of indexed.findings)
          named.findings.set(finding, (named.findings.get(finding) ?? 0) + count);
        named.passed += indexed.passed;
        outcomes.delete(byIndex);
      }
      for (const { subjects, findings, passed } of outcomes.values()) {
        for (const [finding, count] of findings) verdicts.note([...subjects], finding, count);
        if (!findings.size) verdicts.note([...subjects], null, Math.max(1, passed));
      }
    },
  };
}
