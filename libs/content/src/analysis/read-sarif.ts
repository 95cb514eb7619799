import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { SarifRules } from './sarif-rules.js';
import { REPORT_LIMITS, type ReportReader, UnreadableReport, type Verdicts } from './verdicts.js';

const OPENING = new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);
const CLOSING = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]);

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

/** Takes a log apart: never more than one of its rules and results is put together at once. */
class LogParser {
  private readonly place = new Place();
  private readonly tokens = new Tokenizer();
  private readonly values = new TokenParser({
    // Nothing around these may be asked for: the parser would keep all that is in it.
    paths: ['$.runs.*.results.*', '$.runs.*.tool.driver.rules.*'],
    keepStack: false,
  });
  /** Tokens of the rule or result that is being read. */
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
    guarded(() => this.tokens.write(piece));
  }

  end(): void {
    guarded(() => {
      if (!this.tokens.isEnded) this.tokens.end();
      if (!this.values.isEnded) this.values.end();
    });
    if (!this.place.runs) throw new UnreadableReport('This is no SARIF log: it has no list "runs".');
  }

  private take(token: Parameters<Tokenizer['onToken']>[0]): void {
    this.place.take(token);
    if (this.place.depth > REPORT_LIMITS.depth)
      throw new UnreadableReport(`Values are nested deeper than ${REPORT_LIMITS.depth} levels.`);
    this.size = this.place.isWithinEntry ? this.size + 1 : 0;
    if (this.size > REPORT_LIMITS.tokens) throw new UnreadableReport('A rule or result of the report is too large.');
    this.values.write(token);
  }
}

/** Turns the parser's own errors into ones for whoever sent the report. */
function guarded(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (error instanceof UnreadableReport) throw error;
    throw new UnreadableReport(`This is no JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

/**
 * A SARIF log: a rule that names countermeasures or CWEs fails where it has results, and passes where it has none.
 * Results are read one by one; a log may mention them before or after its rules.
 */
export function sarifReader(verdicts: Verdicts): ReportReader {
  const rules = new SarifRules();
  const log = new LogParser(rules);
  return {
    write: (piece) => log.write(piece),
    end: () => {
      log.end();
      rules.note(verdicts);
    },
  };
}
