import { writeComponentQuestions } from '#domain/library/component/component-question.commands.js';
import { writeComponents } from '#domain/library/component/component.commands.js';
import { ComponentVersion } from '#domain/library/component/component.entity.js';
import { BUILT_IN_COMPONENT } from '#domain/library/component/component.rules.js';
import { one } from './field-plan.js';
import * as nested from './nested-values.js';
import { customizing, type Plans } from './plan.js';

/** Components and their questions. */
export const COMPONENT_PLANS = {
  component_question: {
    write: writeComponentQuestions,
    fields: { answers: { normal: nested.componentAnswers, refersTo: nested.componentAnswerReferences } },
  },
  component: {
    write: writeComponents,
    customize: customizing('component', ComponentVersion),
    builtIn: BUILT_IN_COMPONENT,
    computedIfBuiltIn: ['implied_attributes'],
    fields: {
      icon_slug: one('component_icon'),
      component_questions: { normal: nested.questionnaire, refersTo: nested.questionnaireReferences },
    },
  },
} satisfies Plans;
