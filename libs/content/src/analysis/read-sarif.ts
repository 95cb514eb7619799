import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { SarifRules } from './sarif-rules.js';
import { REPORT_LIMITS, type ReportReader, UnreadableReport, type Verdicts } from './verdicts.js';

const OPENING = new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);
const CLOSING = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]);

/** The parser's position in a SARIF log. */
class Position {
  /** The open lists and objects, each with the name of its property (empty for entries of lists). */
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

  /** Whether the log has a list of runs. */
  get runs(): boolean {
    return this.hasRuns;
  }

  /** Whether the position is within a rule or result. These are assembled before they are examined. */
  get isWithinEntry(): boolean {
    const [, runs, , list, driver, rules] = this.open;
    if (runs !== 'runs') return false;
    if (list === 'results') return this.depth > 4;
    return list === 'tool' && driver === 'driver' && rules === 'rules' && this.depth > 6;
  }
}

/** Parses a log one rule or result at a time, so that only one of them is in memory. */
class LogParser {
  private readonly position = new Position();
  private readonly tokens = new Tokenizer();
  private readonly values = new TokenParser({
    // Paths must not include any parent of these: the parser would keep its whole content.
    paths: ['$.runs.*.results.*', '$.runs.*.tool.driver.rules.*'],
    keepStack: false,
  });
  /** Number of tokens in the current rule or result. */
  private size = 0;

  constructor(rules: SarifRules) {
    this.tokens.onToken = (token) => this.take(token);
    this.values.onValue = ({ value, key, stack }) => {
      const run = String(stack[2]?.key);
      if (stack.at(-1)?.key === 'results') rules.addResult(run, value);
      else rules.addRule(run, String(key), value);
    };
  }

  write(piece: string): void {
    withReportErrors(() => this.tokens.write(piece));
  }

  end(): void {
    withReportErrors(() => {
      if (!this.tokens.isEnded) this.tokens.end();
      if (!this.values.isEnded) this.values.end();
    });
    if (!this.position.runs) throw new UnreadableReport('The file is not a SARIF log: it has no list "runs".');
  }

  private take(token: Parameters<Tokenizer['onToken']>[0]): void {
    this.position.take(token);
    if (this.position.depth > REPORT_LIMITS.depth)
      throw new UnreadableReport(`Values are nested deeper than ${REPORT_LIMITS.depth} levels.`);
    this.size = this.position.isWithinEntry ? this.size + 1 : 0;
    if (this.size > REPORT_LIMITS.tokens) throw new UnreadableReport('A rule or result of the report is too large.');
    this.values.write(token);
  }
}

/** Converts errors of the parser to `UnreadableReport`. */
function withReportErrors(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (error instanceof UnreadableReport) throw error;
    throw new UnreadableReport(`The file is not valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

/**
 * Reads a SARIF log: a rule that names countermeasures or CWEs fails if it has results and passes if it has none. A log
 * may contain results before or after their rules.
 */
export function sarifReader(verdicts: Verdicts): ReportReader {
  const rules = new SarifRules();
  const log = new LogParser(rules);
  return {
    write: (piece) => log.write(piece),
    end: () => {
      log.end();
      rules.record(verdicts);
    },
  };
}
