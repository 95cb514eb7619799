import { sql } from 'kysely';
import { compactObject, jsonList, jsonObject, referencedListOfAll } from '#query/expressions.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import type { Field, Fields } from '#query/projection.js';
import * as filters from '#query/filters.js';
import * as schema from '#query/schema.js';
import { attributeIdsSchema, attributeList, attributeObjectsSchema } from '../attribute-list/attribute.sql.js';
import type { KnownFlag } from '../../access/flag/flags.js';
import type { ConditionedKind } from '../customization/customization.sql.js';
import { itemIdsOf } from '../../kernel/built-in.sql.js';

/** With this flag, conditions use attributes, and otherwise answers. Both are stored. */
export const ATTRIBUTE_MODE: KnownFlag = 'DECISION_ENGINE';

/**
 * Whether all lists of a condition `m` belong to the other mode, so that it never matches. A condition without lists is
 * not incomplete.
 */
export const isIncomplete = (byAttributes: boolean): Sql => {
  const [ownIds, others] = byAttributes
    ? [sql`m.required_attributes || m.excluded_attributes`, sql`m.required || m.excluded`]
    : [sql`m.required || m.excluded`, sql`m.required_attributes || m.excluded_attributes`];
  return sql`(cardinality(${ownIds}) = 0 AND cardinality(${others}) > 0)`;
};

const answerObject = jsonObject({
  id: sql`a.item_id`,
  text: sql`a.text`,
  description: sql`a.description`,
  display_text: sql`a.display_text`,
  is_active: sql`a.is_active`,
});

const answerSchema = schema.object({
  id: schema.string({ example: 'A12' }),
  text: schema.string(),
  description: schema.string(),
  display_text: schema.string(),
  is_active: schema.boolean(),
});

/** Whether ids in conditions are expanded. Both names work in both modes, so that clients need not know the mode. */
const isExpanded = ({ expands }: QueryContext): boolean => expands.has('answers') || expands.has('attributes');

/** Public ids, or objects, of the answers in an array column, in the array's order. */
const answers = (column: Sql, context: QueryContext): Sql =>
  sql`(SELECT coalesce(json_agg(${isExpanded(context) ? answerObject : sql`a.item_id`}
    ORDER BY array_position(${column}, a.id)), '[]'::json)
    FROM survey_answer a WHERE a.id = ANY(${column}))`;

const answerList = schema.list(schema.either(schema.string({ example: 'A12' }), answerSchema));

const attributesSchema = schema.either(attributeIdsSchema, attributeObjectsSchema);

const idsOfCondition = {
  db_id: schema.integer({ description: 'Negative for conditions of the organization.' }),
  id: schema.string({ example: 'MC7' }),
};

/** The schema of a match condition: it has answers or attributes, depending on the flag. */
export const matchConditionSchema = schema.either(
  schema.object(
    {
      ...idsOfCondition,
      required: { ...answerList, description: 'All of these answers are required; objects with `expand=answers`.' },
      excluded: { ...answerList, description: 'None of these answers may be selected; objects with `expand=answers`.' },
    },
    {
      title: 'MatchCondition',
      description: `With the flag \`${ATTRIBUTE_MODE}\` off.`,
      additionalProperties: false,
    },
  ),
  schema.object(
    {
      ...idsOfCondition,
      required_attributes: {
        ...attributesSchema,
        description: 'All of these attributes are required; objects with `expand=answers` or `expand=attributes`.',
      },
      excluded_attributes: {
        ...attributesSchema,
        description:
          'The project may have none of these attributes; objects with `expand=answers` or `expand=attributes`.',
      },
    },
    {
      title: 'AttributeCondition',
      description: `With the flag \`${ATTRIBUTE_MODE}\` on.`,
      additionalProperties: false,
    },
  ),
);

/**
 * The match conditions of a row in files: with the lists of the current mode, and those of the other one if there are
 * any, so that none is lost.
 */
export const matchConditionsInFiles =
  (kind: ConditionedKind) =>
  (context: QueryContext): Sql => {
    const ids = { db_id: sql`m.db_id`, id: sql`m.item_id` };
    const aboutAnswers = idLists('survey_answer', ['required', 'excluded'], context);
    const aboutAttributes = idLists('attribute', ['required_attributes', 'excluded_attributes'], context);
    const isAttributeMode = context.flags.has(ATTRIBUTE_MODE);
    const both = compactObject({ ...ids, ...aboutAnswers, ...aboutAttributes });
    const one = compactObject({ ...ids, ...(isAttributeMode ? aboutAttributes : aboutAnswers) });
    const others = isAttributeMode
      ? sql`(m.required <> '{}' OR m.excluded <> '{}')`
      : sql`(m.required_attributes <> '{}' OR m.excluded_attributes <> '{}')`;
    return sql`to_json(ARRAY(SELECT CASE WHEN ${others} THEN ${both} ELSE ${one} END
      FROM match_condition m WHERE ${sql.ref(`m.${kind}_version_id`)} = item.id ORDER BY m.position))`;
  };

/** Columns of a condition `m` that are arrays of internal ids, as lists of public ids. */
const idLists = (kind: string, columns: readonly string[], context: QueryContext): Readonly<Record<string, Sql>> =>
  Object.fromEntries(
    columns.map((column) => [column, referencedListOfAll(sql.ref(`m.${column}`), itemIdsOf(kind, context))]),
  );

/** The lists of a condition `m` in the current mode. */
const listsOf = (context: QueryContext): Readonly<Record<string, Sql>> =>
  context.flags.has(ATTRIBUTE_MODE)
    ? {
        required_attributes: attributeList(sql`m.required_attributes`, isExpanded(context)),
        excluded_attributes: attributeList(sql`m.excluded_attributes`, isExpanded(context)),
      }
    : { required: answers(sql`m.required`, context), excluded: answers(sql`m.excluded`, context) };

/** The match conditions of one version of a kind; `owner` is the version's internal id. */
export const matchConditionsOf =
  (kind: ConditionedKind, owner: Sql) =>
  (context: QueryContext): Sql =>
    jsonList(
      sql`SELECT ${jsonObject({
        db_id: sql`m.db_id`,
        id: sql`m.item_id`,
        ...listsOf(context),
      })} AS entry FROM match_condition m WHERE ${sql.ref(`m.${kind}_version_id`)} = ${owner} ORDER BY m.position`,
    );

/** The filter `match_conditions_incomplete` of a kind. */
export const matchConditionsFilter = (kind: ConditionedKind) => ({
  match_conditions_incomplete: filters.boolean(
    ({ flags }) => sql`EXISTS (SELECT 1 FROM match_condition m WHERE ${sql.ref(`m.${kind}_version_id`)} = item.id
      AND ${isIncomplete(flags.has(ATTRIBUTE_MODE))})`,
    'Whether it has a match condition with only the fields of the other mode: such a condition is never met.',
  ),
});

/** The include `match_conditions` of a kind. */
export const matchConditionsInclude = (kind: ConditionedKind): Fields => {
  const field: Field = {
    sql: matchConditionsOf(kind, sql`item.id`),
    schema: schema.list(matchConditionSchema, {
      description: 'The item is added to a project if one of its conditions is met.',
    }),
  };
  return { match_conditions: field };
};
