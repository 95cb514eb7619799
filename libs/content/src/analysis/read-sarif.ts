import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { REPORT_LIMITS, type ReportContent, type ReportReader, UnreadableReport } from './report-limits.js';
import { assertFewSubjects } from './report-outcomes.js';
import { type Counted, SarifRun } from './sarif-run.js';

const OPENING = new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);
const CLOSING = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]);

/** The parts of a run that are read. Each is assembled before it is examined, so none may contain another one. */
const PARTS = [
  'results.*',
  'tool.driver.name',
  'tool.driver.guid',
  'tool.driver.rules.*',
  'tool.driver.taxa.*',
  'tool.driver.supportedTaxonomies.*',
  'tool.extensions.*.name',
  'tool.extensions.*.guid',
  'tool.extensions.*.rules.*',
  'tool.extensions.*.taxa.*',
  'taxonomies.*.name',
  'taxonomies.*.guid',
  'taxonomies.*.taxa.*',
  'invocations.*.executionSuccessful',
  'invocations.*.exitSignalName',
  'invocations.*.processStartFailureMessage',
  'invocations.*.ruleConfigurationOverrides.*',
  'invocations.*.toolConfigurationNotifications.*',
  'invocations.*.toolExecutionNotifications.*',
].map((part) => part.split('.'));

/** The number of open lists and objects in a run: the log, the list of runs and the run. */
const DEPTH_OF_RUN = 3;

/** The parser's position in a SARIF log. */
class Position {
  /** The open lists and objects, each with the name of its property (empty for entries of lists). */
  private readonly open: string[] = [];
  private lastText = '';
  private name = '';
  private run = 0;
  private hasRuns = false;
  /** The depth of the part that is being assembled. */
  private partDepth: number | undefined;

  /** @param onResults is called for each run with a list of results */
  constructor(private readonly onResults: (run: string) => void) {}

  take({ token, value }: { readonly token: TokenType; readonly value: unknown }): void {
    if (OPENING.has(token)) this.enter(token === TokenType.LEFT_BRACKET);
    else if (CLOSING.has(token)) this.leave();
    else if (token === TokenType.STRING) this.lastText = String(value);
    else if (token === TokenType.COMMA && this.depth === DEPTH_OF_RUN - 1 && this.open[1] === 'runs') this.run += 1;
    this.name = token === TokenType.COLON ? this.lastText : '';
  }

  get depth(): number {
    return this.open.length;
  }

  /** Whether the log has a list of runs. */
  get runs(): boolean {
    return this.hasRuns;
  }

  /** Whether the position is within a part that is being assembled. */
  get isWithinPart(): boolean {
    return this.partDepth !== undefined;
  }

  private enter(isList: boolean): void {
    if (isList && this.depth === 1 && this.name === 'runs') this.hasRuns = true;
    if (isList && this.depth === DEPTH_OF_RUN && this.open[1] === 'runs' && this.name === 'results')
      this.onResults(String(this.run));
    this.open.push(this.name);
    if (this.partDepth === undefined && this.open[1] === 'runs' && PARTS.some((part) => this.isAt(part)))
      this.partDepth = this.depth;
  }

  private leave(): void {
    this.open.pop();
    if (this.partDepth !== undefined && this.depth < this.partDepth) this.partDepth = undefined;
  }

  private isAt(part: readonly string[]): boolean {
    return (
      this.depth === DEPTH_OF_RUN + part.length &&
      part.every((name, index) => this.open[DEPTH_OF_RUN + index] === (name === '*' ? '' : name))
    );
  }
}

/** Parses a log one part at a time, so that only one rule or result is in memory. */
class LogParser {
  private readonly position: Position;
  private readonly tokens = new Tokenizer();
  private readonly values = new TokenParser({
    paths: PARTS.map((part) => ['$.runs.*', ...part].join('.')),
    keepStack: false,
  });
  /** Number of tokens in the current part. */
  private size = 0;

  constructor(log: SarifLog) {
    this.position = new Position((run) => {
      log.run(run).hasResults = true;
    });
    this.tokens.onToken = (token) => this.take(token);
    this.values.onValue = ({ value, key, stack }) => {
      const [, , run, ...path] = [...stack.map((place) => place.key), key].map(String);
      log.run(run ?? '').take(path, value);
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
    this.size = this.position.isWithinPart ? this.size + 1 : 0;
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

/** The runs of a log. */
class SarifLog {
  private readonly runs = new Map<string, SarifRun>();
  private readonly counts = { rules: 0, references: 0 };

  /** A run by its index. Throws `UnreadableReport` if there are too many. */
  run(index: string): SarifRun {
    const present = this.runs.get(index);
    if (present) return present;
    if (this.runs.size === REPORT_LIMITS.runs)
      throw new UnreadableReport(`The report has more than ${REPORT_LIMITS.runs} runs.`);
    const run = new SarifRun((what) => this.count(what));
    this.runs.set(index, run);
    return run;
  }

  get content(): ReportContent {
    const runs = [...this.runs.values()];
    const outcomes = runs.flatMap((run) => run.outcomes);
    assertFewSubjects(outcomes);
    return {
      outcomes,
      warnings: [...new Set(runs.flatMap(({ warning }) => warning ?? []))],
    };
  }

  private count(what: Counted): void {
    this.counts[what] += 1;
    if (this.counts[what] > REPORT_LIMITS.rules)
      throw new UnreadableReport(`The report has more than ${REPORT_LIMITS.rules} rules.`);
  }
}

/**
 * Reads a SARIF log. A rule fails if it has results. It passes if it has none, provided that it was checked: it is
 * enabled, and its run did not fail and has a list of results. Rules and results may come in any order.
 */
export function sarifReader(): ReportReader {
  const log = new SarifLog();
  const parser = new LogParser(log);
  return {
    write: (piece) => parser.write(piece),
    end: () => {
      parser.end();
      return log.content;
    },
  };
}
