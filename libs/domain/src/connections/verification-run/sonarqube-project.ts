import { z } from 'zod';
import { jsonObjectOf } from '#platform/outbound/json-object.js';
import type { OutboundClient } from '#platform/outbound/outbound-client.js';
import type { RuleOutcome } from '../../projects/project-countermeasure/analysis-report.rules.js';
import { requestSonarQube, type SonarQubeAccess } from '../connector/check-sonarqube.js';

/** SonarQube accepts the token, but its results can't be used. The message is for everyone in the project. */
export class VerificationRefusal extends Error {}

/** The maximum of SonarQube, for a page and for all pages of a search. */
const PAGE_SIZE = 500;
const MAX_RESULTS = 10_000;

/** So many rules fit into a URL. */
const RULES_PER_SEARCH = 50;

/** Requests for rules that are under way at once. */
const PARALLEL_REQUESTS = 4;

const paging = z.object({ total: z.int() });
const paged = <Shape extends z.ZodRawShape>(shape: Shape) =>
  // Before release 9.8, searches for rules had their total elsewhere.
  z.object({ paging: paging.optional(), total: z.int().optional(), ...shape });

const ANALYSES = z.object({ analyses: z.array(z.object({ key: z.string() })) });
const MEASURES = z.object({
  component: z.object({ measures: z.array(z.object({ metric: z.string(), value: z.string().optional() })) }),
});
const PROFILES = z.object({ profiles: z.array(z.object({ key: z.string(), language: z.string() })) });
const RULES = paged({
  rules: z.array(z.object({ key: z.string(), name: z.string().optional() })),
  actives: z.record(z.string(), z.array(z.object({ qProfile: z.string() }))).optional(),
});
const ISSUES = paged({
  issues: z.array(
    z.object({
      rule: z.string(),
      project: z.string(),
      severity: z.string().optional(),
      impacts: z.array(z.object({ softwareQuality: z.string(), severity: z.string() })).optional(),
    }),
  ),
});
const HOTSPOTS = paged({
  hotspots: z.array(
    z.object({
      ruleKey: z.string().optional(),
      project: z.string(),
      vulnerabilityProbability: z.string(),
      status: z.string(),
      resolution: z.string().optional(),
    }),
  ),
});

type Issue = z.output<typeof ISSUES>['issues'][number];
type Hotspot = z.output<typeof HOTSPOTS>['hotspots'][number];

/** What is known about a rule that checks the project. */
interface CheckedRule {
  readonly name: string;
  readonly cwes: Set<number>;
  readonly findings: Map<string, number>;
  /** Open issues, and hotspots that are a risk. */
  failed: number;
  /** Hotspots that no one has reviewed. */
  unreviewed: number;
}

const severityOf = ({ impacts = [], severity }: Issue): string =>
  impacts.find(({ softwareQuality }) => softwareQuality === 'SECURITY')?.severity ?? severity ?? '';

const totalOf = (page: { readonly paging?: { total: number } | undefined; readonly total?: number | undefined }) =>
  page.paging?.total ?? page.total ?? 0;

/** The results of SonarQube for one branch of a project. */
export class SonarQubeProject {
  private readonly rules = new Map<string, CheckedRule>();

  constructor(
    private readonly client: OutboundClient,
    private readonly access: SonarQubeAccess,
    private readonly key: string,
    private readonly branch: string,
  ) {}

  /**
   * What SonarQube says about weaknesses. A rule passes if it is active for a language of the project and has no open
   * issue. A hotspot that no one has reviewed is no proof, so its rule passes only in part.
   *
   * @param cwes the weaknesses to ask about
   * @throws VerificationRefusal if SonarQube does not show the project, or has not analysed it
   */
  async outcomes(cwes: readonly number[]): Promise<RuleOutcome[]> {
    const profiles = await this.profiles();
    const waiting = [...cwes];
    const ask = async (): Promise<void> => {
      for (let cwe = waiting.pop(); cwe !== undefined; cwe = waiting.pop()) await this.readRules(cwe, profiles);
    };
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, ask));
    const keys = [...this.rules.keys()].sort();
    for (let start = 0; start < keys.length; start += RULES_PER_SEARCH)
      await this.readIssues(keys.slice(start, start + RULES_PER_SEARCH));
    if (keys.length) await this.readHotspots();
    return keys.flatMap((rule) => this.outcomeOf(rule));
  }

  private outcomeOf(key: string): RuleOutcome[] {
    const rule = this.rules.get(key);
    if (!rule) return [];
    const { cwes, failed, unreviewed, findings } = rule;
    return [
      {
        tool: 'SonarQube',
        ids: [key],
        rules: 1,
        results: failed + unreviewed,
        subjects: [...cwes].map((cwe) => `CWE-${cwe}`),
        passed: failed ? 0 : 1,
        failed: failed + unreviewed,
        findings,
      },
    ];
  }

  /** The quality profiles that the last analysis used: those of the languages that the branch contains. */
  private async profiles(): Promise<ReadonlySet<string>> {
    const of = { branch: this.branch };
    const { analyses } = await this.get('/api/project_analyses/search', { project: this.key, ...of, ps: 1 }, ANALYSES);
    if (!analyses.length) throw new VerificationRefusal('SonarQube has not analysed the project yet.');
    const { component } = await this.get(
      '/api/measures/component',
      { component: this.key, ...of, metricKeys: 'ncloc_language_distribution' },
      MEASURES,
    );
    const languages = new Set(
      component.measures
        .flatMap(({ value = '' }) => value.split(';'))
        .map((entry) => entry.slice(0, Math.max(entry.indexOf('='), 0))),
    );
    const { profiles } = await this.get('/api/qualityprofiles/search', { project: this.key }, PROFILES);
    return new Set(profiles.filter(({ language }) => languages.has(language)).map(({ key }) => key));
  }

  /** Remembers the rules for a weakness that are active in one of the profiles. */
  private async readRules(cwe: number, profiles: ReadonlySet<string>): Promise<void> {
    for await (const { rules, actives = {} } of this.pages('/api/rules/search', { cwe, f: 'name,actives' }, RULES))
      for (const { key, name = key } of rules) {
        const active = Object.hasOwn(actives, key) ? actives[key] : undefined;
        if (!active?.some(({ qProfile }) => profiles.has(qProfile))) continue;
        const known = this.rules.get(key);
        if (known) known.cwes.add(cwe);
        else this.rules.set(key, { name, cwes: new Set([cwe]), findings: new Map(), failed: 0, unreviewed: 0 });
      }
  }

  /** Counts the open issues of rules. SonarQube lists only the first 10,000, so it is asked about fewer rules then. */
  private async readIssues(rules: readonly string[]): Promise<void> {
    const parameters = {
      // The name before release 10.2, and the present one.
      componentKeys: this.key,
      components: this.key,
      branch: this.branch,
      rules: rules.join(),
      resolved: 'false',
    };
    for await (const page of this.pages('/api/issues/search', parameters, ISSUES)) {
      if (totalOf(page) > MAX_RESULTS && rules.length > 1) {
        const half = Math.ceil(rules.length / 2);
        await this.readIssues(rules.slice(0, half));
        return this.readIssues(rules.slice(half));
      }
      for (const issue of page.issues) if (issue.project === this.key) this.addIssue(issue);
    }
  }

  private addIssue(issue: Issue): void {
    const rule = this.rules.get(issue.rule);
    if (!rule) return;
    rule.failed++;
    this.addFinding(rule, `${severityOf(issue)} ${issue.rule}: ${rule.name}`);
  }

  private async readHotspots(): Promise<void> {
    const parameters = { projectKey: this.key, project: this.key, branch: this.branch };
    for await (const page of this.pages('/api/hotspots/search', parameters, HOTSPOTS)) {
      if (totalOf(page) > MAX_RESULTS)
        throw new VerificationRefusal('The project has more than 10,000 hotspots, which is more than SonarQube lists.');
      for (const hotspot of page.hotspots) if (hotspot.project === this.key) this.addHotspot(hotspot);
    }
  }

  private addHotspot({ ruleKey, vulnerabilityProbability: severity, status, resolution }: Hotspot): void {
    // Without it, every rule with hotspots would pass.
    if (ruleKey === undefined)
      throw new VerificationRefusal(
        'SonarQube does not say which rules its hotspots belong to: update it to 9.7 or later.',
      );
    const rule = this.rules.get(ruleKey);
    if (!rule) return;
    const isUnreviewed = status === 'TO_REVIEW';
    if (isUnreviewed) rule.unreviewed++;
    else if (resolution === 'ACKNOWLEDGED') rule.failed++;
    else return;
    this.addFinding(rule, `${severity} ${ruleKey}: ${rule.name} (${isUnreviewed ? 'to review' : 'acknowledged'})`);
  }

  private addFinding({ findings }: CheckedRule, text: string): void {
    const finding = text.trim();
    findings.set(finding, (findings.get(finding) ?? 0) + 1);
  }

  /** The pages of a search, up to the last one that SonarQube returns. */
  private async *pages<Page extends { paging?: { total: number } | undefined; total?: number | undefined }>(
    path: string,
    parameters: Readonly<Record<string, string | number>>,
    shape: z.ZodType<Page>,
  ): AsyncGenerator<Page> {
    for (let number = 1; number * PAGE_SIZE <= MAX_RESULTS; number++) {
      const page = await this.get(path, { ...parameters, p: number, ps: PAGE_SIZE }, shape);
      yield page;
      if (number * PAGE_SIZE >= totalOf(page)) return;
    }
  }

  private async get<Body>(
    path: string,
    parameters: Readonly<Record<string, string | number>>,
    shape: z.ZodType<Body>,
  ): Promise<Body> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value !== '') query.set(name, String(value));
    const response = await requestSonarQube(this.client, this.access, `${path}?${query}`, this.access.token);
    if (response.status === 403 || response.status === 404)
      throw new VerificationRefusal('SonarQube does not show the project, or its branch, to this token.');
    if (response.status !== 200) throw new VerificationRefusal(`SonarQube returned ${response.status} for ${path}.`);
    const body = shape.safeParse(jsonObjectOf(response));
    if (!body.success) throw new VerificationRefusal(`The response for ${path} is not from SonarQube.`);
    return body.data;
  }
}
