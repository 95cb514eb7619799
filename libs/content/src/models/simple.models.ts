import { sql } from 'kysely';
import { answerFields } from '#domain/library/survey/survey.fields.js';
import { answerProjection } from '#domain/library/survey/answer.projection.js';
import { modelOf } from './content-model.js';
import { attributeFields } from '#domain/library/attribute/attribute.fields.js';
import { attributeProjection } from '#domain/library/attribute/attribute.projection.js';
import { componentFields } from '#domain/library/component/component.fields.js';
import { componentProjection } from '#domain/library/component/component.projection.js';
import { glossaryTermFields } from '#domain/library/glossary-term/glossary-term.commands.js';
import { glossaryTermProjection } from '#domain/library/glossary-term/glossary-term.projection.js';
import { phaseFileFields } from '#domain/library/phase/phase.fields.js';
import { phaseProjection } from '#domain/library/phase/phase.projection.js';
import { profileFields } from '#domain/library/profile/profile.fields.js';
import { profileProjection } from '#domain/library/profile/profile.projection.js';
import { regulationFields } from '#domain/library/regulation/regulation.fields.js';
import { regulationProjection } from '#domain/library/regulation/regulation.projection.js';
import { ruleMappingFields } from '#domain/library/rule-mapping/rule-mapping.fields.js';
import { ruleMappingProjection } from '#domain/library/rule-mapping/rule-mapping.projection.js';
import { threatFrameworkProjection } from '#domain/library/threat-framework/threat-framework.projection.js';
import { workflowPromptFileFields } from '#domain/library/workflow-prompt/workflow-prompt.fields.js';
import { workflowPromptProjection } from '#domain/library/workflow-prompt/workflow-prompt.projection.js';

// Models that are declared by one call; those with code of their own have a file each.

export const answerModel = modelOf(answerProjection, {
  name: 'answer',
  title: 'Answers of the survey',
  fields: answerFields,
  references: { section: 'section', subsection: 'subsection' },
  columns: { ordinal: { sql: sql`item.ordinal` } },
});

export const attributeModel = modelOf(attributeProjection, {
  name: 'attribute',
  title: 'Attributes',
  fields: attributeFields,
  references: { path: 'attribute' },
});

export const componentModel = modelOf(componentProjection, {
  name: 'component',
  title: 'Components',
  fields: componentFields,
});

export const glossaryTermModel = modelOf(glossaryTermProjection, {
  name: 'glossary_term',
  title: 'Terms of the glossary',
  fields: glossaryTermFields,
});

export const phaseModel = modelOf(phaseProjection, {
  name: 'phase',
  title: 'Phases',
  fields: phaseFileFields,
});

export const profileModel = modelOf(profileProjection, {
  name: 'profile',
  title: 'Profiles',
  fields: profileFields,
});

export const regulationModel = modelOf(regulationProjection, {
  name: 'regulation',
  title: 'Regulations',
  fields: regulationFields,
});

export const ruleMappingModel = modelOf(ruleMappingProjection, {
  name: 'rule_mapping',
  title: 'Rule mappings',
  fields: ruleMappingFields,
  references: { cwe: 'cwe' },
});

/** Threat frameworks are built in: an import can't change them. */
export const threatFrameworkModel = modelOf(threatFrameworkProjection, {
  name: 'threat_framework',
  title: 'Threat frameworks',
  references: { entries: 'threat' },
});

export const workflowPromptModel = modelOf(workflowPromptProjection, {
  name: 'workflow_prompt',
  title: 'Workflow prompts',
  fields: workflowPromptFileFields,
  long: ['contexts'],
});
