import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { ParsedQuery } from '#query/parameters.js';
import { conditionOf, queryContextOf } from '#query/statements.js';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { type FoundProject, projectToChange } from '../project-access/find-project.js';
import { MAX_BULK_CHANGES, PROJECT_COUNTERMEASURE_ID } from './project-countermeasure.rules.js';
import { changeCountermeasures } from './change.commands.js';
import { projectCountermeasureProjection } from './project-countermeasure.projection.js';
import { findCountermeasures, type FoundCountermeasure } from './find-countermeasure.js';
import type { BulkChanges } from './project-countermeasure.fields.js';

/** The countermeasures to change: by public id, or those that a filtered list contains. */
export type BulkTarget = { readonly ids: readonly string[] } | { readonly filter: ParsedQuery };

interface RejectedItem {
  readonly id: string;
  readonly errors: FieldErrors;
}

export interface BulkResult {
  readonly changed: number;
  readonly unchanged: number;
  readonly errors: readonly RejectedItem[];
}

interface FoundTarget {
  readonly found: readonly FoundCountermeasure[];
  readonly missing: readonly string[];
}

/** Finds countermeasures by public id. */
async function findByIds(
  em: EntityManager,
  actor: Actor,
  project: FoundProject,
  ids: readonly string[],
): Promise<FoundTarget> {
  const taskIds = new Map(
    ids.map((id) => {
      const [, number, taskId] = PROJECT_COUNTERMEASURE_ID.exec(id) ?? [];
      return [id, number === undefined || Number(number) === project.id ? taskId : undefined] as const;
    }),
  );
  const condition = sql`item.task_id = ANY(${[...taskIds.values()].filter((id) => id !== undefined)}::text[])`;
  const found = await findCountermeasures(em, actor.organizationId, project, condition);
  const foundIds = new Set<string | undefined>(found.map(({ taskId }) => taskId));
  return { found, missing: [...taskIds].flatMap(([id, taskId]) => (foundIds.has(taskId) ? [] : [id])) };
}

/** Finds the countermeasures that a filtered list contains. Throws `Invalid` if they are too many. */
async function findByFilter(
  em: EntityManager,
  actor: Actor,
  project: FoundProject,
  filter: ParsedQuery,
): Promise<FoundTarget> {
  const context = queryContextOf(actor, filter, '');
  const condition = conditionOf(projectCountermeasureProjection, filter, context);
  const found = await findCountermeasures(em, actor.organizationId, project, condition, MAX_BULK_CHANGES + 1);
  if (found.length > MAX_BULK_CHANGES)
    throw new Invalid({ filter: [`It selects more than ${MAX_BULK_CHANGES} countermeasures. Restrict it further.`] });
  return { found, missing: [] };
}

/** Reports errors of the changes under the field that they were sent in. */
async function withinChanges<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    throw error instanceof Invalid ? new Invalid({ changes: error.errors }) : error;
  }
}

/**
 * Changes many countermeasures of a project alike, by the rules of `updateProjectCountermeasure`. Those that do not
 * exist, or can't be changed like this, are reported and left as they are. Throws `NotFound`, `Forbidden`, and
 * `Invalid` if the changes are invalid for all of them.
 */
export async function updateProjectCountermeasures(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  target: BulkTarget,
  { note, ...changes }: BulkChanges,
): Promise<BulkResult> {
  const project = await projectToChange(em, actor, projectId, 'status');
  const { found, missing } =
    'ids' in target
      ? await findByIds(em, actor, project, target.ids)
      : await findByFilter(em, actor, project, target.filter);
  const { changed, rejected } = await withinChanges(
    changeCountermeasures(em, actor, project, found, {
      ...changes,
      ...(note !== undefined && { status_note: note }),
    }),
  );
  return {
    changed,
    unchanged: found.length - changed - rejected.size,
    errors: [
      ...missing.map((id) => ({ id, errors: { id: missingMessages(id) } })),
      ...found.flatMap(({ identity, id }) => {
        const errors = rejected.get(identity);
        return errors ? [{ id, errors }] : [];
      }),
    ],
  };
}
