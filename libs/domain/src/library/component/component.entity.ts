import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { versionProperties } from '../customization/version.entity.js';

const numbers = () => p.array((text: string) => Number(text));

/**
 * A component as one organization has it, or as it ships. Its identity is the row of `component`. `text` is its
 * description, and it is hidden where it is not `active`.
 */
export const ComponentVersion = defineEntity({
  name: 'ComponentVersion',
  tableName: 'component_version',
  properties: {
    ...versionProperties,
    componentId: p.bigint('number'),
    category: p.text(),
    iconSlug: p.text(),
    answerId: p.bigint('number').nullable(),
    tasksImplemented: numbers(),
    tasksIntroduced: numbers(),
    impliedAttributes: numbers(),
    /** The questionnaire: questions in their order, and at the same place the answer that opens each, 0 for none. */
    questions: numbers(),
    parentAnswers: numbers(),
  },
});

export type ComponentVersion = InferEntity<typeof ComponentVersion>;
