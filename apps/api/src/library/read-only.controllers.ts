import { capecProjection } from '#domain/library/capec/capec.projection.js';
import { categoryProjection } from '#domain/library/category/category.projection.js';
import { componentIconProjection } from '#domain/library/component/component-icon.projection.js';
import { componentQuestionProjection } from '#domain/library/component/component-question.projection.js';
import { cweProjection } from '#domain/library/cwe/cwe.projection.js';
import { glossaryTermProjection } from '#domain/library/glossary-term/glossary-term.projection.js';
import { profileProjection } from '#domain/library/profile/profile.projection.js';
import { regulationSectionProjection } from '#domain/library/regulation/regulation-section.projection.js';
import { regulationProjection } from '#domain/library/regulation/regulation.projection.js';
import { answerProjection } from '#domain/library/survey/answer.projection.js';
import { questionProjection } from '#domain/library/survey/question.projection.js';
import { sectionProjection } from '#domain/library/survey/section.projection.js';
import { tagProjection } from '#domain/library/tag/tag.projection.js';
import { threatFrameworkProjection } from '#domain/library/threat-framework/threat-framework.projection.js';
import { readOnlyController } from '../http/resources/read-only-controller.js';

/** Resources that everyone in the organization can read, and no one can write. */
export const readOnlyControllers = [
  readOnlyController({
    name: 'Answers',
    path: 'library/answers',
    tag: 'Survey',
    family: 'library',
    projection: answerProjection,
    summaries: { list: 'List answers of the survey', item: 'Show an answer' },
  }),
  readOnlyController({
    name: 'Capecs',
    path: 'library/capecs',
    tag: 'CAPECs',
    family: 'library',
    projection: capecProjection,
    summaries: { list: 'List CAPECs', item: 'Show a CAPEC' },
  }),
  readOnlyController({
    name: 'Categories',
    path: 'library/categories',
    tag: 'Categories',
    family: 'library',
    projection: categoryProjection,
    summaries: { list: 'List categories' },
  }),
  readOnlyController({
    name: 'ComponentIcons',
    path: 'library/component-icons',
    tag: 'Components',
    family: 'library',
    projection: componentIconProjection,
    summaries: { list: 'List the icons that components can have' },
  }),
  readOnlyController({
    name: 'ComponentQuestions',
    path: 'library/componentquestions',
    tag: 'Components',
    family: 'library',
    projection: componentQuestionProjection,
    summaries: { list: 'List the questions of components', item: 'Show a question of a component' },
  }),
  readOnlyController({
    name: 'Cwes',
    path: 'library/cwes',
    tag: 'CWEs',
    family: 'library',
    projection: cweProjection,
    summaries: { list: 'List CWEs', item: 'Show a CWE' },
  }),
  readOnlyController({
    name: 'GlossaryTerms',
    path: 'library/glossary-terms',
    tag: 'Glossary',
    family: 'library',
    projection: glossaryTermProjection,
    summaries: { list: 'List glossary terms', item: 'Show a glossary term' },
  }),
  readOnlyController({
    name: 'Profiles',
    path: 'profiles',
    tag: 'Profiles',
    family: 'library',
    projection: profileProjection,
    summaries: { list: 'List profiles', item: 'Show a profile' },
  }),
  readOnlyController({
    name: 'Questions',
    path: 'library/questions',
    tag: 'Survey',
    family: 'library',
    projection: questionProjection,
    summaries: { list: 'List questions of the survey', item: 'Show a question' },
  }),
  readOnlyController({
    name: 'RegulationSections',
    path: 'library/regulations/:regulation/sections',
    tag: 'Regulations',
    family: 'library',
    projection: regulationSectionProjection,
    within: [{ parameter: 'regulation', projection: regulationProjection }],
    summaries: { list: 'List the sections of a regulation', item: 'Show a section of a regulation' },
  }),
  readOnlyController({
    name: 'Regulations',
    path: 'library/regulations',
    tag: 'Regulations',
    family: 'library',
    projection: regulationProjection,
    summaries: { list: 'List regulations', item: 'Show a regulation' },
  }),
  readOnlyController({
    name: 'Sections',
    path: 'library/sections',
    tag: 'Survey',
    family: 'library',
    projection: sectionProjection,
    summaries: { list: 'List sections of the survey', item: 'Show a section' },
  }),
  readOnlyController({
    name: 'Tags',
    path: 'library/tags',
    tag: 'Tags',
    family: 'library',
    projection: tagProjection,
    summaries: { list: 'List tags in use' },
  }),
  readOnlyController({
    name: 'ThreatFrameworks',
    path: 'library/threat-frameworks',
    tag: 'Threats',
    family: 'library',
    projection: threatFrameworkProjection,
    summaries: { list: 'List threat frameworks', item: 'Show a threat framework' },
  }),
];
