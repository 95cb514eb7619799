import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { MAX_TARGETS_OF_RULE } from './rule-mapping.rules.js';

/** A rule of a report that a mapping applies to. */
export interface MappedRule {
  /** The place of the rule in the list. */
  readonly place: number;
  readonly cwe: number | null;
  /** The internal id of the weakness, if there is no CWE. */
  readonly weakness: number | null;
}

/** A pattern as one of LIKE, in which only `*` has a meaning. */
const likePattern = sql`replace(regexp_replace(lower(mapping.rule_pattern), '([\\\\%_])', '\\\\\\1', 'g'), '*', '%')`;

/**
 * What the organization's mappings say about rules of a report. Custom mappings of a rule take precedence over built-in
 * ones. PostgreSQL compares the patterns: LIKE takes no exponential time, and other requests need not wait.
 *
 * @param system the name of the tool that the caller gave, in addition to the one in the report
 */
export async function mappedRules(
  em: EntityManager,
  actor: Actor,
  system: string,
  rules: readonly { readonly tool: string; readonly rule: string }[],
): Promise<MappedRule[]> {
  if (!rules.length) return [];
  const named = rules.map(({ tool, rule }, place) => ({ place, tool, rule }));
  const { rows } = await sql<MappedRule>`
    WITH named AS MATERIALIZED (
      SELECT place, lower(tool) AS tool, lower(rule) AS rule
      FROM json_to_recordset(${JSON.stringify(named)}::json) AS n(place integer, tool text, rule text)),
    mapping AS MATERIALIZED (
      SELECT lower(mapping.system) AS system, ${likePattern} AS pattern, mapping.cwe, mapping.weakness_id,
        mapping.organization_id IS NOT NULL AS is_custom
      FROM rule_mapping mapping
      WHERE ${builtInOrCustom('mapping', { organization: actor.organizationId })}
        AND (lower(mapping.system) = lower(${system}) OR lower(mapping.system) IN (SELECT tool FROM named))),
    mapped AS (
      SELECT named.place, target.*, bool_or(target.is_custom) OVER (PARTITION BY named.place) AS has_custom
      FROM named CROSS JOIN LATERAL (
        SELECT DISTINCT is_custom, cwe, weakness_id FROM mapping
        WHERE mapping.system IN (named.tool, lower(${system})) AND named.rule LIKE mapping.pattern
        ORDER BY is_custom DESC, cwe, weakness_id LIMIT ${MAX_TARGETS_OF_RULE}) target)
    SELECT place, cwe, weakness_id AS weakness FROM mapped
    WHERE is_custom OR NOT has_custom ORDER BY place, cwe, weakness`.execute(em.getKysely());
  return rows;
}
