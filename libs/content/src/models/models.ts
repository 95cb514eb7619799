import { CONTENT_MODELS, type ContentModel } from '#domain/exchange/job/content-models.js';
import { additionalRequirementModel } from './additional-requirement.model.js';
import {
  answerModel,
  attributeModel,
  componentModel,
  glossaryTermModel,
  phaseModel,
  profileModel,
  regulationModel,
  ruleMappingModel,
  threatFrameworkModel,
  workflowPromptModel,
} from './simple.models.js';
import { componentQuestionModel } from './component-question.model.js';
import { countermeasureModel } from './countermeasure.model.js';
import { howToModel } from './how-to.model.js';
import { questionModel } from './question.model.js';
import { regulationSectionModel } from './regulation-section.model.js';
import { sectionModel } from './section.model.js';
import { subquestionModel } from './subquestion.model.js';
import { subsectionModel } from './subsection.model.js';
import { threatModel } from './threat.model.js';
import { trainingModuleModel } from './training-module.model.js';
import { weaknessModel } from './weakness.model.js';
import type { ModelDescription } from './content-model.js';

const DESCRIPTIONS: Readonly<Record<ContentModel, ModelDescription>> = {
  phase: phaseModel,
  glossary_term: glossaryTermModel,
  section: sectionModel,
  subsection: subsectionModel,
  attribute: attributeModel,
  question: questionModel,
  subquestion: subquestionModel,
  answer: answerModel,
  weakness: weaknessModel,
  standard: countermeasureModel,
  amendment: additionalRequirementModel,
  implementation: howToModel,
  regulation: regulationModel,
  regulation_section: regulationSectionModel,
  component_question: componentQuestionModel,
  component: componentModel,
  threat_framework: threatFrameworkModel,
  threat: threatModel,
  profile: profileModel,
  workflow_prompt: workflowPromptModel,
  training_module: trainingModuleModel,
  rule_mapping: ruleMappingModel,
};

/** The description of a model. */
export const describe = (name: ContentModel): ModelDescription => DESCRIPTIONS[name];

/** All models. As far as possible, a model comes after those that it refers to. */
export const MODELS: readonly ModelDescription[] = CONTENT_MODELS.map(describe);
