import type { RuleOutcome } from '#domain/projects/project-countermeasure/analysis-report.rules.js';
import { REPORT_LIMITS, UnreadableReport } from './report-limits.js';
import { Taxonomies } from './sarif-cwes.js';
import {
  addSubjects,
  addTaxa,
  countResult,
  mergeResults,
  noResults,
  type Results,
  ruleOfResult,
} from './sarif-results.js';
import { type Rule, SarifRules } from './sarif-rules.js';
import { type DescriptorReference, name, plain, referenceOf } from './sarif-values.js';

/** Results that refer to the same rule in the same way. The rule may come later in the log. */
interface ReferringResults {
  readonly reference: DescriptorReference;
  readonly results: Results;
}

/** Explains a clean report of a tool that lists only the rules with findings, such as Trivy and gosec. */
const NO_RULES =
  'lists no rules, so it does not say what was checked, and nothing passes. If findings of earlier reports are ' +
  'corrected, record this for each countermeasure with an analysis note: `status` `pass`, `behaviour` `replace`.';

/** What the configuration of a run says about a rule. */
interface Configured {
  readonly reference: DescriptorReference;
  readonly enabled: boolean;
}

/** Parts of a log whose number is limited: rules, and different references of results to them. */
export type Counted = 'rules' | 'references';

/** Collects a run of a SARIF log, part by part, and derives what it says about each rule. */
export class SarifRun {
  /** Whether the run has a list of results. Without it, nothing was scanned. */
  hasResults = false;
  private hasFailed = false;
  private tool = '';
  private readonly rules: SarifRules;
  private readonly taxonomies = new Taxonomies();
  private readonly referring = new Map<string, ReferringResults>();
  private readonly configured: Configured[] = [];

  /** @param counted is called for each rule and reference, and throws if the log has too many */
  constructor(private readonly counted: (what: Counted) => void) {
    this.rules = new SarifRules(() => counted('rules'));
  }

  /** Takes the value at a path within the run. Throws `UnreadableReport` if there are too many rules. */
  take(path: readonly string[], value: unknown): void {
    const [part = '', , place = ''] = path;
    if (part === 'results') this.addResult(value);
    else if (part === 'invocations') this.addInvocation(path.slice(2), value);
    else if (part === 'taxonomies') this.addToComponent(`taxonomies ${String(path[1])}`, path.slice(2), value);
    else if (path[1] === 'driver') this.addToComponent('driver', path.slice(2), value);
    else this.addToComponent(`extensions ${place}`, path.slice(3), value);
  }

  /** What the run says about each rule. Call it after the whole log was read. */
  get outcomes(): RuleOutcome[] {
    const byRule = new Map<Rule, Results>(this.rules.all.map((rule) => [rule, noResults()]));
    const undeclared: RuleOutcome[] = [];
    for (const { reference, results } of this.referring.values()) {
      const rules = this.rules.find(reference);
      for (const [index, rule] of rules.entries())
        mergeResults(byRule.get(rule) ?? noResults(), results, { areCounted: index === 0 });
      // Without a rule, only results that say so are passes.
      if (!rules.length) undeclared.push(this.outcomeOf(reference.id ?? 'unnamed', results, results.counts.passed > 0));
    }
    const configured = this.configuredRules();
    const declared = [...byRule].map(([rule, results]) => {
      addSubjects(results, rule.subjects);
      addTaxa(results, rule.taxa);
      const { passed, unchecked } = results.counts;
      const isEnabled = configured.get(rule) ?? rule.enabledByDefault;
      return this.outcomeOf(rule.id, results, isEnabled && (passed > 0 || unchecked === 0));
    });
    return [...declared, ...undeclared];
  }

  /** Why nothing passes in the run, if so. */
  get warning(): string | undefined {
    const run = this.tool ? `The run of ${this.tool}` : 'A run';
    if (this.hasFailed) return `${run} failed, so it verifies nothing: only its findings count.`;
    if (!this.hasResults) return `${run} has no list of results, so it verifies nothing.`;
    return this.rules.all.length || this.referring.size ? undefined : `${run} ${NO_RULES}`;
  }

  private outcomeOf(id: string, results: Results, mayPass: boolean): RuleOutcome {
    const { counts, findings, taxa } = results;
    addSubjects(
      results,
      [...taxa.values()].flatMap((taxon) => this.taxonomies.cwesOf(taxon)),
    );
    const hasPassed = mayPass && this.hasResults && !this.hasFailed && !counts.failed && !counts.open;
    return {
      tool: this.tool,
      ids: [id],
      rules: 1,
      results: results.total,
      subjects: [...results.subjects],
      passed: hasPassed ? Math.max(1, counts.passed) : 0,
      failed: counts.failed,
      findings,
    };
  }

  private addResult(entry: unknown): void {
    const result = plain(entry);
    const reference = ruleOfResult(result);
    const key = JSON.stringify(reference);
    let referring = this.referring.get(key);
    if (!referring) {
      this.counted('references');
      referring = { reference, results: noResults() };
      this.referring.set(key, referring);
    }
    countResult(referring.results, result);
  }

  private addToComponent(place: string, [part = '', index = '']: readonly string[], value: unknown): void {
    if (part === 'rules') this.rules.add(place, Number(index), value);
    else if (part === 'taxa') this.taxonomies.addTaxon(place, Number(index), value);
    else if (part === 'supportedTaxonomies') this.taxonomies.addSupported(value);
    else {
      const known = { [part]: part === 'guid' ? name(value)?.toLowerCase() : name(value) };
      this.taxonomies.describe(place, known);
      if (!place.startsWith('taxonomies')) this.rules.describe(place, known);
      if (place === 'driver' && part === 'name') this.tool = name(value) ?? '';
    }
  }

  private addInvocation([part = '']: readonly string[], value: unknown): void {
    if (part === 'ruleConfigurationOverrides') {
      const { configuration, descriptor } = plain(value);
      const { enabled } = plain(configuration);
      if (typeof enabled === 'boolean') this.configure({ reference: referenceOf(descriptor), enabled });
    } else if (part.endsWith('Notifications')) {
      const { level, associatedRule } = plain(value);
      if (level === 'error' && associatedRule)
        this.configure({ reference: referenceOf(associatedRule), enabled: false });
    } else if (part === 'executionSuccessful') this.hasFailed ||= value === false;
    else this.hasFailed ||= typeof value === 'string';
  }

  private configure(configured: Configured): void {
    this.configured.push(configured);
    if (this.configured.length > REPORT_LIMITS.subjects)
      throw new UnreadableReport(`The report configures more than ${REPORT_LIMITS.subjects} rules.`);
  }

  /** Whether the invocations enable the rules that they configure: all of them have to. */
  private configuredRules(): Map<Rule, boolean> {
    const configured = new Map<Rule, boolean>();
    for (const { reference, enabled } of this.configured) {
      const [rule] = this.rules.find(reference);
      if (rule) configured.set(rule, enabled && configured.get(rule) !== false);
    }
    return configured;
  }
}
