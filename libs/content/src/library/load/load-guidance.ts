import { sql } from 'kysely';
import { ICONS_PATH } from '#domain/library/component/component-icon.projection.js';
import { numberOf } from '#domain/kernel/item-id.js';
import { GlossaryTerm } from '#domain/library/glossary-term/glossary-term.entity.js';
import { Profile } from '#domain/library/profile/profile.entity.js';
import { RuleMapping } from '#domain/library/rule-mapping/rule-mapping.entity.js';
import { WorkflowPrompt, WorkflowPromptContext } from '#domain/library/workflow-prompt/workflow-prompt.entity.js';
import type { Library } from '../schema/library-schema.js';
import type { BuiltInTables } from './built-in-tables.js';

/** Loads the glossary, rule mappings, profiles, and workflow prompts with their contexts. Load the survey first. */
export async function loadGuidance(tables: BuiltInTables, library: Library): Promise<void> {
  await tables.mergeRows(
    GlossaryTerm,
    library.glossary.map(({ id, term, definition }) => ({ number: numberOf(id), term, definition })),
  );
  await tables.mergeRows(
    RuleMapping,
    library.ruleMappings.map(({ id, ...fields }) => ({ ...fields, number: numberOf(id) })),
  );
  await loadProfiles(tables, library);
  await loadWorkflowPrompts(tables, library);
}

async function loadProfiles(tables: BuiltInTables, { profiles }: Library): Promise<void> {
  const answerId = await tables.identities('survey_answer');
  // There can be only one default profile at a time, so the former one is reset first.
  const defaultProfiles = profiles.filter((profile) => profile.default).map(({ id }) => numberOf(id));
  await tables.run(
    'profile',
    sql<{ id: string }>`
      UPDATE profile SET is_default = false
      WHERE organization_id IS NULL AND is_default AND number <> ALL(${defaultProfiles}::int[]) RETURNING id`,
  );
  await tables.mergeRows(
    Profile,
    profiles.map(({ id, name, description, answers, icon, default: is_default }) => ({
      number: numberOf(id),
      name,
      description,
      answers: answers.map(answerId),
      is_default,
      logo_url: `/${ICONS_PATH}/${icon}.svg`,
      active: true,
    })),
    'active',
  );
}

async function loadWorkflowPrompts(tables: BuiltInTables, { workflowPrompts }: Library): Promise<void> {
  await tables.mergeRows(
    WorkflowPrompt,
    workflowPrompts.map(({ id, title, type, prompt, variables }) => ({
      number: id,
      title,
      type,
      prompt,
      variables,
      active: true,
    })),
    'active',
  );

  const promptId = await tables.identities('workflow_prompt');
  await tables.mergeRows(
    WorkflowPromptContext,
    workflowPrompts.flatMap((prompt) =>
      prompt.contexts.map(({ id, name, content_type, text }, index) => ({
        number: id,
        prompt_id: promptId(String(prompt.id)),
        name,
        content_type,
        text,
        ordinal: index + 1,
        active: true,
      })),
    ),
    'active',
  );
}
