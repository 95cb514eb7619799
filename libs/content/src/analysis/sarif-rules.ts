import { countFinding, descriptionOf, REPORT_LIMITS, subjectsIn, UnreadableReport, type Verdicts } from './verdicts.js';

type Plain = Readonly<Record<string, unknown>>;

const plain = (value: unknown): Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : {};
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];

/** The results of one rule so far. The rule itself may come later in the log. */
interface RuleOutcome {
  readonly subjects: Set<string>;
  readonly findings: Map<string, number>;
  passed: number;
}

/** Whether a result reports a failure, a success, or neither. */
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

function rejectMoreThan(rules: number): void {
  if (rules > REPORT_LIMITS.subjects)
    throw new UnreadableReport(`The report has more than ${REPORT_LIMITS.subjects} rules.`);
}

/** Collects rules and results of a SARIF log. A result may refer to a rule that comes later, by id or by index. */
export class SarifRules {
  /** Outcomes by run and rule id; by run and rule index for results without an id. */
  private readonly outcomes = new Map<string, RuleOutcome>();
  /** Run and id of each rule, by run and index. */
  private readonly ids = new Map<string, string>();

  /** Adds an entry of `results`. Throws `UnreadableReport` if there are too many rules. */
  addResult(run: string, entry: unknown): void {
    const result = plain(entry);
    const rule = plain(result['rule']);
    const index = result['ruleIndex'] ?? rule['index'];
    const id = text(result['ruleId']) ?? text(rule['id']);
    const outcome = this.outcomeOfRule(id === undefined ? `${run} #${String(index)}` : `${run} ${id}`);
    addSubjects(outcome, result);
    const ruleOutcome = outcomeOf(result);
    if (ruleOutcome === 'passed') outcome.passed += 1;
    if (ruleOutcome !== 'failed') return;
    countFinding(outcome.findings, descriptionOf(text(plain(result['message'])['text']) ?? id ?? 'A finding'), 1);
  }

  /** Adds an entry of `rules`. Throws `UnreadableReport` if there are too many. */
  addRule(run: string, index: string, entry: unknown): void {
    const rule = plain(entry);
    const key = `${run} ${text(rule['id']) ?? `#${index}`}`;
    this.ids.set(`${run} #${index}`, key);
    rejectMoreThan(this.ids.size);
    addSubjects(this.outcomeOfRule(key), rule);
  }

  /** Records the verdict of each rule. Call it after the whole log was read. */
  record(verdicts: Verdicts): void {
    for (const [byIndex, byId] of this.ids) if (byIndex !== byId) this.mergeIndexedOutcome(byIndex, byId);
    for (const { subjects, findings, passed } of this.outcomes.values()) {
      for (const [finding, count] of findings) verdicts.record([...subjects], finding, count);
      if (!findings.size) verdicts.record([...subjects], null, Math.max(1, passed));
    }
  }

  /** Merges results that refer to a rule by index into those that refer to it by id. */
  private mergeIndexedOutcome(byIndex: string, byId: string): void {
    const indexed = this.outcomes.get(byIndex);
    if (!indexed) return;
    const byIdOutcome = this.outcomeOfRule(byId);
    for (const subject of indexed.subjects) byIdOutcome.subjects.add(subject);
    for (const [finding, count] of indexed.findings) countFinding(byIdOutcome.findings, finding, count);
    byIdOutcome.passed += indexed.passed;
    this.outcomes.delete(byIndex);
  }

  private outcomeOfRule(key: string): RuleOutcome {
    const outcome = this.outcomes.get(key) ?? { subjects: new Set(), findings: new Map(), passed: 0 };
    this.outcomes.set(key, outcome);
    rejectMoreThan(this.outcomes.size);
    return outcome;
  }
}
