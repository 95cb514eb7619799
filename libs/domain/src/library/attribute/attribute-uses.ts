import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { changeVersions } from '../../kernel/items/item-versions.js';
import { arrayOf, clockTime, tables } from '../../kernel/tables.js';
import { ComponentVersion } from '../component/component.entity.js';
import { ComponentAnswer, ComponentQuestion } from '../component/component-question.entity.js';
import { visibleVersion, type ConditionedKind } from '../customization/customization.sql.js';
import { raise } from '../../kernel/domain-events.js';
import { type AttributeUse, attributeUsesRequested, type AttributeUser } from './attribute.events.js';
import { SurveyAnswer } from '../survey/survey.entity.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { Attribute } from './attribute.entity.js';

const children: AttributeUse = {
  words: 'the attributes directly below it',
  find: async (em, _actor, attribute) => {
    const rows = await tables(em, Attribute)
      .selectFrom('attribute')
      .select(['item_id as id', 'name as title'])
      .where('parent_id', '=', attribute.id)
      .orderBy('number')
      .execute();
    return rows.map((row) => ({ subject: 'attribute', ...row }));
  },
  release: async (em, _actor, attribute) => {
    await sql`
      UPDATE attribute SET ancestors = array_remove(ancestors, ${attribute.id}::bigint),
        parent_id = CASE WHEN parent_id = ${attribute.id} THEN ${attribute.parentId ?? null}::bigint ELSE parent_id END,
        updated_at = CASE WHEN parent_id = ${attribute.id} THEN clock_timestamp() ELSE updated_at END
      WHERE ancestors @> ${arrayOf(attribute.id)}`.execute(em.getKysely());
  },
};

/** The match conditions that use the attribute; the first part is the predicate of their index. */
const conditionsUsing = (attribute: Attribute): RawBuilder<unknown> =>
  sql`(m.required_attributes <> '{}' OR m.excluded_attributes <> '{}')
    AND (m.required_attributes @> ${arrayOf(attribute.id)}
      OR m.excluded_attributes @> ${arrayOf(attribute.id)})`;

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
      await changeVersions(em, actor, kind, {
        where: sql`item.id IN (SELECT ${owner} FROM match_condition m WHERE ${conditionsUsing(attribute)})`,
        changed: ['match_conditions'],
      });
      await sql`
        UPDATE match_condition m SET
          required_attributes = array_remove(m.required_attributes, ${attribute.id}::bigint),
          excluded_attributes = array_remove(m.excluded_attributes, ${attribute.id}::bigint)
        WHERE ${owner} IS NOT NULL AND ${conditionsUsing(attribute)}`.execute(em.getKysely());
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
    const rows = await tables(em, ComponentVersion)
      .selectFrom('component_version')
      .select(['item_id as id', 'title'])
      .where('implied_attributes', '@>', arrayOf(attribute.id))
      .where('organization_id', '=', actor.organizationId)
      .orderBy('is_custom')
      .orderBy('number')
      .forUpdate()
      .execute();
    return rows.map((row) => ({ subject: 'component', ...row }));
  },
  release: async (em, actor, attribute) => {
    await changeVersions(em, actor, 'component', {
      set: [sql`implied_attributes = array_remove(implied_attributes, ${attribute.id}::bigint)`],
      changed: ['implied_attributes'],
      where: sql`implied_attributes @> ${arrayOf(attribute.id)}`,
    });
  },
};

/** Survey answers that add the attribute to projects. */
const answers: AttributeUse = {
  words: 'answers of the survey',
  find: async (em, _actor, attribute) => {
    const rows = await tables(em, SurveyAnswer)
      .selectFrom('survey_answer')
      .select(['item_id as id', 'text as title'])
      .where('attributes', '@>', arrayOf(attribute.id))
      .orderBy('number')
      .forUpdate()
      .execute();
    return rows.map((row) => ({ subject: 'survey_answer', ...row }));
  },
  release: async (em, _actor, attribute) => {
    await tables(em, SurveyAnswer)
      .updateTable('survey_answer')
      .set((row) => ({ attributes: row.fn('array_remove', ['attributes', row.val(attribute.id)]) }))
      .where('attributes', '@>', arrayOf(attribute.id))
      .execute();
  },
};

/** Component questions with an answer that adds the attribute. */
const componentQuestions: AttributeUse = {
  words: 'questions of components',
  find: async (em, _actor, attribute) => {
    const rows = await tables(em, ComponentQuestion, ComponentAnswer)
      .selectFrom('component_question')
      .select(['item_id as id', 'text as title'])
      .where('id', 'in', (query) =>
        query.selectFrom('component_answer').select('question_id').where('attribute_id', '=', attribute.id),
      )
      .orderBy('number')
      .forUpdate()
      .execute();
    return rows.map((row) => ({ subject: 'component_question', ...row }));
  },
  release: async (em, _actor, attribute) => {
    await tables(em, ComponentQuestion, ComponentAnswer)
      .with('changed', (database) =>
        database
          .updateTable('component_answer')
          .set({ attribute_id: null })
          .where('attribute_id', '=', attribute.id)
          .returning('question_id'),
      )
      .updateTable('component_question')
      .set({ updated_at: clockTime })
      .where('id', 'in', (query) => query.selectFrom('changed').select('question_id'))
      .execute();
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
const MAX_LISTED_IDS = 10;

const sentence = (words: string, users: readonly AttributeUser[]): string => {
  const ids = users.slice(0, MAX_LISTED_IDS).map(({ id }) => id);
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
