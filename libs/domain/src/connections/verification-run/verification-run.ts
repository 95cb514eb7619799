import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Configuration } from '#platform/configuration.js';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import { OutboundClient } from '#platform/outbound/outbound-client.js';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { visibleVersion } from '../../library/customization/customization.sql.js';
import { applyAnalysisReport } from '../../projects/project-countermeasure/analysis-report.commands.js';
import type { RuleOutcome } from '../../projects/project-countermeasure/analysis-report.rules.js';
import type { Merge } from '../../projects/project-countermeasure/project-countermeasure.rules.js';
import { projectCountermeasures } from '../../projects/project-countermeasure/project-countermeasure.sql.js';
import { checkSonarQube, sonarQubeAccess } from '../connector/check-sonarqube.js';
import { openParams } from '../connector/connector.params.js';
import { type ConnectorParams, paramsErrors, SONARQUBE } from '../connector/connector.rules.js';
import { type LeasedConnection, verificationLease } from '../leased-connection/leased-connection.js';
import { nextRunOf } from '../tracker-connection/schedule.js';
import { SonarQubeProject, VerificationRefusal } from './sonarqube-project.js';

/** Longer responses are cut off: a page has up to 500 issues. */
const MAX_RESPONSE_BYTES = 16_000_000;

/** A connection with its connector, and what a run asks about. */
export interface VerifiedConnection {
  readonly projectKey: string;
  readonly branch: string;
  readonly merge: Merge;
  readonly updateStatus: boolean;
  readonly system: string;
  readonly params: ConnectorParams;
  readonly sealedSecrets: string;
  /** The weaknesses of the accepted countermeasures. */
  readonly cwes: readonly number[];
  /** When the run began, in the format of the database. */
  readonly startedAt: string;
}

/** Finds what a run needs to know. Throws `LeaseLost`. */
export async function beginVerification(em: EntityManager, lease: LeasedConnection): Promise<VerifiedConnection> {
  await verificationLease.hold(em, lease);
  const { organizationId, projectId } = lease;
  const { rows } = await sql<VerifiedConnection>`
    SELECT c.project_key AS "projectKey", c.branch, c.merge, c.update_status AS "updateStatus", k.system, k.params,
      k.sealed_secrets AS "sealedSecrets", now()::text AS "startedAt",
      ARRAY(SELECT DISTINCT unnest((${visibleVersion('weakness', ['cwes'], sql`item.weakness_id`, organizationId)}))
        FROM ${projectCountermeasures(organizationId)} item
        WHERE item.project_id = ${projectId} AND item.accepted ORDER BY 1) AS cwes
    FROM verification_connection c JOIN connector k ON k.id = c.connector_id WHERE c.id = ${lease.id}`.execute(
    em.getKysely(),
  );
  const [connection] = rows;
  if (!connection) throw new Error('The connection that is held does not exist.');
  return connection;
}

/** Stores the results of a run. Throws `LeaseLost`. */
export async function applyVerification(
  em: EntityManager,
  actor: Actor,
  lease: LeasedConnection,
  { projectKey, branch, merge, updateStatus, system, startedAt }: VerifiedConnection,
  outcomes: readonly RuleOutcome[],
): Promise<void> {
  await verificationLease.hold(em, lease);
  const { verified } = await applyAnalysisReport(em, actor, String(lease.projectId), {
    system,
    source: branch === '' ? projectKey : `${projectKey} (${branch})`,
    session: `${system}-${lease.id}-${lease.fence}`,
    outcomes,
    merge,
    updatesStatus: updateStatus,
  });
  await end(em, lease, startedAt, 'succeeded', sql`error = NULL, verified = ${verified.length}`);
}

/** Records that a run failed. Throws `LeaseLost`. */
export async function failVerification(
  em: EntityManager,
  lease: LeasedConnection,
  { startedAt }: Pick<VerifiedConnection, 'startedAt'>,
  error: string,
): Promise<void> {
  await verificationLease.hold(em, lease);
  await end(em, lease, startedAt, 'failed', sql`error = ${error}`);
}

/** Ends a run, and the lease. Someone may have asked for another one since it began. */
async function end(
  em: EntityManager,
  lease: LeasedConnection,
  startedAt: string,
  outcome: 'succeeded' | 'failed',
  values: Sql,
): Promise<void> {
  const next = sql`CASE WHEN item.due_at <= ${startedAt}::timestamptz THEN ${nextRunOf('item')} ELSE item.due_at END`;
  await verificationLease.change(em, lease, sql`due_at = ${next}`);
  await verificationLease.end(em, lease, outcome, sql`finished_at = clock_timestamp(), ${values}`);
}

/** Reads the results of verification tools. */
export class VerificationReader {
  /** How long a request may take. */
  readonly requestSeconds: number;
  private readonly client: OutboundClient;

  constructor(
    { connectionAllowPrivate, connectionTimeoutSeconds }: Configuration,
    private readonly secrets: SecretBox,
  ) {
    this.requestSeconds = connectionTimeoutSeconds;
    this.client = new OutboundClient({
      allowPrivate: connectionAllowPrivate,
      schemes: ['https:', 'http:'],
      timeoutMilliseconds: connectionTimeoutSeconds * 1000,
      maximumResponseBytes: MAX_RESPONSE_BYTES,
    });
  }

  /**
   * Checks the server and the token first, like the test of a connector.
   *
   * @throws OutboundFailure if there is no response
   * @throws UnrecognizedServer if the server is not such a tool
   * @throws VerificationRefusal if the tool has no results
   */
  async read(connection: VerifiedConnection): Promise<RuleOutcome[]> {
    const { system, projectKey, branch, cwes } = connection;
    const params = openParams(connection, this.secrets);
    if (system !== SONARQUBE || paramsErrors(system, params))
      throw new VerificationRefusal('The connector has no `url` or no `token` of SonarQube.');
    const access = sonarQubeAccess(params);
    const error = await checkSonarQube(this.client, access);
    if (error !== undefined) throw new VerificationRefusal(error);
    return new SonarQubeProject(this.client, access, projectKey, branch).outcomes(cwes);
  }
}
