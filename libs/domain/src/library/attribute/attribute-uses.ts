import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { authorOf } from '../../kernel/operator.js';
import { visibleVersion, type ConditionedKind } from '../customization/customization.sql.js';
import { raise } from '../../kernel/domain-events.js';
import { type AttributeUse, attributeUsesRequested, type AttributeUser } from './attribute.events.js';
import { Invalid } from '../../kernel/domain-errors.js';
import type { Attribute } from './attribute.entity.js';

const children: AttributeUse = {
  words: 'the attributes directly below it',
  find: async (em, _actor, attribute) => {
    const { rows } = await sql<{ item_id: string; name: string }>`
      SELECT item_id, name FROM attribute WHERE parent_id = ${attribute.id} ORDER BY number`.execute(em.getKysely());
    return rows.map((row) => ({ subject: 'attribute', id: row.item_id, title: row.name }));
  },
  release: async (em, _actor, attribute) => {
    await sql`
      UPDATE attribute SET ancestors = array_remove(ancestors, ${attribute.id}::bigint),
        parent_id = CASE WHEN parent_id = ${attribute.id} THEN ${attribute.parentId ?? null}::bigint ELSE parent_id END,
        updated_at = CASE WHEN parent_id = ${attribute.id} THEN clock_timestamp() ELSE updated_at END
      WHERE ancestors @> ARRAY[${attribute.id}::bigint]`.execute(em.getKysely());
  },
};

/** The match conditions that use the attribute; the first part is the predicate of their index. */
const conditionsUsing = (attribute: Attribute): RawBuilder<unknown> =>
  sql`(m.required_attributes <> '{}' OR m.excluded_attributes <> '{}')
    AND (m.required_attributes @> ARRAY[${attribute.id}::bigint]
      OR m.excluded_attributes @> ARRAY[${attribute.id}::bigint])`;

/** The countermeasure of a part, such as a how-to, whose identity is `i` and version `v`. */
const countermeasureOfPart = visibleVersion(
  'countermeasure',
  ['item_id', 'title'],
  sql`i.countermeasure_id`,
  sql`v.organization_id`,
);

/** The use of attributes in the match conditions of a kind; `part` for kinds whose items belong to a countermeasure. */
const conditionsOf = (kind: ConditionedKind, plural: string, part = false): AttributeUse => {
  const owner = sql.ref(`m.${kind}_version_id`);
  const whole = part
    ? sql`JOIN ${sql.table(kind)} i ON i.id = ${sql.ref(`v.${kind}_id`)} JOIN LATERAL (
        ${countermeasureOfPart}) whole ON true`
    : sql`CROSS JOIN (SELECT '' AS item_id, '' AS title) whole`;
  return {
    words: `the match conditions of ${plural}`,
    find: async (em, _actor, attribute) => {
      const { rows } = await sql<{ item_id: string; title: string; whole_id: string; whole_title: string }>`
        SELECT v.item_id, v.title, whole.item_id AS whole_id, whole.title AS whole_title
        FROM ${sql.table(`${kind}_version`)} v ${whole}
        WHERE v.id IN (SELECT ${owner} FROM match_condition m WHERE ${conditionsUsing(attribute)})
        ORDER BY v.is_custom, v.number FOR UPDATE OF v`.execute(em.getKysely());
      return rows.map((row) => ({
        subject: kind,
        id: row.item_id,
        title: row.title,
        ...(part && { also: { standard: { id: row.whole_id, description: row.whole_title } } }),
      }));
    },
    release: async (em, actor, attribute) => {
      await sql`
        WITH changed AS (
          UPDATE match_condition m SET
            required_attributes = array_remove(m.required_attributes, ${attribute.id}::bigint),
            excluded_attributes = array_remove(m.excluded_attributes, ${attribute.id}::bigint)
          WHERE ${owner} IS NOT NULL AND ${conditionsUsing(attribute)} RETURNING ${owner} AS owner)
        UPDATE ${sql.table(`${kind}_version`)} SET updated_by = ${authorOf(actor)}, updated_at = clock_timestamp()
        WHERE id IN (SELECT owner FROM changed)`.execute(em.getKysely());
    },
  };
};

/** Uses in match conditions. */
const CONDITIONS: Readonly<Record<ConditionedKind, AttributeUse>> = {
  weakness: conditionsOf('weakness', 'weaknesses'),
  countermeasure: conditionsOf('countermeasure', 'countermeasures'),
  additional_requirement: conditionsOf('additional_requirement', 'additional requirements', true),
  how_to: conditionsOf('how_to', 'how-tos', true),
  threat: conditionsOf('threat', 'threats'),
};

const components: AttributeUse = {
  words: 'components',
  find: async (em, actor, attribute) => {
    const { rows } = await sql<{ item_id: string; title: string }>`
      SELECT item_id, title FROM component_version
      WHERE implied_attributes @> ARRAY[${attribute.id}::bigint] AND organization_id = ${actor.organizationId}
      ORDER BY is_custom, number FOR UPDATE`.execute(em.getKysely());
    return rows.map((row) => ({ subject: 'component', id: row.item_id, title: row.title }));
  },
  release: async (em, actor, attribute) => {
    await sql`
      UPDATE component_version SET implied_attributes = array_remove(implied_attributes, ${attribute.id}::bigint),
        changed_fields = array_append(array_remove(changed_fields, 'implied_attributes'), 'implied_attributes'),
        updated_by = ${authorOf(actor)}, updated_at = clock_timestamp()
      WHERE implied_attributes @> ARRAY[${attribute.id}::bigint] AND organization_id = ${actor.organizationId}`.execute(
      em.getKysely(),
    );
  },
};

/** Survey answers that add the attribute to projects. */
const answers: AttributeUse = {
  words: 'answers of the survey',
  find: async (em, _actor, attribute) => {
    const { rows } = await sql<{ item_id: string; text: string }>`
      SELECT item_id, text FROM survey_answer WHERE attributes @> ARRAY[${attribute.id}::bigint]
      ORDER BY number FOR UPDATE`.execute(em.getKysely());
    return rows.map((row) => ({ subject: 'survey_answer', id: row.item_id, title: row.text }));
  },
  release: async (em, _actor, attribute) => {
    await sql`
      UPDATE survey_answer SET attributes = array_remove(attributes, ${attribute.id}::bigint)
      WHERE attributes @> ARRAY[${attribute.id}::bigint]`.execute(em.getKysely());
  },
};

/** Component questions with an answer that adds the attribute. */
const componentQuestions: AttributeUse = {
  words: 'questions of components',
  find: async (em, _actor, attribute) => {
    const { rows } = await sql<{ item_id: string; text: string }>`
      SELECT item_id, text FROM component_question
      WHERE id IN (SELECT question_id FROM component_answer WHERE attribute_id = ${attribute.id})
      ORDER BY number FOR UPDATE`.execute(em.getKysely());
    return rows.map((row) => ({ subject: 'component_question', id: row.item_id, title: row.text }));
  },
  release: async (em, _actor, attribute) => {
    await sql`
      WITH changed AS (
        UPDATE component_answer SET attribute_id = NULL WHERE attribute_id = ${attribute.id} RETURNING question_id)
      UPDATE component_question SET updated_at = clock_timestamp()
        WHERE id IN (SELECT question_id FROM changed)`.execute(em.getKysely());
  },
};

/** All uses of attributes in the library. A new kind of reference only needs an entry here. */
const LIBRARY_USES: readonly AttributeUse[] = [
  children,
  ...Object.values(CONDITIONS),
  components,
  answers,
  componentQuestions,
];

/** Maximum number of ids in a message. */
const MAXIMUM_LISTED_IDS = 10;

const sentence = (words: string, users: readonly AttributeUser[]): string => {
  const ids = users.slice(0, MAXIMUM_LISTED_IDS).map(({ id }) => id);
  const others = users.length - ids.length;
  return `It is used by ${words}: ${ids.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
};

/**
 * Ensures that nothing uses the attribute. Throws `Invalid`, listing the uses, if it is in use. With `force`, removes
 * it from everything that uses it, and records an activity for each item, and for each project to which someone added
 * it.
 */
export async function releaseAttribute(
  em: EntityManager,
  actor: Actor,
  attribute: Attribute,
  force: boolean,
): Promise<void> {
  const usesWithUsers: { use: AttributeUse; users: AttributeUser[] }[] = [];
  const uses = [...LIBRARY_USES, ...(await raise(em, actor, attributeUsesRequested, attribute))];
  for (const use of uses) usesWithUsers.push({ use, users: await use.find(em, actor, attribute) });
  const inUse = usesWithUsers.filter(({ users }) => users.length);
  if (!inUse.length) return;
  if (!force)
    throw new Invalid({
      non_field_errors: [
        ...inUse.map(({ use, users }) => sentence(use.words, users)),
        'With "?force=true" it is taken out of all of them.',
      ],
    });
  for (const { use } of inUse) await use.release(em, actor, attribute);
  const users = inUse.flatMap((entry) => entry.users);
  await recordActivity(em, actor, ...users.map((user): ActivityInput => ({ ...user, verb: 'Updated' })));
}
