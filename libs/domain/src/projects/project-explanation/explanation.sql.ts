import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { Sql } from '#query/query-context.js';
import { visibleVersions, visible } from '../../library/customization/customization.sql.js';
import { answered, conditionText, conditionHolds, named, REASON_TEXTS } from '../project-content/condition-text.sql.js';
import { factsJsonOf, type LibraryScope, listsOf, matchingModeOf } from '../project-content/content.sql.js';

/**
 * Every countermeasure of the library and every project-specific one, with the facts of a project. `held_id` is the row
 * in the project, or null.
 */
export const explainedCountermeasures = (project: Sql, scope: LibraryScope): Sql => sql`(
  SELECT p.id AS project_id, ${factsJsonOf(sql`p.id`, matchingModeOf(scope))} AS facts, pc.id AS held_id,
    v.id AS version_id, v.countermeasure_id, v.item_id AS task_id, v.title, v.active, v.weakness_id,
    v.level
  FROM project p CROSS JOIN countermeasure_version v
  LEFT JOIN project_countermeasure pc ON pc.project_id = p.id AND pc.countermeasure_id = v.countermeasure_id
  WHERE p.id = ${project} AND ${visible('countermeasure', 'v', scope.organization)}
  UNION ALL
  SELECT p.id, '{}', own.id, NULL, NULL, 'PT' || own.number, own.title, true, NULL,
    NULL
  FROM project p JOIN project_countermeasure own ON own.project_id = p.id AND own.countermeasure_id IS NULL
  WHERE p.id = ${project})`;

/** The entries in a list of a condition, and whether the project has them; for attributes also their sources. */
function listedItems(list: Sql, context: LibraryScope): Sql {
  const isPresent = sql`item.facts ? listed.id::text`;
  if (!matchingModeOf(context).byAttributes)
    return jsonList(sql`
    SELECT ${jsonObject({
      id: sql`a.item_id`,
      text: sql`a.text`,
      question: jsonObject({ id: sql`q.item_id`, text: sql`q.text` }),
      present: isPresent,
    })} AS entry
      FROM unnest(${list}) WITH ORDINALITY listed(id, ordinal) JOIN survey_answer a ON a.id = listed.id
        JOIN survey_question q ON q.id = a.question_id ORDER BY listed.ordinal`);
  const sources = jsonList(sql`SELECT ${jsonObject({ type: sql`s.type`, ref: sql`s.ref` })} AS entry
    FROM project_attribute_source s WHERE s.project_id = item.project_id AND s.attribute_id = a.id
      ORDER BY s.type, s.ref`);
  return jsonList(sql`
    SELECT ${jsonObject({ id: sql`a.item_id`, text: sql`a.name`, present: isPresent, sources })} AS entry
    FROM unnest(${list}) WITH ORDINALITY listed(id, ordinal) JOIN attribute a ON a.id = listed.id
      ORDER BY listed.ordinal`);
}

/** The conditions of a version, with their entries. */
export const explainedConditions = (kind: 'countermeasure' | 'weakness', version: Sql, context: LibraryScope): Sql => {
  const { required, excluded } = listsOf(matchingModeOf(context));
  return jsonList(
    sql`SELECT ${jsonObject({
      id: sql`m.item_id`,
      db_id: sql`m.db_id`,
      holds: conditionHolds(context),
      required: listedItems(required, context),
      excluded: listedItems(excluded, context),
    })} AS entry FROM match_condition m WHERE ${sql.ref(`m.${kind}_version_id`)} = ${version} ORDER BY m.position`,
  );
};

/** The weakness `w` of a countermeasure, and whether the project has it. */
export const weaknessOf = (value: Sql, context: LibraryScope): Sql =>
  sql`(SELECT ${value} FROM (SELECT w.*, EXISTS (SELECT 1 FROM project_weakness pw
      WHERE pw.project_id = item.project_id AND pw.weakness_id = w.weakness_id) AS in_project
    FROM weakness_version w WHERE w.weakness_id = item.weakness_id
      AND ${visible('weakness', 'w', context.organization)}) w)`;

/** Components `c` that introduce or implement a countermeasure, and whether the project has them. */
export const componentsOf = (context: LibraryScope): Sql => sql`(
  SELECT c.item_id, c.title, c.is_custom, c.number, c.active, c.answer_id, pc.component_id IS NOT NULL AS in_project,
    item.countermeasure_id = ANY(coalesce(pc.tasks_introduced, c.tasks_introduced)) AS introduces,
    item.countermeasure_id = ANY(coalesce(pc.tasks_implemented, c.tasks_implemented)) AS implements
  FROM ${visibleVersions('component', context.organization)} c
  LEFT JOIN project_component pc ON pc.project_id = item.project_id AND pc.component_id = c.component_id)`;

/** Why a component `c` adds the countermeasure, or does not. */
const componentText = sql`'Component ' || ${named(sql`c.title`, sql`c.item_id`)} || ' introduces it'
  || CASE WHEN c.in_project THEN '.' WHEN NOT c.active THEN ', and is hidden.'
  ELSE coalesce((SELECT ', and is added if ' || ${answered('is')}
    FROM survey_answer a JOIN survey_question q ON q.id = a.question_id WHERE a.id = c.answer_id),
    ', but is not in the project, and no answer adds it') || '.' END`;

const weaknessReason = jsonObject({
  effect: sql`'out'`,
  type: sql`'weakness'`,
  ref: sql`w.item_id`,
  text: sql`'Its weakness ' || ${named(sql`w.title`, sql`w.item_id`)} || CASE
    WHEN w.active THEN ' is not in the project.' ELSE ' is inactive in the library.' END`,
});

/** Reasons in this order: why the countermeasure is in the project, why it is not, and what is pending. */
export const reasons = (context: LibraryScope): Sql => {
  const reason = (effect: Sql, type: string, ref: Sql, text: Sql): Sql =>
    sql`${jsonObject({ effect, type: sql.lit(type), ref, text })} AS entry`;
  const none = sql`NULL::text`;
  const [isIn, isOut] = [sql`'in'`, sql`'out'`];
  return sql`
    SELECT ${reason(isIn, 'project', none, sql.lit(REASON_TEXTS.project))} WHERE item.version_id IS NULL
    UNION ALL
    SELECT ${reason(isIn, 'manual', none, sql.lit(REASON_TEXTS.manual))}
    FROM project_countermeasure pc WHERE pc.id = item.held_id AND pc.manually_added
    UNION ALL
    SELECT ${reason(isOut, 'inactive', sql`item.task_id`, sql`'It is inactive in the library.'`)}
      WHERE NOT item.active
    UNION ALL
    SELECT entry FROM (SELECT ${weaknessOf(
      sql`CASE WHEN NOT w.in_project
      THEN ${weaknessReason} END`,
      context,
    )} AS entry) weakness_reason
    WHERE entry IS NOT NULL
    UNION ALL
    SELECT ${reason(
      isOut,
      'level',
      none,
      sql`'It is for projects of level ' || item.level || ' and above, and this project has level ' || p.level || '.'`,
    )} FROM project p WHERE p.id = item.project_id AND p.level < item.level
    UNION ALL
    SELECT ${reason(isIn, 'no_conditions', none, sql.lit(REASON_TEXTS.noConditions))}
    WHERE item.version_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM match_condition m WHERE m.countermeasure_version_id = item.version_id)
    UNION ALL
    (SELECT ${reason(
      sql`CASE WHEN ${conditionHolds(context)} THEN 'in'
      ELSE 'out' END`,
      'condition',
      sql`m.item_id`,
      conditionText(context),
    )}
    FROM match_condition m WHERE m.countermeasure_version_id = item.version_id ORDER BY m.position)
    UNION ALL
    (SELECT ${reason(sql`CASE WHEN c.in_project THEN 'in' ELSE 'out' END`, 'component', sql`c.item_id`, componentText)}
    FROM ${componentsOf(context)} c WHERE c.introduces ORDER BY c.is_custom, c.number)
    UNION ALL
    SELECT ${reason(
      sql`'pending'`,
      'library',
      none,
      sql`CASE WHEN p.content_refresh_locked THEN 'Library changes are not applied to this project.'
        ELSE 'This project has not been updated from the library yet.' END`,
    )}
    FROM project p WHERE p.id = item.project_id AND (p.refresh_due_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM library_change l WHERE l.organization_id = p.organization_id))`;
};
