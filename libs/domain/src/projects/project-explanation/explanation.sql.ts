import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { visibleVersions, visible } from '../../library/customization/customization.sql.js';
import { visibleProjectId } from '../project-access/project-visibility.js';
import { conditionText, holds, REASON_TEXTS } from '../project-content/condition-text.sql.js';
import { knownOf, listsOf, modeOf } from '../project-content/content.sql.js';

/**
 * Every countermeasure of the library, and those of the project's own, as seen from the project that is read within:
 * `held_id` where the project has it or has had it, `known` as conditions look at it.
 */
export const explained = (reading: QueryContext): Sql => sql`(
  SELECT p.id AS project_id, ${knownOf(sql`p.id`, modeOf(reading))} AS known, held.id AS held_id, v.id AS version_id,
    v.countermeasure_id, v.item_id AS task_id, v.title, v.active, v.weakness_id
  FROM project p CROSS JOIN countermeasure_version v
  LEFT JOIN project_countermeasure held ON held.project_id = p.id AND held.countermeasure_id = v.countermeasure_id
  WHERE p.id = ${visibleProjectId(reading.within, reading)} AND ${visible('countermeasure', 'v', reading.organization)}
  UNION ALL
  SELECT p.id, '{}', own.id, NULL, NULL, 'PT' || own.number, own.title, true, NULL
  FROM project p JOIN project_countermeasure own ON own.project_id = p.id AND own.countermeasure_id IS NULL
  WHERE p.id = ${visibleProjectId(reading.within, reading)})`;

/** What a list of a condition names, and whether the project has it; for attributes also why. */
function entries(list: Sql, reading: QueryContext): Sql {
  const isThere = sql`item.known ? named.id::text`;
  if (!modeOf(reading).byAttributes)
    return jsonList(sql`
    SELECT ${jsonObject({ id: sql`a.item_id`, text: sql`a.text`, present: isThere })} AS entry
      FROM unnest(${list}) WITH ORDINALITY named(id, place) JOIN survey_answer a ON a.id = named.id
        ORDER BY named.place`);
  const sources = jsonList(sql`SELECT ${jsonObject({ type: sql`s.type`, ref: sql`s.ref` })} AS entry
    FROM project_attribute_source s WHERE s.project_id = item.project_id AND s.attribute_id = a.id
      ORDER BY s.type, s.ref`);
  return jsonList(sql`
    SELECT ${jsonObject({ id: sql`a.item_id`, text: sql`a.name`, present: isThere, sources })} AS entry
    FROM unnest(${list}) WITH ORDINALITY named(id, place) JOIN attribute a ON a.id = named.id ORDER BY named.place`);
}

/** The conditions of a version, with what of each is there. */
export const judgedConditions = (kind: 'countermeasure' | 'weakness', version: Sql, reading: QueryContext): Sql => {
  const { required, excluded } = listsOf(modeOf(reading));
  return jsonList(
    sql`SELECT ${jsonObject({
      id: sql`m.item_id`,
      db_id: sql`m.db_id`,
      holds: holds(reading),
      required: entries(required, reading),
      excluded: entries(excluded, reading),
    })} AS entry FROM match_condition m WHERE ${sql.ref(`m.${kind}_version_id`)} = ${version} ORDER BY m.position`,
  );
};

/** The weakness `w` of a countermeasure, and whether the project has it. */
export const weaknessOf = (value: Sql, reading: QueryContext): Sql =>
  sql`(SELECT ${value} FROM (SELECT w.*, EXISTS (SELECT 1 FROM project_weakness held
      WHERE held.project_id = item.project_id AND held.weakness_id = w.weakness_id) AS in_project
    FROM weakness_version w WHERE w.weakness_id = item.weakness_id
      AND ${visible('weakness', 'w', reading.organization)}) w)`;

/** Components `c` that the library lets introduce or implement a countermeasure, and whether the project has them. */
export const componentsOf = (reading: QueryContext): Sql => sql`(
  SELECT c.item_id, c.title, c.is_custom, c.number, c.active, c.answer_id, held.component_id IS NOT NULL AS in_project,
    item.countermeasure_id = ANY(coalesce(held.tasks_introduced, c.tasks_introduced)) AS introduces,
    item.countermeasure_id = ANY(coalesce(held.tasks_implemented, c.tasks_implemented)) AS implements
  FROM ${visibleVersions('component', reading.organization)} c
  LEFT JOIN project_component held ON held.project_id = item.project_id AND held.component_id = c.component_id)`;

/** Why a component `c` does or does not bring the countermeasure in. */
const componentText = sql`'Component ' || c.item_id || ' introduces it' || CASE WHEN c.in_project THEN '.'
  WHEN NOT c.active THEN ', and is hidden.'
  ELSE ', and comes with answer ' || coalesce((SELECT a.item_id FROM survey_answer a WHERE a.id = c.answer_id),
    'none') || '.' END`;

const weaknessReason = jsonObject({
  effect: sql`'out'`,
  type: sql`'weakness'`,
  ref: sql`w.item_id`,
  text: sql`'Its weakness ' || w.item_id || CASE WHEN w.active THEN ' is not in the project.'
    ELSE ' is switched off in the library.' END`,
});

/** In this order: what brings the countermeasure in, what keeps it out, what is still to come. */
export const reasons = (reading: QueryContext): Sql => {
  const reason = (effect: Sql, type: string, ref: Sql, text: Sql): Sql =>
    sql`${jsonObject({ effect, type: sql.lit(type), ref, text })} AS entry`;
  const none = sql`NULL::text`;
  const [isIn, isOut] = [sql`'in'`, sql`'out'`];
  return sql`
    SELECT ${reason(isIn, 'project', none, sql.lit(REASON_TEXTS.project))} WHERE item.version_id IS NULL
    UNION ALL
    SELECT ${reason(isIn, 'manual', none, sql.lit(REASON_TEXTS.manual))}
    FROM project_countermeasure held WHERE held.id = item.held_id AND held.manually_added
    UNION ALL
    SELECT ${reason(isOut, 'inactive', sql`item.task_id`, sql`'It is switched off in the library.'`)}
      WHERE NOT item.active
    UNION ALL
    SELECT entry FROM (SELECT ${weaknessOf(
      sql`CASE WHEN NOT w.in_project
      THEN ${weaknessReason} END`,
      reading,
    )} AS entry) told
    WHERE entry IS NOT NULL
    UNION ALL
    SELECT ${reason(isIn, 'no_conditions', none, sql.lit(REASON_TEXTS.noConditions))}
    WHERE item.version_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM match_condition m WHERE m.countermeasure_version_id = item.version_id)
    UNION ALL
    (SELECT ${reason(
      sql`CASE WHEN ${holds(reading)} THEN 'in'
      ELSE 'out' END`,
      'condition',
      sql`m.item_id`,
      conditionText(reading),
    )}
    FROM match_condition m WHERE m.countermeasure_version_id = item.version_id ORDER BY m.position)
    UNION ALL
    (SELECT ${reason(sql`CASE WHEN c.in_project THEN 'in' ELSE 'out' END`, 'component', sql`c.item_id`, componentText)}
    FROM ${componentsOf(reading)} c WHERE c.introduces ORDER BY c.is_custom, c.number)
    UNION ALL
    SELECT ${reason(
      sql`'pending'`,
      'library',
      none,
      sql`CASE WHEN p.content_refresh_locked THEN 'Changes of the library are kept out of this project.'
        ELSE 'This project has not followed the library yet.' END`,
    )}
    FROM project p WHERE p.id = item.project_id AND (p.refresh_due_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM library_change l WHERE l.organization_id = p.organization_id))`;
};
