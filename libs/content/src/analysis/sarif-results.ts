import { countFinding, descriptionOf, REPORT_LIMITS } from './report-limits.js';
import { namedSubjects, taxaOfResult } from './sarif-cwes.js';
import { type DescriptorReference, indexOf, list, name, plain, type Plain, referenceOf, text } from './sarif-values.js';

/**
 * What one result says about its rule. Results that are accepted or no longer there say nothing; `unchecked` ones say
 * that there was nothing to check, and `open` ones that someone or something has to decide.
 */
type Outcome = 'failed' | 'passed' | 'open' | 'unchecked' | 'ignored';

/** A finding is suppressed if no suppression of it was rejected or is still under review. */
function isSuppressed({ suppressions }: Plain): boolean {
  const all = list(suppressions).map(plain);
  return all.length > 0 && all.every(({ status }) => status === undefined || status === null || status === 'accepted');
}

function outcomeOf(result: Plain): Outcome {
  if (result['baselineState'] === 'absent') return 'ignored';
  const kind = text(result['kind']) ?? 'fail';
  if (kind === 'pass') return 'passed';
  if (kind === 'notApplicable' || kind === 'informational') return 'unchecked';
  if (kind !== 'fail') return 'open';
  if (isSuppressed(result)) return 'ignored';
  // A failure has a level. Tools also write `none` for results whose severity they don't know.
  return result['level'] === 'none' ? 'open' : 'failed';
}

/** The results with one reference to a rule, or those of one rule. */
export interface Results {
  readonly subjects: Set<string>;
  readonly taxa: Map<string, DescriptorReference>;
  readonly findings: Map<string, number>;
  readonly counts: Record<Outcome, number>;
  /** The number of results that do not belong to a more specific rule. */
  total: number;
}

export const noResults = (): Results => ({
  subjects: new Set(),
  taxa: new Map(),
  findings: new Map(),
  counts: { failed: 0, passed: 0, open: 0, unchecked: 0, ignored: 0 },
  total: 0,
});

/** Adds subjects, up to the limit. */
export function addSubjects({ subjects }: Results, added: readonly string[]): void {
  for (const subject of added) if (subjects.size < REPORT_LIMITS.keys) subjects.add(subject);
}

/** Adds references to taxonomies, up to the limit. */
export function addTaxa({ taxa }: Results, added: readonly DescriptorReference[]): void {
  for (const taxon of added) if (taxa.size < REPORT_LIMITS.keys) taxa.set(JSON.stringify(taxon), taxon);
}

/** Adds the results of a reference to those of the rule. */
export function mergeResults(total: Results, part: Results, { areCounted }: { readonly areCounted: boolean }): void {
  addSubjects(total, [...part.subjects]);
  addTaxa(total, [...part.taxa.values()]);
  if (areCounted) total.total += part.total;
  for (const [finding, count] of part.findings) countFinding(total.findings, finding, count);
  for (const outcome of Object.keys(part.counts) as Outcome[]) total.counts[outcome] += part.counts[outcome];
}

/** The rule that a result refers to: by its own properties, or by `rule`. */
export function ruleOfResult(result: Plain): DescriptorReference {
  const reference = referenceOf(result['rule']);
  return {
    ...reference,
    id: name(result['ruleId']) ?? reference.id,
    index: indexOf(result['ruleIndex']) ?? reference.index,
  };
}

/** Counts an entry of `results`. */
export function countResult(results: Results, result: Plain): void {
  addSubjects(results, namedSubjects({ ruleId: result['ruleId'], properties: result['properties'] }));
  addTaxa(results, taxaOfResult(result));
  const outcome = outcomeOf(result);
  results.counts[outcome] += 1;
  results.total += 1;
  if (outcome !== 'failed') return;
  const { text: message, markdown } = plain(result['message']);
  const finding = text(message) ?? text(markdown) ?? ruleOfResult(result).id ?? 'A finding';
  countFinding(results.findings, descriptionOf(finding), 1);
}
