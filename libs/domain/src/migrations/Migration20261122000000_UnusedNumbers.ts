import { Migration } from '@mikro-orm/migrations';

/** What was numbered by a sequence of its own, and where the data of activities name it. */
const NUMBERED = [
  { kind: 'workflow_prompt', key: 'workflow_prompt' },
  { kind: 'workflow_prompt_context', key: 'context' },
] as const;

/**
 * Numbers that imports have passed over are remembered, since an organization never had them. Those that were passed over
 * before are not known: they count as given away. Prompts and their contexts are counted in each organization, as
 * everything else is, behind what it has and what its activities say that it had.
 */
export class Migration20261122000000_UnusedNumbers extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE id_counter ADD COLUMN unused int4multirange NOT NULL DEFAULT '{}'`);
    for (const { kind, key } of NUMBERED) {
      this.addSql(`
        INSERT INTO id_counter (organization_id, kind, value, unused)
        SELECT organization_id, '${kind}', max(number),
          int4multirange(int4range(999, max(number), '(]')) - range_agg(int4range(number, number, '[]'))
        FROM (
          SELECT organization_id, number FROM ${kind} WHERE organization_id IS NOT NULL
          UNION
          SELECT organization_id, (data->>'${key}')::integer FROM activity
          WHERE name IN ('CreatedWorkflowPromptActivity', 'UpdatedWorkflowPromptActivity', 'DeletedWorkflowPromptActivity')
            AND data->>'${key}' ~ '^[1-9][0-9]{0,8}$'
        ) had
        WHERE number > 999 GROUP BY organization_id`);
      this.addSql(`DROP SEQUENCE ${kind}_number`);
    }
  }
}
