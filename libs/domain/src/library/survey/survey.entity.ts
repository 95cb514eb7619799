import { defineEntity, p } from '@mikro-orm/core';
import { key, numberList, references } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';
import { changeTriggers } from '../../kernel/schema/library-triggers.js';
import { searchDocument, searchIndex } from '../../kernel/schema/search-document.js';

export const SurveySection = defineEntity({
  name: 'SurveySection',
  tableName: 'survey_section',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('survey_section'),
    title: p.text(),
    ordinal: p.integer(),
  },
  indexes: [itemIndex('survey_section')],
});

/** A part of a section of the survey. */
export const SurveySubsection = defineEntity({
  name: 'SurveySubsection',
  tableName: 'survey_subsection',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('survey_subsection'),
    sectionId: references('survey_section'),
    title: p.text(),
    ordinal: p.integer(),
  },
  indexes: [itemIndex('survey_subsection')],
});

export const SurveyQuestion = defineEntity({
  name: 'SurveyQuestion',
  tableName: 'survey_question',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('survey_question'),
    subsectionId: references('survey_subsection'),
    text: p.text(),
    description: p.text().default(''),
    format: p.enum(['MC', 'SC'] as const),
    dependsOn: numberList(),
    ordinal: p.integer(),
    document: searchDocument('survey_question'),
  },
  indexes: [
    itemIndex('survey_question'),
    searchIndex('survey_question'),
    { name: 'survey_question_subsection', properties: ['subsectionId'] },
  ],
});

/** A heading among the answers to a question. */
export const SurveySubquestion = defineEntity({
  name: 'SurveySubquestion',
  tableName: 'survey_subquestion',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('survey_subquestion'),
    questionId: references('survey_question'),
    text: p.text(),
    ordinal: p.integer(),
  },
  indexes: [itemIndex('survey_subquestion')],
});

/** An answer to a question of the survey. */
export const SurveyAnswer = defineEntity({
  name: 'SurveyAnswer',
  tableName: 'survey_answer',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('survey_answer'),
    questionId: references('survey_question'),
    subquestionId: references('survey_subquestion').nullable(),
    text: p.text(),
    description: p.text().default(''),
    displayText: p.text().default(''),
    isActive: p.boolean().default(true),
    attributes: numberList(),
    ordinal: p.integer(),
    document: searchDocument('survey_answer'),
  },
  indexes: [
    itemIndex('survey_answer'),
    searchIndex('survey_answer'),
    { name: 'survey_answer_attributes', properties: ['attributes'], type: 'gin' },
    { name: 'survey_answer_question', properties: ['questionId'] },
  ],
  triggers: changeTriggers('survey_answer'),
});
