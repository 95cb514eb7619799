import { sql } from 'kysely';
import { numberOf } from '#domain/kernel/item-id.js';
import { Attribute } from '#domain/library/attribute/attribute.entity.js';
import { rebuildTree } from '#domain/library/attribute/attribute-tree.js';
import type { Library } from '../schema/library-schema.js';
import type { BuiltInTables } from './built-in-tables.js';
import { CONDITIONED_KINDS } from '#domain/library/customization/customization.sql.js';

/** Loads the tree of attributes. Custom attributes below a moved one move with it. */
export async function loadAttributes(tables: BuiltInTables, { attributes }: Library): Promise<void> {
  // No one may add attributes below one that is about to move.
  await tables.lock('attribute');
  const rows = attributes.map(({ id, name, description }) => ({
    number: numberOf(id),
    name,
    description,
    active: true,
  }));
  await tables.mergeRows(Attribute, rows, 'active');

  const attributeId = await tables.identities('attribute');
  const ancestors = new Map<string, readonly string[]>();
  for (const { id, parent } of attributes)
    ancestors.set(id, parent === null ? [] : [...(ancestors.get(parent) ?? []), parent]);
  await tables.mergeRows(
    Attribute,
    attributes.map(({ id, parent }) => ({
      number: numberOf(id),
      parent_id: parent === null ? null : attributeId(parent),
      ancestors: (ancestors.get(id) ?? []).map(attributeId),
    })),
  );
  await tables.run('attribute', rebuildTree());
  await tables.touch('attribute');
}

/**
 * Sets the attributes in match conditions of originals, which apply while the decision engine is on: the first
 * attribute of each answer. Load the survey and the items first.
 */
export async function loadConditionAttributes(tables: BuiltInTables): Promise<void> {
  const attributesFor = (column: 'required' | 'excluded') => sql`ARRAY(
    SELECT a.attributes[1] FROM unnest(${sql.ref(`present.${column}`)}) WITH ORDINALITY named(id, place)
    JOIN survey_answer a ON a.id = named.id WHERE a.attributes <> '{}'
    GROUP BY a.attributes[1] ORDER BY min(named.place))`;
  for (const kind of CONDITIONED_KINDS)
    await tables.run(
      'match_condition',
      sql<{ id: string }>`
        UPDATE match_condition present SET required_attributes = named.required, excluded_attributes = named.excluded
        FROM (
          SELECT present.id, ${attributesFor('required')} AS required, ${attributesFor('excluded')} AS excluded
          FROM match_condition present
            JOIN ${sql.table(`${kind}_version`)} v ON v.id = ${sql.ref(`present.${kind}_version_id`)}
          WHERE v.organization_id IS NULL) named
        WHERE named.id = present.id
          AND (present.required_attributes, present.excluded_attributes) IS DISTINCT
            FROM (named.required, named.excluded)
        RETURNING present.id`,
    );
}
