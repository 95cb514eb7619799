import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { additionalRequirementModel } from './additional-requirement.model.js';
import { answerModel } from './answer.model.js';
import { attributeModel } from './attribute.model.js';
import { componentModel } from './component.model.js';
import { componentQuestionModel } from './component-question.model.js';
import { countermeasureModel } from './countermeasure.model.js';
import { glossaryTermModel } from './glossary-term.model.js';
import { howToModel } from './how-to.model.js';
import { phaseModel } from './phase.model.js';
import { profileModel } from './profile.model.js';
import { questionModel } from './question.model.js';
import { regulationModel } from './regulation.model.js';
import { regulationSectionModel } from './regulation-section.model.js';
import { sectionModel } from './section.model.js';
import { subquestionModel } from './subquestion.model.js';
import { subsectionModel } from './subsection.model.js';
import { threatModel } from './threat.model.js';
import { threatFrameworkModel } from './threat-framework.model.js';
import { trainingModuleModel } from './training-module.model.js';
import { weaknessModel } from './weakness.model.js';
import { workflowPromptModel } from './workflow-prompt.model.js';
import type { ModelDescription } from './content-model.js';

/** Every model, in the order of their references: what is named comes before what names it, as far as that goes. */
export const MODELS: readonly ModelDescription[] = [
  phaseModel,
  glossaryTermModel,
  sectionModel,
  subsectionModel,
  attributeModel,
  questionModel,
  subquestionModel,
  answerModel,
  weaknessModel,
  countermeasureModel,
  additionalRequirementModel,
  howToModel,
  regulationModel,
  regulationSectionModel,
  componentQuestionModel,
  componentModel,
  threatFrameworkModel,
  threatModel,
  profileModel,
  workflowPromptModel,
  trainingModuleModel,
];

const byName = new Map(MODELS.map((model) => [model.name, model]));

/** The description of a model. */
export function describe(name: ContentModel): ModelDescription {
  const model = byName.get(name);
  if (!model) throw new Error(`There is no description of "${name}".`);
  return model;
}
