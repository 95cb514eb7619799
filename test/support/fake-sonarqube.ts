import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response of SonarQube to a path: JSON with a status, a plain text, or none. */
export type SonarQubeResponse =
  | { readonly status?: number; readonly body: unknown }
  | { readonly text: string }
  | 'hang';

/** A fake SonarQube: HTTP on a loopback address. */
export interface FakeSonarQube {
  /** Its address, with a path, as behind a proxy. */
  readonly url: string;
  /** The requested paths, in order. */
  readonly requests: readonly string[];
  /** Sets the responses to these paths; other paths get the default response. */
  answer(answers: Readonly<Record<string, SonarQubeResponse>>): void;
  /** Creates or replaces a branch of a project; the empty name is that of the main one. */
  setBranch(project: string, branch: string, content: SonarQubeBranch): void;
  stop(): Promise<void>;
}

/** The only token that it accepts. */
export const SONARQUBE_TOKEN = 'squ_5f2c1e';

/** A rule, and the weaknesses that it is about. */
export interface SonarQubeRule {
  readonly key: string;
  readonly name: string;
  readonly cwes: readonly number[];
  readonly language: string;
  /** Whether the quality profile of its language contains it. */
  readonly active?: boolean;
}

/** What an analysis found in a branch. */
export interface SonarQubeBranch {
  readonly analysed?: boolean;
  readonly languages: readonly string[];
  readonly rules: readonly SonarQubeRule[];
  /** Open issues. */
  readonly issues?: readonly { readonly rule: string; readonly severity: string }[];
  readonly hotspots?: readonly {
    readonly rule: string;
    readonly status: 'TO_REVIEW' | 'REVIEWED';
    readonly resolution?: 'ACKNOWLEDGED' | 'FIXED' | 'SAFE';
  }[];
}

const NOT_FOUND: SonarQubeResponse = { status: 404, body: { errors: [{ msg: 'Component key not found' }] } };

/** The quality profile of a language. There are profiles for languages that no project has. */
const profileOf = (language: string): string => `profile-${language}`;

/** The page of a list that a request asks for. */
function pageOf<Item>(items: readonly Item[], query: URLSearchParams): { page: readonly Item[]; paging: object } {
  const [number, size] = [Number(query.get('p') ?? 1), Number(query.get('ps') ?? 100)];
  if (number * size > 10_000) return { page: [], paging: { pageIndex: number, pageSize: size, total: -1 } };
  const page = items.slice((number - 1) * size, number * size);
  return { page, paging: { pageIndex: number, pageSize: size, total: items.length } };
}

/** What SonarQube returns for a path about a branch. */
function responseFor(
  path: string,
  query: URLSearchParams,
  key: string,
  branch: SonarQubeBranch | undefined,
  everyRule: readonly SonarQubeRule[],
): SonarQubeResponse | undefined {
  if (path === '/api/rules/search') {
    const rules = everyRule.filter(({ cwes }) => cwes.includes(Number(query.get('cwe'))));
    const { page, paging } = pageOf(rules, query);
    const actives = page
      .filter(({ active = true }) => active)
      .map(({ key: rule, language }) => [rule, [{ qProfile: profileOf(language) }]]);
    const shown = page.map(({ key: rule, name }) => ({ key: rule, name }));
    return { body: { paging, rules: shown, actives: Object.fromEntries(actives) } };
  }
  if (!/\/(project_analyses|measures|qualityprofiles|issues|hotspots)\//.test(path)) return undefined;
  if (!branch) return NOT_FOUND;
  const { languages, issues = [], hotspots = [], analysed = true } = branch;
  switch (path) {
    case '/api/project_analyses/search':
      return { body: { analyses: analysed ? [{ key: 'AX1', date: '2026-11-29T08:00:00+0000' }] : [] } };
    case '/api/measures/component': {
      const value = languages.map((language) => `${language}=120`).join(';');
      return { body: { component: { key, measures: [{ metric: 'ncloc_language_distribution', value }] } } };
    }
    case '/api/qualityprofiles/search': {
      const all = new Set(everyRule.map(({ language }) => language));
      return { body: { profiles: [...all].map((language) => ({ key: profileOf(language), name: 'x', language })) } };
    }
    case '/api/issues/search': {
      const rules = (query.get('rules') ?? '').split(',');
      const { page, paging } = pageOf(
        issues.filter(({ rule }) => rules.includes(rule)),
        query,
      );
      return { body: { paging, issues: page.map((issue) => ({ ...issue, project: key, status: 'OPEN' })) } };
    }
    case '/api/hotspots/search': {
      const { page, paging } = pageOf(hotspots, query);
      const shown = page.map(({ rule, ...hotspot }) => ({
        ...hotspot,
        ruleKey: rule,
        project: key,
        vulnerabilityProbability: 'HIGH',
      }));
      return { body: { paging, hotspots: shown } };
    }
    default:
      return undefined;
  }
}

const STATUS = '/api/system/status';
const VALIDATE = '/api/authentication/validate';
const FOLDER = '/sonar';

/** Starts a SonarQube that is up and accepts `SONARQUBE_TOKEN`. */
export async function startFakeSonarQube(): Promise<FakeSonarQube> {
  let special: Readonly<Record<string, SonarQubeResponse>> = {};
  const requests: string[] = [];
  const branches = new Map<string, SonarQubeBranch>();
  const everyRule = (): SonarQubeRule[] => [
    ...new Map([...branches.values()].flatMap(({ rules }) => rules.map((rule) => [rule.key, rule]))).values(),
  ];
  const usual = (path: string, { headers }: IncomingMessage): SonarQubeResponse => {
    const expected = `Basic ${Buffer.from(`${SONARQUBE_TOKEN}:`).toString('base64')}`;
    if (path === STATUS) return { body: { id: '20261121', version: '10.7', status: 'UP' } };
    if (path === VALIDATE) return { body: { valid: headers.authorization === expected } };
    const { pathname, searchParams: query } = new URL(path, 'http://sonarqube');
    if (headers.authorization !== expected) return { status: 401, body: {} };
    const key = query.get('project') ?? query.get('components') ?? query.get('component') ?? '';
    const branch = branches.get(`${key} ${query.get('branch') ?? ''}`);
    const found = responseFor(pathname, query, key, branch, everyRule());
    if (found) return found;
    return { status: 404, body: { errors: [{ msg: `Unknown url : ${path}` }] } };
  };
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const path = url.startsWith(FOLDER) ? url.slice(FOLDER.length) : '';
    requests.push(path);
    const answer = special[path] ?? special[path.split('?')[0] ?? ''] ?? usual(path, request);
    if (answer === 'hang') return;
    if ('text' in answer) response.writeHead(200).end(answer.text);
    else
      response
        .writeHead(answer.status ?? 200, { 'Content-Type': 'application/json', Location: '/elsewhere' })
        .end(JSON.stringify(answer.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${FOLDER}`,
    requests,
    answer: (answers) => (special = answers),
    setBranch: (project, branch, content) => branches.set(`${project} ${branch}`, content),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
