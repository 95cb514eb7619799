import { Migration } from '@mikro-orm/migrations';

const TIMES = `
  created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT statement_timestamp()`;

/** Business units, applications and projects with their members, and what a project holds of the library. */
export class Migration20261121060000_Projects extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE risk_policy (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        name text NOT NULL,
        description text NOT NULL DEFAULT '',
        filters jsonb NOT NULL DEFAULT '{}',
        conditions jsonb NOT NULL DEFAULT '{}',
        is_org_default boolean NOT NULL DEFAULT false,
        ${TIMES}
      );
      CREATE UNIQUE INDEX risk_policy_name ON risk_policy (organization_id, lower(name));
      CREATE UNIQUE INDEX risk_policy_default ON risk_policy (organization_id) WHERE is_org_default;
      CREATE TABLE task_status (
        id integer PRIMARY KEY,
        item_id text NOT NULL GENERATED ALWAYS AS ('TS' || id::text) STORED,
        meaning text NOT NULL UNIQUE,
        name text NOT NULL,
        slug text NOT NULL,
        icon text NOT NULL
      );
      INSERT INTO task_status (id, meaning, name, slug, icon) VALUES
        (1, 'DONE', 'Complete', 'complete', 'check'),
        (2, 'TODO', 'Incomplete', 'incomplete', 'clock-o'),
        (3, 'NA', 'Not Applicable', 'not-applicable', 'minus-circle');
    `);

    this.addSql(`
      CREATE TABLE business_unit (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        name text NOT NULL,
        slug text NOT NULL,
        all_users boolean NOT NULL DEFAULT false,
        persist_phases boolean NOT NULL DEFAULT false,
        default_risk_policy_id bigint REFERENCES risk_policy,
        ${TIMES}
      );
      CREATE UNIQUE INDEX business_unit_name ON business_unit (organization_id, lower(name));
      CREATE UNIQUE INDEX business_unit_slug ON business_unit (organization_id, slug);
      CREATE INDEX business_unit_risk_policy ON business_unit (default_risk_policy_id);

      -- Who belongs to a unit; with a role, who becomes a member of each new project of it.
      CREATE TABLE business_unit_member (
        business_unit_id bigint NOT NULL REFERENCES business_unit ON DELETE CASCADE,
        user_id bigint REFERENCES user_account ON DELETE CASCADE,
        group_id bigint REFERENCES user_group ON DELETE CASCADE,
        project_role text CHECK (project_role IN ('PR1', 'PR2', 'PR3', 'PR4', 'PR5')),
        CHECK (num_nonnulls(user_id, group_id) = 1)
      );
      CREATE UNIQUE INDEX business_unit_member_who ON business_unit_member
        (business_unit_id, user_id, group_id, (project_role IS NULL)) NULLS NOT DISTINCT;
      CREATE INDEX business_unit_member_user ON business_unit_member (user_id);
      CREATE INDEX business_unit_member_group ON business_unit_member (group_id);

      CREATE TABLE application (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        business_unit_id bigint NOT NULL REFERENCES business_unit,
        name text NOT NULL,
        slug text NOT NULL,
        description text NOT NULL DEFAULT '',
        priority text NOT NULL DEFAULT '0-none' CHECK (priority IN ('0-none', '1-high', '2-medium', '3-low')),
        tags text[] NOT NULL DEFAULT '{}',
        custom_attributes jsonb NOT NULL DEFAULT '{}',
        ${TIMES}
      );
      CREATE UNIQUE INDEX application_name ON application (business_unit_id, lower(name));
      CREATE UNIQUE INDEX application_slug ON application (business_unit_id, slug);
      CREATE INDEX application_list ON application (organization_id, id);

      CREATE TABLE project (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        application_id bigint NOT NULL REFERENCES application,
        external_id text NOT NULL UNIQUE DEFAULT ('project-' || gen_random_uuid()::text),
        name text NOT NULL,
        slug text NOT NULL,
        description text NOT NULL DEFAULT '',
        tags text[] NOT NULL DEFAULT '{}',
        custom_attributes jsonb NOT NULL DEFAULT '{}',
        profile_id bigint REFERENCES profile,
        risk_policy_id bigint REFERENCES risk_policy,
        -- Null where it is not known: before the survey is complete.
        risk_policy_compliant boolean,
        parent_id bigint REFERENCES project ON DELETE SET NULL,
        base_project_id bigint REFERENCES project ON DELETE SET NULL,
        creator_id bigint REFERENCES user_account,
        archived boolean NOT NULL DEFAULT false,
        locked boolean NOT NULL DEFAULT false,
        content_refresh_locked boolean NOT NULL DEFAULT false,
        survey_complete boolean NOT NULL DEFAULT false,
        -- The draft of the survey differs from what is saved.
        survey_dirty boolean NOT NULL DEFAULT false,
        -- When the library or the project has changed and its content has not followed yet: since when that is due.
        refresh_due_at timestamptz,
        ${TIMES}
      );
      CREATE UNIQUE INDEX project_name ON project (application_id, lower(name));
      CREATE UNIQUE INDEX project_slug ON project (application_id, slug);
      CREATE INDEX project_list ON project (organization_id, id);
      CREATE INDEX project_creator ON project (creator_id);
      CREATE INDEX project_profile ON project (profile_id);
      CREATE INDEX project_risk_policy ON project (risk_policy_id);
      CREATE INDEX project_parent ON project (parent_id);
      CREATE INDEX project_base ON project (base_project_id);
      CREATE INDEX project_refresh_due ON project (refresh_due_at) WHERE refresh_due_at IS NOT NULL;

      CREATE TABLE project_member (
        project_id bigint NOT NULL REFERENCES project ON DELETE CASCADE,
        user_id bigint REFERENCES user_account ON DELETE CASCADE,
        group_id bigint REFERENCES user_group ON DELETE CASCADE,
        role text NOT NULL CHECK (role IN ('PR1', 'PR2', 'PR3', 'PR4', 'PR5')),
        CHECK (num_nonnulls(user_id, group_id) = 1)
      );
      CREATE UNIQUE INDEX project_member_who ON project_member (project_id, user_id, group_id) NULLS NOT DISTINCT;
      CREATE INDEX project_member_user ON project_member (user_id, project_id);
      CREATE INDEX project_member_group ON project_member (group_id, project_id);
    `);

    this.addSql(`
      -- The saved answers of the survey, and those of the draft while it differs from them.
      CREATE TABLE project_answer (
        project_id bigint NOT NULL REFERENCES project ON DELETE CASCADE,
        answer_id bigint NOT NULL REFERENCES survey_answer ON DELETE CASCADE,
        PRIMARY KEY (project_id, answer_id)
      );
      CREATE INDEX project_answer_answer ON project_answer (answer_id);
      CREATE TABLE project_draft_answer (
        project_id bigint NOT NULL REFERENCES project ON DELETE CASCADE,
        answer_id bigint NOT NULL REFERENCES survey_answer ON DELETE CASCADE,
        PRIMARY KEY (project_id, answer_id)
      );
      CREATE INDEX project_draft_answer_answer ON project_draft_answer (answer_id);
      CREATE TABLE project_survey_comment (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES project ON DELETE CASCADE,
        question_id bigint NOT NULL REFERENCES survey_question ON DELETE CASCADE,
        text text NOT NULL,
        pinned boolean NOT NULL DEFAULT false,
        locked boolean NOT NULL DEFAULT false,
        author_id bigint REFERENCES user_account,
        ${TIMES}
      );
      CREATE INDEX project_survey_comment_project ON project_survey_comment (project_id, question_id, id);

      -- Why a project has an attribute: each reason is a row, and the attribute goes with its last one.
      CREATE TABLE project_attribute_source (
        project_id bigint NOT NULL REFERENCES project ON DELETE CASCADE,
        attribute_id bigint NOT NULL REFERENCES attribute ON DELETE CASCADE,
        type text NOT NULL CHECK (type IN ('survey', 'component', 'implied', 'manual')),
        -- Public id of the answer or component that brings it; empty for a manual one.
        ref text NOT NULL DEFAULT '',
        reason text NOT NULL DEFAULT '',
        added_by bigint REFERENCES user_account,
        added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (project_id, attribute_id, type, ref)
      );
      CREATE INDEX project_attribute_source_attribute ON project_attribute_source (attribute_id);

      -- Components that the answers bring in, with what they implement and introduce as the project last took it.
      CREATE TABLE project_component (
        project_id bigint NOT NULL REFERENCES project ON DELETE CASCADE,
        component_id bigint NOT NULL REFERENCES component ON DELETE CASCADE,
        tasks_implemented bigint[] NOT NULL DEFAULT '{}',
        tasks_introduced bigint[] NOT NULL DEFAULT '{}',
        implied_attributes bigint[] NOT NULL DEFAULT '{}',
        added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (project_id, component_id)
      );
      CREATE INDEX project_component_component ON project_component (component_id);
      CREATE TABLE project_weakness (
        project_id bigint NOT NULL REFERENCES project ON DELETE CASCADE,
        weakness_id bigint NOT NULL REFERENCES weakness ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        PRIMARY KEY (project_id, weakness_id)
      );
      CREATE INDEX project_weakness_weakness ON project_weakness (weakness_id);
      CREATE TABLE project_threat (
        project_id bigint NOT NULL REFERENCES project ON DELETE CASCADE,
        threat_id bigint NOT NULL REFERENCES threat ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        PRIMARY KEY (project_id, threat_id)
      );
      CREATE INDEX project_threat_threat ON project_threat (threat_id);
    `);

    // One row for each countermeasure that a project has or has had: what was worked on it outlives its relevance. What
    // reports count all rows by comes first: of a row, PostgreSQL reads what stands before the last column it needs, and
    // quickest what has one length and is always there.
    this.addSql(`
      CREATE TABLE project_countermeasure (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        project_id bigint NOT NULL REFERENCES project ON DELETE CASCADE,
        status_id integer NOT NULL DEFAULT 2 REFERENCES task_status,
        relevant boolean NOT NULL DEFAULT true,
        relevant_via_survey boolean NOT NULL DEFAULT false,
        accepted boolean NOT NULL DEFAULT true,
        manually_added boolean NOT NULL DEFAULT false,
        countermeasure_id bigint REFERENCES countermeasure ON DELETE CASCADE,
        -- Of one that is the project's own: its number there, and what the library gives for the others.
        number integer,
        phase_id bigint REFERENCES phase,
        priority integer CHECK (priority BETWEEN 1 AND 10),
        title text,
        text text,
        verification_status text NOT NULL DEFAULT 'none' CHECK (verification_status IN ('none', 'pass', 'partial', 'fail')),
        tags text[] NOT NULL DEFAULT '{}',
        artifact_proxy text NOT NULL DEFAULT '',
        became_relevant_at timestamptz,
        status_updated_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_by bigint REFERENCES user_account,
        CONSTRAINT project_countermeasure_of CHECK (CASE WHEN countermeasure_id IS NULL
          THEN num_nulls(number, title, text, phase_id, priority) = 0
          ELSE num_nonnulls(number, title, text, phase_id, priority) = 0 END)
      );
      CREATE UNIQUE INDEX project_countermeasure_item ON project_countermeasure (project_id, countermeasure_id);
      CREATE UNIQUE INDEX project_countermeasure_number ON project_countermeasure (project_id, number) WHERE number IS NOT NULL;
      CREATE INDEX project_countermeasure_library ON project_countermeasure (countermeasure_id);
      CREATE TABLE project_countermeasure_assignee (
        project_countermeasure_id bigint NOT NULL REFERENCES project_countermeasure ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
        PRIMARY KEY (project_countermeasure_id, user_id)
      );
      CREATE INDEX project_countermeasure_assignee_user ON project_countermeasure_assignee (user_id);
      CREATE TABLE project_countermeasure_note (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_countermeasure_id bigint NOT NULL REFERENCES project_countermeasure ON DELETE CASCADE,
        text text NOT NULL,
        automatic boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_by bigint REFERENCES user_account
      );
      CREATE INDEX project_countermeasure_note_of ON project_countermeasure_note (project_countermeasure_id, id);
      CREATE TABLE project_countermeasure_analysis (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_countermeasure_id bigint NOT NULL REFERENCES project_countermeasure ON DELETE CASCADE,
        analysis_session text NOT NULL DEFAULT '',
        behaviour text NOT NULL DEFAULT 'replace' CHECK (behaviour IN ('combine', 'replace')),
        confidence text NOT NULL DEFAULT 'high' CHECK (confidence IN ('low', 'high')),
        findings jsonb NOT NULL DEFAULT '[]',
        finding_ref text NOT NULL DEFAULT '',
        status text NOT NULL CHECK (status IN ('pass', 'partial', 'fail')),
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_by bigint REFERENCES user_account
      );
      CREATE INDEX project_countermeasure_analysis_of ON project_countermeasure_analysis (project_countermeasure_id, id);
    `);
  }
}
