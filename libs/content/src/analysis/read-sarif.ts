import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import {
  countFinding,
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

function addSubjects({ subjects }: RuleOutcome, { id, name, ruleId, properties }: Plain): void {
  for (const subject of subjectsIn([text(id), text(name), text(ruleId), ...texts(plain(properties)['tags'])]))
    if (subjects.size < REPORT_LIMITS.keys) subjects.add(subject);
}

/** Where in a log its reader is. */
class Place {
  /** The open lists and objects, each by the name of the member that it is, where it is one. */
  private readonly open: string[] = [];
  private lastText = '';
  private name = '';
  private hasRuns = false;

  take({ token, value }: { readonly token: TokenType; readonly value: unknown }): void {
    if (OPENING.has(token)) {
      if (token === TokenType.LEFT_BRACKET && this.depth === 1 && this.name === 'runs') this.hasRuns = true;
      this.open.push(this.name);
    } else if (CLOSING.has(token)) this.open.pop();
    else if (token === TokenType.STRING) this.lastText = String(value);
    this.name = token === TokenType.COLON ? this.lastText : '';
  }

  get depth(): number {
    return this.open.length;
  }

  /** Whether there was a list of runs. */
  get runs(): boolean {
    return this.hasRuns;
  }

  /** Whether it is within a rule or a result: they are put together before they are looked at. */
  get isWithinEntry(): boolean {
    const [, runs, , list, driver, rules] = this.open;
    if (runs !== 'runs') return false;
    if (list === 'results') return this.depth > 4;
    return list === 'tool' && driver === 'driver' && rules === 'rules' && this.depth > 6;
  }
}

/**
 * A SARIF log: a rule that names countermeasures or CWEs fails where it has results, and passes where it has none.
 * Results are read one by one; a log may tell of them before or after its rules.
 */
export function sarifReader(verdicts: Verdicts): ReportReader {
  const outcomes = new Map<string, RuleOutcome>();
  const ids = new Map<string, string>();
  const place = new Place();
  let size = 0;

  const refuseMoreThan = (rules: number): void => {
    if (rules > REPORT_LIMITS.subjects)
      throw new UnreadableReport(`The report has more than ${REPORT_LIMITS.subjects} rules.`);
  };
  const outcomeOfRule = (key: string): RuleOutcome => {
    const outcome = outcomes.get(key) ?? { subjects: new Set(), findings: new Map(), passed: 0 };
    outcomes.set(key, outcome);
    refuseMoreThan(outcomes.size);
    return outcome;
  };
  const result = (run: string, item: Plain): void => {
    const index = item['ruleIndex'] ?? plain(item['rule'])['index'];
    const id = text(item['ruleId']) ?? text(plain(item['rule'])['id']);
    const outcome = outcomeOfRule(id === undefined ? `${run} #${String(index)}` : `${run} ${id}`);
    addSubjects(outcome, item);
    const said = outcomeOf(item);
    if (said === 'passed') outcome.passed += 1;
    if (said !== 'failed') return;
    countFinding(outcome.findings, descriptionOf(text(plain(item['message'])['text']) ?? id ?? 'A finding'), 1);
  };
  const rule = (run: string, index: string, item: Plain): void => {
    const id = text(item['id']) ?? `#${index}`;
    ids.set(`${run} #${index}`, `${run} ${id}`);
    refuseMoreThan(ids.size);
    addSubjects(outcomeOfRule(`${run} ${id}`), item);
  };

  const tokens = new Tokenizer();
  const values = new TokenParser({
    // Nothing around these may be asked for: the parser would keep all that is in it.
    paths: ['$.runs.*.results.*', '$.runs.*.tool.driver.rules.*'],
    keepStack: false,
  });
  tokens.onToken = (token) => {
    place.take(token);
    if (place.depth > REPORT_LIMITS.depth)
      throw new UnreadableReport(`Values are nested deeper than ${REPORT_LIMITS.depth} levels.`);
    size = place.isWithinEntry ? size + 1 : 0;
    if (size > REPORT_LIMITS.tokens) throw new UnreadableReport('A rule or result of the report is too large.');
    values.write(token);
  };
  values.onValue = ({ value, key, stack }) => {
    if (stack.at(-1)?.key === 'results') result(String(stack[2]?.key), plain(value));
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
      if (!place.runs) throw new UnreadableReport('This is no SARIF log: it has no list "runs".');
      for (const [byIndex, byId] of ids) {
        const indexed = outcomes.get(byIndex);
        if (!indexed || byIndex === byId) continue;
        const named = outcomeOfRule(byId);
        for (const subject of indexed.subjects) named.subjects.add(subject);
        for (const [finding, count] of indexed.findings) countFinding(named.findings, finding, count);
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
