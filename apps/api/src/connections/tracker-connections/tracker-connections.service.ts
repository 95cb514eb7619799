import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { concealing, notUsed, unusable } from '#domain/connections/connector/tracker-access.js';
import {
  connectionToChange,
  createTrackerConnection,
  removeTrackerConnection,
  updateTrackerConnection,
} from '#domain/connections/tracker-connection/tracker-connection.commands.js';
import {
  checkConnection,
  type ConnectionFindings,
  errorsOf,
  findingsOf,
} from '#domain/connections/tracker-sync/connection-check.js';
import { type Preview, previewRun } from '#domain/connections/tracker-sync/preview.js';
import { findSyncedConnection, type SyncedConnection } from '#domain/connections/tracker-sync/sync-items.js';
import { requestRun } from '#domain/connections/tracker-sync/sync-queue.js';
import { trackerName, TrackerOpener } from '#domain/connections/tracker-sync/tracker-opener.js';
import { tryIssue } from '#domain/connections/tracker-sync/trial-issue.js';
import type { Actor } from '#domain/kernel/actor.js';
import { Invalid, NotFound } from '#domain/kernel/domain-errors.js';
import { inRolledBackTransaction, inTransaction } from '#domain/kernel/transaction.js';
import { Settings } from '#platform/injected.js';
import { publicOrigin } from '#platform/public-origin.js';
import { TrackerBusy, TrackerLacks, type TrackerProject, TrackerRefusal } from '#trackers/issue.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { JsonText } from '../../http/listing/responses.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { UnlessChanged } from '../../http/request.js';
import type { ChangeTrackerConnection, CreateTrackerConnection } from './tracker-connections.dto.js';

/** The result of a test of a connection. */
interface ConnectionTest extends ConnectionFindings {
  readonly success: boolean;
  readonly error: string | null;
  /** Where the issue is that was created. */
  readonly issue: string | null;
}

/** The result of a request to a tracker, or why there is none. */
type Asked<T> =
  | { readonly result: T; readonly error?: never }
  | { readonly result?: never; readonly error: string; readonly lacks?: TrackerLacks['what'] | undefined };

/** The fields that name something that the tracker must have. */
const NAMING_FIELDS = [
  'connector',
  'project_key',
  'issue_type',
  'fields',
  'priority_map',
  'status_to_tracker',
  'tracker_to_status',
] as const satisfies readonly (keyof ChangeTrackerConnection)[];

/** Whether a change can make runs fail that did not fail before: also if they start by themselves from now on. */
const concernsTracker = (changes: ChangeTrackerConnection): boolean =>
  NAMING_FIELDS.some((name) => changes[name] !== undefined) || (changes.frequency ?? 'manually') !== 'manually';

const typeOf = ({ issueType }: SyncedConnection): string | undefined => (issueType === '' ? undefined : issueType);

const fits = (found: ConnectionFindings): boolean => !found.missing_fields.length && !found.problems.length;

@Injectable()
export class TrackerConnectionsService extends ResourceService {
  constructor(
    em: EntityManager,
    reads: Reads,
    private readonly opener: TrackerOpener,
    private readonly settings: Settings,
  ) {
    super(em, reads);
  }

  async create(
    actor: Actor,
    project: string,
    input: CreateTrackerConnection,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    await this.assertFits(actor, (em) => createTrackerConnection(em, actor, project, input));
    return this.createAndRead(readRequest, (em) => createTrackerConnection(em, actor, project, input));
  }

  async update(
    actor: Actor,
    project: string,
    id: string,
    changes: ChangeTrackerConnection,
    readRequest: ReadRequest,
    unlessChanged: UnlessChanged,
  ): Promise<JsonText> {
    const save = (em: EntityManager) => updateTrackerConnection(em, actor, project, id, changes);
    if (concernsTracker(changes)) await this.assertFits(actor, (em) => save(em).then(() => id));
    return unlessChanged(() => this.changeAndRead(id, readRequest, save));
  }

  remove(actor: Actor, project: string, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeTrackerConnection(em, actor, project, id));
  }

  sync(actor: Actor, project: string, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => requestRun(em, actor, project, id));
  }

  async test(actor: Actor, project: string, id: string, createIssue: boolean): Promise<ConnectionTest> {
    const connection = await this.find(actor, project, id);
    const { result, error } = await this.ask(actor, connection, async (tracker) => {
      const findings = findingsOf(checkConnection(connection, await tracker.describe(typeOf(connection))));
      if (!createIssue || !fits(findings)) return { ...findings, issue: null };
      const { url, problem } = await tryIssue(connection, tracker);
      return { ...findings, problems: problem === undefined ? [] : [problem], issue: url };
    });
    if (error !== undefined) return { success: false, error, missing_fields: [], problems: [], issue: null };
    return { success: fits(result), error: null, ...result };
  }

  /** Throws `Invalid` if the tracker can't be asked. */
  async preview(actor: Actor, project: string, id: string): Promise<Preview> {
    const connection = await this.find(actor, project, id);
    const { result, error } = await this.ask(actor, connection, (tracker) =>
      previewRun(this.em, connection, tracker, publicOrigin(this.settings)),
    );
    if (error !== undefined) throw new Invalid({ non_field_errors: [error] });
    return result;
  }

  /**
   * Throws `Invalid` if the tracker does not have what a connection will name. `save` stores it, which is undone. A
   * tracker that can't be asked prevents nothing: it may be under maintenance, and runs say why they fail.
   *
   * A transaction does not wait for a tracker. There is one already in a composite request, and for an
   * `Idempotency-Key`: nothing is asked then.
   */
  private async assertFits(actor: Actor, save: (em: EntityManager) => Promise<string>): Promise<void> {
    if (this.em.isInTransaction()) return;
    const connection = await inRolledBackTransaction(this.em, actor, async (em) =>
      findSyncedConnection(em, Number(await save(em))),
    );
    if (!connection) throw new NotFound();
    const asked = await this.ask(actor, connection, (tracker) => tracker.describe(typeOf(connection)));
    if (asked.error === undefined) {
      const errors = errorsOf(checkConnection(connection, asked.result));
      if (Object.keys(errors).length) throw new Invalid(errors);
    } else if (asked.lacks) throw new Invalid({ [asked.lacks]: [asked.error] });
  }

  /** Finds a connection of a project that the actor leads. The tracker is asked after the transaction has ended. */
  private async find(actor: Actor, project: string, id: string): Promise<SyncedConnection> {
    const found = await inTransaction(this.em, actor, async (em) => {
      const { connection } = await connectionToChange(em, actor, project, id);
      return findSyncedConnection(em, connection.id);
    });
    if (!found) throw new NotFound();
    return found;
  }

  private async ask<T>(
    actor: Actor,
    connection: SyncedConnection,
    request: (tracker: TrackerProject) => Promise<T>,
  ): Promise<Asked<T>> {
    const name = trackerName(connection);
    const timeoutMilliseconds = this.opener.requestSeconds * 1000;
    const waiting = { actor, timeoutMilliseconds, notReached: notUsed(name), unreachable: unusable(name) };
    try {
      return await concealing(waiting, async () => request(await this.opener.open(connection)));
    } catch (error) {
      if (error instanceof TrackerLacks) return { error: error.message, lacks: error.what };
      if (error instanceof TrackerRefusal || error instanceof TrackerBusy) return { error: error.message };
      throw error;
    }
  }
}
