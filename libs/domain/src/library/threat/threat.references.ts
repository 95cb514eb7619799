import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { missingMessages } from '../../kernel/domain-errors.js';
import type { ColumnValue } from '../../kernel/items/item-rows.js';
import { tables } from '../../kernel/tables.js';
import { Capec } from '../capec/capec.entity.js';
import type { ResolvedItem } from '../item-batch/item-form.js';
import { FRAMEWORK_FIELDS, type FrameworkField, FRAMEWORKS } from './threat.rules.js';

/** The references of a threat in a body: numbers of CAPECs, public ids of weaknesses, ids of framework entries. */
export type ThreatReferences = { readonly capecs?: readonly number[]; readonly problems?: readonly string[] } & {
  readonly [Field in FrameworkField]?: readonly string[];
};

async function findCapecs(em: EntityManager, capecs: readonly number[]): Promise<ReadonlySet<number>> {
  if (!capecs.length) return new Set();
  // Unknown numbers may exceed the column's type, so the parameter is a bigint.
  const rows = await tables(em, Capec)
    .selectFrom('capec')
    .select('id')
    .where('id', '=', sql<number>`ANY(${capecs}::bigint[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Those of the requested framework entries that exist, as `slug/entry`. */
async function findEntries(em: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (!ids.length) return new Set();
  const { rows } = await sql<{ slug: string; entry_id: string }>`
    SELECT f.slug, e.entry_id FROM threat_framework f JOIN threat_framework_entry e ON e.framework_id = f.id
    WHERE e.entry_id = ANY(${ids}::text[])`.execute(em.getKysely());
  return new Set(rows.map(({ slug, entry_id: entry }) => `${slug}/${entry}`));
}

/**
 * Resolves the references of threats to public catalogs by one query per catalog; fields that are not given are left
 * out.
 */
export async function resolveThreatReferences(
  em: EntityManager,
  inputs: readonly ThreatReferences[],
): Promise<ResolvedItem[]> {
  const all = <T>(of: (input: ThreatReferences) => readonly T[] | undefined): T[] => [
    ...new Set(inputs.flatMap((input) => of(input) ?? [])),
  ];
  const entries = await findEntries(
    em,
    all((input) => FRAMEWORK_FIELDS.flatMap((field) => input[field] ?? [])),
  );
  const capecs = await findCapecs(
    em,
    all((input) => input.capecs),
  );
  return inputs.map((input) => {
    const columns: Record<string, ColumnValue> = {};
    const errors: Record<string, string[]> = {};
    /** Stores the distinct values of a field, or the errors of those that do not exist. */
    const note = <T extends string | number>(
      field: string,
      values: readonly T[] | undefined,
      isKnown: (value: T) => boolean,
    ): void => {
      if (!values) return;
      const unknown = values.filter((value) => !isKnown(value));
      if (unknown.length) errors[field] = unknown.flatMap((value) => missingMessages(String(value)));
      else columns[field] = [...new Set(values)] as string[] | number[];
    };
    note('capecs', input.capecs, (id) => capecs.has(id));
    for (const field of FRAMEWORK_FIELDS) note(field, input[field], (id) => entries.has(`${FRAMEWORKS[field]}/${id}`));
    return { columns, errors };
  });
}
