import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { index, key, numberList, references, textIndex, uniqueIndex } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';
import { changeTriggers } from '../../kernel/schema/library-triggers.js';
import { versionProperties } from '../customization/version.entity.js';
import { searchIndex } from '../../kernel/schema/search-document.js';

/** The identity of a component: its public id. */
export const Component = defineEntity({
  name: 'Component',
  tableName: 'component',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('component'),
  },
  indexes: [itemIndex('component')],
});

/**
 * A component in the version of one organization, or the built-in original. `text` is the description, and `active` is
 * the opposite of `hidden`, so that the rules for versions of all kinds apply here too.
 */
export const ComponentVersion = defineEntity({
  name: 'ComponentVersion',
  tableName: 'component_version',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    componentId: references('component', { onDelete: 'cascade' }),
    ...versionProperties('component'),
    text: p.text().default(''),
    active: p.boolean().default(false),
    category: p.text().default(''),
    iconSlug: p.text().default('mui-hub'),
    answerId: references('survey_answer').nullable(),
    tasksImplemented: numberList(),
    tasksIntroduced: numberList(),
    impliedAttributes: numberList(),
    /** The questionnaire: the questions in order and, at the same index, the answer that unlocks each; 0 for none. */
    questions: numberList(),
    parentAnswers: numberList(),
  },
  indexes: [
    uniqueIndex('component_version_owner', 'component_version (component_id, organization_id) NULLS NOT DISTINCT'),
    uniqueIndex('component_version_item_id', 'component_version (item_id, organization_id) NULLS NOT DISTINCT'),
    {
      name: 'component_version_order',
      properties: ['organizationId', 'isCustom', 'number'],
      include: ['componentId'],
    },
    index('component_version_title', 'component_version (organization_id, lower(title), is_custom, number)'),
    { name: 'component_version_updated', properties: ['organizationId', 'updatedAt', 'isCustom', 'number'] },
    { name: 'component_version_answer', properties: ['answerId'] },
    { name: 'component_version_implied_attributes', properties: ['impliedAttributes'], type: 'gin' },
    { name: 'component_version_questions', properties: ['questions'], type: 'gin' },
    textIndex('component_version_search', 'component_version', 'title'),
    searchIndex('component_version'),
    { name: 'component_version_tasks', properties: ['tasksImplemented', 'tasksIntroduced'], type: 'gin' },
  ],
  checks: [
    { name: 'component_version_check', expression: 'NOT (tasks_implemented && tasks_introduced)' },
    { name: 'component_version_check1', expression: 'cardinality(questions) = cardinality(parent_answers)' },
  ],
  triggers: changeTriggers('component_version'),
});

export type ComponentVersion = InferEntity<typeof ComponentVersion>;
