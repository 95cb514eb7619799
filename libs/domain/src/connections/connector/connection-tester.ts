import { setTimeout } from 'node:timers/promises';
import type { Configuration } from '#platform/configuration.js';
import { type OutboundAnswer, OutboundClient } from '#platform/outbound/outbound-client.js';
import { OutboundFailure } from '#platform/outbound/outbound-failure.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid } from '../../kernel/domain-errors.js';
import {
  type ConnectorKind,
  type ConnectorParams,
  givenParams,
  paramsProblems,
  SONARQUBE,
  systemName,
} from './connector.rules.js';

/** What came of a test. */
export interface ConnectionResult {
  readonly success: boolean;
  readonly error: string | null;
}

/** Of an answer no more is read: the two that are asked for are short. */
const MAXIMUM_ANSWER_BYTES = 10_000;

const STATUS_PATH = '/api/system/status';
const CREDENTIALS_PATH = '/api/authentication/validate';

/** SonarQube's words for its own state. */
const STATUS_WORD = /^[A-Z_]{1,40}$/;

/** What users see of a failure if they may not find out which addresses and ports answer. */
const UNREACHABLE = 'SonarQube is not reachable. A super-user who tests the connection sees why.';

/** Nothing that is known to be SonarQube has answered. The message may be shown to super-users. */
class NotReached extends Error {}

const failure = (error: string): ConnectionResult => ({ success: false, error });

/** A member of the object that an answer is; undefined where it is none. Nothing else of an answer is ever told. */
function memberOf({ text }: OutboundAnswer, name: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}

/** Asks tools whether they can be reached, and changes nothing: neither there nor here. */
export class ConnectionTester {
  private readonly client: OutboundClient;
  private readonly timeoutMilliseconds: number;

  constructor(configuration: Configuration) {
    this.timeoutMilliseconds = configuration.connectionTimeoutSeconds * 1000;
    this.client = new OutboundClient({
      allowPrivate: configuration.connectionAllowPrivate,
      schemes: ['https:', 'http:'],
      timeoutMilliseconds: this.timeoutMilliseconds,
      maximumAnswerBytes: MAXIMUM_ANSWER_BYTES,
    });
  }

  /**
   * Tests whether a system can be reached by these parameters. What SonarQube itself answers is reported to everyone.
   * Only super-users learn why it was not reached. Others learn it neither from the text nor from the time the test
   * takes: else whoever may test connections could scan hosts and ports.
   *
   * @throws Invalid where they are no parameters for the system
   */
  async test(actor: Actor, kind: ConnectorKind, system: string, sent: ConnectorParams): Promise<ConnectionResult> {
    const params = givenParams(sent);
    const problems = paramsProblems(system, params);
    if (problems) throw new Invalid({ params: problems });
    if (system !== SONARQUBE) return failure(`${systemName(kind, system)} is not supported yet`);
    const began = performance.now();
    try {
      return await this.askSonarQube(String(params['url']), String(params['token']));
    } catch (error) {
      if (!(error instanceof OutboundFailure || error instanceof NotReached)) throw error;
      if (actor.isSuperUser) return failure(`SonarQube was not reached. ${error.message}`);
      await setTimeout(Math.max(this.timeoutMilliseconds - (performance.now() - began), 0));
      return failure(UNREACHABLE);
    }
  }

  private async askSonarQube(url: string, token: string): Promise<ConnectionResult> {
    const base = url.replace(/(?<!\/)\/+$/, '');
    // Every release takes a token as the name of a user without a password.
    const authorization = `Basic ${Buffer.from(`${token.trim()}:`).toString('base64')}`;
    const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<OutboundAnswer> =>
      this.client.send({
        method: 'GET',
        url: base + path,
        headers: { Accept: 'application/json', 'User-Agent': 'Merlon', ...headers },
      });
    // At the same time, so that both together have the time of one.
    const [status, credentials] = await Promise.all([
      ask(STATUS_PATH),
      ask(CREDENTIALS_PATH, { Authorization: authorization }),
    ]);
    return statusProblem(status) ?? credentialsProblem(credentials) ?? { success: true, error: null };
  }
}

/** What keeps SonarQube from being used. Throws `NotReached` where what answered can't be told to be SonarQube. */
function statusProblem(answer: OutboundAnswer): ConnectionResult | undefined {
  if (answer.status !== 200) throw new NotReached(`Its host answered ${answer.status} to ${STATUS_PATH}.`);
  const status = memberOf(answer, 'status');
  if (status === 'UP') return undefined;
  if (typeof status === 'string' && STATUS_WORD.test(status))
    return failure(`SonarQube is not ready: its status is ${status}.`);
  throw new NotReached(`What answered ${STATUS_PATH} is no SonarQube.`);
}

function credentialsProblem(answer: OutboundAnswer): ConnectionResult | undefined {
  if (answer.status === 401 || answer.status === 403) return failure('SonarQube does not accept the token.');
  if (answer.status !== 200) return failure(`SonarQube answered ${answer.status} to ${CREDENTIALS_PATH}.`);
  const valid = memberOf(answer, 'valid');
  if (valid === true) return undefined;
  if (valid === false) return failure('SonarQube does not accept the token.');
  return failure(`What answered ${CREDENTIALS_PATH} is no SonarQube.`);
}
