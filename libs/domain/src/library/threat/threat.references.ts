import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { findIdentities } from '../../kernel/find-identities.js';
import { type ErrorCollector, Invalid, missing } from '../../kernel/domain-errors.js';
import type { ThreatVersion } from './threat.entity.js';
import { FRAMEWORK_FIELDS, type FrameworkField, FRAMEWORKS } from './threat.rules.js';

/** What a threat refers to, as a client gives it: numbers of CAPECs, public ids of weaknesses, ids of entries. */
export type ThreatReferences = { readonly capecs?: readonly number[]; readonly problems?: readonly string[] } & {
  readonly [Field in FrameworkField]?: readonly string[];
};

/** The list without repetitions. Throws `Invalid` with every value that is not known. */
function known<T extends string | number>(field: string, values: readonly T[], all: ReadonlySet<T>): T[] {
  const unknown = values.filter((value) => !all.has(value));
  if (unknown.length) throw new Invalid({ [field]: unknown.flatMap((value) => missing(String(value))) });
  return [...new Set(values)];
}

async function findCapecs(em: EntityManager, capecs: readonly number[] | undefined): Promise<number[] | undefined> {
  if (!capecs) return undefined;
  const { rows } = await sql<{ id: number }>`SELECT id FROM capec WHERE id = ANY(${capecs}::bigint[])`.execute(
    em.getKysely(),
  );
  return known('capecs', capecs, new Set(rows.map(({ id }) => id)));
}

/** Internal ids of weaknesses, which stay until the transaction ends. */
async function findWeaknesses(
  em: EntityManager,
  actor: Actor,
  ids: readonly string[] | undefined,
): Promise<number[] | undefined> {
  if (!ids) return undefined;
  const found = await findIdentities(em, actor, 'weakness', ids, { hold: true });
  return known('problems', ids, new Set(found.keys())).flatMap((id) => found.get(id) ?? []);
}

/** Ids of the entries of all frameworks that are among those wanted, as `slug/entry`. */
async function findEntries(em: EntityManager, references: ThreatReferences): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(FRAMEWORK_FIELDS.flatMap((field) => references[field] ?? []))];
  if (!wanted.length) return new Set();
  const { rows } = await sql<{ slug: string; entry_id: string }>`
    SELECT f.slug, e.entry_id FROM threat_framework f JOIN threat_framework_entry e ON e.framework_id = f.id
    WHERE e.entry_id = ANY(${wanted}::text[])`.execute(em.getKysely());
  return new Set(rows.map(({ slug, entry_id: entry }) => `${slug}/${entry}`));
}

async function entriesOf(
  field: FrameworkField,
  values: readonly string[] | undefined,
  found: ReadonlySet<string>,
): Promise<string[] | undefined> {
  if (!values) return undefined;
  const there = values.filter((value) => found.has(`${FRAMEWORKS[field]}/${value}`));
  return known(field, values, new Set(there));
}

type Resolved = Partial<
  Pick<ThreatVersion, 'capecs' | 'problems' | 'maestro' | 'mitreAttack' | 'mitreEmb3d' | 'stride'>
>;

/**
 * Finds what a threat refers to, as its version keeps it; what is not given is left out. Everything that does not exist
 * goes to `findings`.
 */
export async function resolveThreatReferences(
  em: EntityManager,
  actor: Actor,
  references: ThreatReferences,
  findings: ErrorCollector,
): Promise<Resolved> {
  const found = await findEntries(em, references);
  const entries = (field: FrameworkField) => findings.of(entriesOf(field, references[field], found));
  const resolved = {
    capecs: await findings.of(findCapecs(em, references.capecs)),
    problems: await findings.of(findWeaknesses(em, actor, references.problems)),
    maestro: await entries('maestro'),
    mitreAttack: await entries('mitre_attack'),
    mitreEmb3d: await entries('mitre_emb3d'),
    stride: await entries('stride'),
  };
  return Object.fromEntries(Object.entries(resolved).filter(([, value]) => value !== undefined));
}
