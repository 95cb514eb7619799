import { Migration } from '@mikro-orm/migrations';
import { DUE_CHANNEL } from '../kernel/wake-relay.js';

/** A table that decides what projects contain. In SQL, a row that was added, changed or removed is `changed`. */
interface Decisive {
  /** What tells its rows apart. */
  readonly key: readonly string[];
  /** The columns that decide: a change of others reaches no project. */
  readonly columns: readonly string[];
  /** Whose library it is: null for everybody's. */
  readonly owner?: string;
  /** What stands behind `FROM changed`. */
  readonly narrowed?: string;
}

const CONDITIONED = ['weakness', 'countermeasure', 'threat'];

const DECISIVE: Readonly<Record<string, Decisive>> = {
  attribute: { key: ['id'], columns: ['active'] },
  attribute_switch: { key: ['organization_id', 'attribute_id'], columns: ['active'] },
  component_version: { key: ['id'], columns: ['active', 'answer_id'] },
  countermeasure_version: { key: ['id'], columns: ['active', 'weakness_id', 'phase_id', 'priority', 'tags'] },
  feature_flag: {
    key: ['organization_id', 'name'],
    columns: ['name'],
    narrowed: `JOIN (VALUES ('DECISION_ENGINE')) decisive(name) ON decisive.name = changed.name`,
  },
  // A condition that goes with its version is not looked at: that tells of itself.
  match_condition: {
    key: ['id'],
    columns: ['required', 'excluded', 'required_attributes', 'excluded_attributes'],
    owner: 'version.organization_id',
    narrowed: `JOIN LATERAL (${CONDITIONED.map((kind) => `SELECT organization_id FROM ${kind}_version WHERE id = changed.${kind}_version_id`).join(' UNION ALL ')}) version ON true`,
  },
  survey_answer: { key: ['id'], columns: ['is_active', 'attributes'] },
  threat_version: { key: ['id'], columns: ['active', 'problems'] },
  weakness_version: { key: ['id'], columns: ['active'] },
};

const row = (alias: string, columns: readonly string[]): string =>
  `(${columns.map((column) => `${alias}.${column}`).join(', ')})`;

/** Notes in the transaction of a change whose projects it concerns: once for each statement, however many rows it has. */
function triggersOf(
  table: string,
  { key, columns, owner = 'changed.organization_id', narrowed = '' }: Decisive,
): string {
  const owners = `SELECT array_agg(DISTINCT ${owner}) INTO owners FROM changed ${narrowed}`;
  const trigger = (event: string, tables: string): string => `
    CREATE TRIGGER note_${event.toLowerCase()} AFTER ${event} ON ${table} REFERENCING ${tables}
      FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_${table}();`;
  return `
    CREATE FUNCTION note_change_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      owners bigint[];
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        ${owners} JOIN former ON ${row('former', key)} = ${row('changed', key)}
        WHERE ${row('former', columns)} IS DISTINCT FROM ${row('changed', columns)};
      ELSE
        ${owners};
      END IF;
      PERFORM note_library_change(owners);
      RETURN NULL;
    END $$;
    ${trigger('INSERT', 'NEW TABLE AS changed')}
    ${trigger('UPDATE', 'OLD TABLE AS former NEW TABLE AS changed')}
    ${trigger('DELETE', 'OLD TABLE AS changed')}`;
}

/** What follows from the library in projects, and how a change of the library reaches them: docs/project-content.md. */
export class Migration20261121062000_ProjectContent extends Migration {
  override up(): void {
    this.addSql(`
      -- The profile that the draft of the survey was begun with, until it is saved.
      ALTER TABLE project ADD COLUMN draft_profile_id bigint REFERENCES profile ON DELETE SET NULL;
      CREATE INDEX project_draft_profile ON project (draft_profile_id);
      -- Of tasks_implemented, those that this component has marked as complete, or found so.
      ALTER TABLE project_component ADD COLUMN tasks_marked bigint[] NOT NULL DEFAULT '{}';

      -- Until when a worker keeps the organization to let its projects follow the library.
      ALTER TABLE organization ADD COLUMN refresh_lease_until timestamptz;
      -- An organization's library has changed, and its projects do not know yet. Rows are only added: changes of the
      -- library never wait for each other, nor for projects that are just being worked out.
      CREATE TABLE library_change (
        organization_id bigint NOT NULL REFERENCES organization,
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX library_change_organization ON library_change (organization_id);
      CREATE FUNCTION note_library_change(owners bigint[]) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO library_change (organization_id)
        SELECT id FROM organization WHERE id = ANY(owners) OR array_position(owners, NULL) IS NOT NULL;
        IF FOUND THEN PERFORM pg_notify('${DUE_CHANNEL}', ''); END IF;
      END $$;
    `);
    // In the database, so that it holds for whatever writes: commands, imports, releases of the starter library.
    for (const [table, decisive] of Object.entries(DECISIVE)) this.addSql(triggersOf(table, decisive));
  }
}
