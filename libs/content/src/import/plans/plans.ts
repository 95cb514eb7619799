import type { Plans } from './plan.js';
import { COMPONENT_PLANS } from './plans-of-components.js';
import { CONTENT_PLANS } from './plans-of-content.js';
import { GUIDANCE_PLANS } from './plans-of-guidance.js';
import { SURVEY_PLANS } from './plans-of-survey.js';

/** The table of all imports. Models without a plan come with the product. */
export const PLANS: Plans = {
  phase: GUIDANCE_PLANS.phase,
  glossary_term: GUIDANCE_PLANS.glossary_term,
  section: SURVEY_PLANS.section,
  subsection: SURVEY_PLANS.subsection,
  attribute: SURVEY_PLANS.attribute,
  question: SURVEY_PLANS.question,
  subquestion: SURVEY_PLANS.subquestion,
  answer: SURVEY_PLANS.answer,
  weakness: CONTENT_PLANS.weakness,
  standard: CONTENT_PLANS.standard,
  amendment: CONTENT_PLANS.amendment,
  implementation: CONTENT_PLANS.implementation,
  regulation: GUIDANCE_PLANS.regulation,
  regulation_section: GUIDANCE_PLANS.regulation_section,
  component_question: COMPONENT_PLANS.component_question,
  component: COMPONENT_PLANS.component,
  threat: CONTENT_PLANS.threat,
  profile: SURVEY_PLANS.profile,
  workflow_prompt: GUIDANCE_PLANS.workflow_prompt,
  training_module: GUIDANCE_PLANS.training_module,
};
