import type { EntitySchema } from '@mikro-orm/postgresql';
import type { ActivitySubject } from '#domain/activity/activities.js';
import { AdditionalRequirementVersion } from '#domain/additional-requirement/additional-requirement.entity.js';
import { FIXED_ATTRIBUTE } from '#domain/attribute/attribute.rules.js';
import type { ItemTable } from '#domain/batch/item-batch.commands.js';
import { ComponentVersion } from '#domain/component/component.entity.js';
import { DEFAULT_ICON, FIXED_ICON } from '#domain/component/component.rules.js';
import { CountermeasureVersion } from '#domain/countermeasure/countermeasure.entity.js';
import { cleanTags } from '#domain/countermeasure/countermeasure.rules.js';
import { HowToVersion } from '#domain/how-to/how-to.entity.js';
import type { Kind } from '#domain/item-id.js';
import type { ConditionedKind } from '#domain/match-condition/match-condition.projection.js';
import type { Version } from '#domain/overlay/overlay.commands.js';
import { FIXED_PHASE } from '#domain/phase/phase.rules.js';
import { ThreatVersion } from '#domain/threat/threat.entity.js';
import { FRAMEWORK_FIELDS, FRAMEWORKS } from '#domain/threat/threat.rules.js';
import { WeaknessVersion } from '#domain/weakness/weakness.entity.js';
import { FIXED_CWES } from '#domain/weakness/weakness.rules.js';
import { cleanVariables, CONTENT_TYPES, CONTEXT_ORDINAL } from '#domain/workflow-prompt/workflow-prompt.rules.js';
import type { ContentModel } from '../export/content-models.js';
import { beside, entries, type FieldPlan, line, many, negated, numbers, one, plain, texts } from './field-plan.js';
import * as nested from './nested-values.js';

/** How a model's rows are imported. */
export interface Plan {
  readonly kind: Kind;
  readonly subject: ActivitySubject;
  readonly fields: Readonly<Record<string, FieldPlan>>;
  /** The field that items are called by. */
  readonly title: string;
  /** The field that switches items on and off, and its value for off. */
  readonly switch?: { readonly field: string; readonly off: boolean };
  /** Of content that an organization changes for itself: the form of its versions. */
  readonly version?: EntitySchema<Version>;
  /** What of shipped content an organization can change, where it has no versions: nothing, or these fields. */
  readonly ofShipped?: readonly string[];
  /** Why a change of the other fields of shipped content is refused. */
  readonly refusal?: string;
  /** Fields of shipped content that never change, in versions neither, and why. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Fields of shipped content that follow from something else there, and are not taken. */
  readonly givenByProduct?: readonly string[];
  /** The field that names what an item exists within; it never changes. */
  readonly owner?: { readonly field: string; readonly column: string };
  readonly conditions?: ConditionedKind;
  /** The column that a place among others is kept in, and the one that says among which. */
  readonly ordinal?: { readonly within?: string };
  /** The field that a slug is made from where none is given. */
  readonly slugOf?: string;
  readonly stamps?: ItemTable['stamps'];
}

/** Every kind's versions have what the overlay needs of them. */
const version = (entity: unknown) => entity as EntitySchema<Version>;

const active = { field: 'active', off: false } as const;
const activeField = plain('active', 'boolean', true);
const longText = plain('text', 'text', '');
const description = plain('description', 'text', '');
const ordinal = plain('ordinal', 'integer');
const conditions = beside({ normal: nested.matchConditions, refersTo: nested.conditionReferences, otherwise: [] });

/** The table of all imports. Models without a plan come with the product, or have no content yet. */
export const PLANS: Readonly<Partial<Record<ContentModel, Plan>>> = {
  phase: {
    kind: 'phase',
    subject: 'phase',
    title: 'name',
    switch: active,
    slugOf: 'name',
    ofShipped: [],
    refusal: FIXED_PHASE,
    ordinal: {},
    fields: {
      name: line('name'),
      slug: line('slug'),
      description,
      tip: plain('tip', 'text', ''),
      ordinal,
      active: activeField,
      retain: plain('retain', 'boolean', false),
    },
  },
  glossary_term: {
    kind: 'glossary_term',
    subject: 'glossary_term',
    title: 'term',
    ofShipped: [],
    fields: { term: line('term'), definition: plain('definition', 'text') },
  },
  section: {
    kind: 'survey_section',
    subject: 'survey_section',
    title: 'title',
    ofShipped: [],
    ordinal: {},
    fields: { title: line('title'), ordinal },
  },
  subsection: {
    kind: 'survey_subsection',
    subject: 'survey_subsection',
    title: 'title',
    ofShipped: [],
    ordinal: { within: 'section_id' },
    fields: { section: one('section_id', 'survey_section'), title: line('title'), ordinal },
  },
  attribute: {
    kind: 'attribute',
    subject: 'attribute',
    title: 'name',
    switch: active,
    ofShipped: ['active'],
    refusal: FIXED_ATTRIBUTE,
    stamps: ['updated_at'],
    fields: {
      name: line('name'),
      description,
      active: activeField,
      parent: beside({
        refersTo: (value) => (value === null ? [] : [{ target: 'attribute', id: String(value) }]),
        otherwise: null,
      }),
    },
  },
  question: {
    kind: 'survey_question',
    subject: 'survey_question',
    title: 'text',
    ofShipped: [],
    ordinal: { within: 'subsection_id' },
    fields: {
      text: longText,
      description,
      format: plain('format', 'text'),
      subsection: one('subsection_id', 'survey_subsection'),
      depends_on: many('depends_on', 'survey_answer'),
      ordinal,
    },
  },
  subquestion: {
    kind: 'survey_subquestion',
    subject: 'survey_subquestion',
    title: 'text',
    ofShipped: [],
    ordinal: { within: 'question_id' },
    fields: { question: one('question_id', 'survey_question'), text: longText, ordinal },
  },
  answer: {
    kind: 'survey_answer',
    subject: 'survey_answer',
    title: 'text',
    switch: { field: 'is_active', off: false },
    ofShipped: [],
    ordinal: { within: 'question_id' },
    fields: {
      text: longText,
      description,
      display_text: line('display_text', ''),
      is_active: plain('is_active', 'boolean', true),
      question: one('question_id', 'survey_question'),
      subquestion: one('subquestion_id', 'survey_subquestion', null),
      attributes: many('attributes', 'attribute'),
      ordinal,
    },
  },
  weakness: {
    kind: 'weakness',
    subject: 'weakness',
    title: 'title',
    switch: active,
    version: version(WeaknessVersion),
    fixed: { cwe: FIXED_CWES },
    conditions: 'weakness',
    fields: {
      title: line('title'),
      text: longText,
      risk_rating: plain('risk_rating', 'integer'),
      cwe: numbers('cwes', 'cwe'),
      active: activeField,
      category: line('category', ''),
      match_conditions: conditions,
    },
  },
  standard: {
    kind: 'countermeasure',
    subject: 'countermeasure',
    title: 'title',
    switch: active,
    version: version(CountermeasureVersion),
    conditions: 'countermeasure',
    fields: {
      title: line('title'),
      text: longText,
      problem: one('weakness_id', 'weakness'),
      priority: plain('priority', 'integer'),
      phase: one('phase_id', 'phase'),
      active: activeField,
      tags: texts('tags', cleanTags),
      categories: texts('categories'),
      verification_coverage: texts('verification_coverage'),
      match_conditions: conditions,
    },
  },
  amendment: {
    kind: 'additional_requirement',
    subject: 'additional_requirement',
    title: 'title',
    switch: active,
    version: version(AdditionalRequirementVersion),
    owner: { field: 'task', column: 'countermeasure_id' },
    ordinal: { within: 'countermeasure_id' },
    conditions: 'additional_requirement',
    fields: {
      title: line('title'),
      text: longText,
      ordinal,
      active: activeField,
      task: beside({ refersTo: (value) => [{ target: 'countermeasure', id: String(value) }] }),
      match_conditions: conditions,
    },
  },
  implementation: {
    kind: 'how_to',
    subject: 'how_to',
    title: 'title',
    switch: active,
    version: version(HowToVersion),
    owner: { field: 'task', column: 'countermeasure_id' },
    slugOf: 'title',
    conditions: 'how_to',
    fields: {
      title: line('title'),
      text: longText,
      slug: line('slug'),
      active: activeField,
      task: beside({ refersTo: (value) => [{ target: 'countermeasure', id: String(value) }] }),
      match_conditions: conditions,
    },
  },
  regulation: {
    kind: 'regulation',
    subject: 'regulation',
    title: 'name',
    slugOf: 'name',
    ofShipped: [],
    fields: { name: line('name'), slug: line('slug'), version: line('version', ''), url: line('url', '') },
  },
  regulation_section: {
    kind: 'regulation_section',
    subject: 'regulation_section',
    title: 'title',
    ofShipped: [],
    ordinal: { within: 'regulation_id' },
    fields: {
      regulation: one('regulation_id', 'regulation'),
      code: line('code', ''),
      title: line('title'),
      ordinal,
      countermeasures: { ...many('', 'countermeasure'), columns: {}, write: () => ({}) },
    },
  },
  component_question: {
    kind: 'component_question',
    subject: 'component_question',
    title: 'text',
    ofShipped: [],
    stamps: ['updated_at'],
    fields: {
      text: longText,
      description,
      question_type: plain('question_type', 'text'),
      answers: beside({
        normal: nested.componentAnswers,
        refersTo: nested.componentAnswerReferences,
        otherwise: [],
      }),
    },
  },
  component: {
    kind: 'component',
    subject: 'component',
    title: 'title',
    switch: { field: 'hidden', off: true },
    version: version(ComponentVersion),
    fixed: { icon_slug: FIXED_ICON },
    givenByProduct: ['implied_attributes'],
    fields: {
      title: line('title'),
      description: plain('text', 'text', ''),
      answer_mapping: one('answer_id', 'survey_answer', null),
      tasks_implemented: many('tasks_implemented', 'countermeasure'),
      tasks_introduced: many('tasks_introduced', 'countermeasure'),
      hidden: negated('active', true),
      implied_attributes: many('implied_attributes', 'attribute'),
      icon_slug: {
        ...line('icon_slug', DEFAULT_ICON),
        refersTo: (value) => [{ target: 'component_icon', id: String(value) }],
      },
      component_questions: {
        columns: { questions: 'bigint[]', parent_answers: 'bigint[]' },
        otherwise: [],
        normal: nested.questionnaire,
        refersTo: nested.questionnaireReferences,
        write: (value, identities) => {
          const asked = nested.entriesOf(value);
          return {
            questions: asked.map(({ question }) => identities('component_question', String(question))),
            parent_answers: asked.map(({ parent_answer: answer }) =>
              typeof answer === 'string' ? identities('component_answer', answer) : 0,
            ),
          };
        },
      },
    },
  },
  threat: {
    kind: 'threat',
    subject: 'threat',
    title: 'title',
    switch: active,
    version: version(ThreatVersion),
    conditions: 'threat',
    fields: {
      title: line('title'),
      text: longText,
      severity: plain('severity', 'integer'),
      active: activeField,
      capecs: numbers('capecs', 'capec'),
      problems: many('problems', 'weakness'),
      ...Object.fromEntries(FRAMEWORK_FIELDS.map((field) => [field, entries(field, FRAMEWORKS[field])])),
      match_conditions: conditions,
    },
  },
  profile: {
    kind: 'profile',
    subject: 'profile',
    title: 'name',
    switch: active,
    ofShipped: [],
    // An organization's own default stands in front of the one that ships.
    givenByProduct: ['default'],
    fields: {
      name: line('name'),
      description,
      answers: many('answers', 'survey_answer'),
      default: plain('is_default', 'boolean', false),
      logo_url: line('logo_url', null),
      active: activeField,
    },
  },
  workflow_prompt: {
    kind: 'workflow_prompt',
    subject: 'workflow_prompt',
    title: 'title',
    switch: active,
    stamps: ['created_by', 'updated_by', 'updated_at'],
    fields: {
      title: line('title'),
      type: plain('type', 'text'),
      prompt: plain('prompt', 'text'),
      variables: texts('variables', cleanVariables),
      active: activeField,
      contexts: beside({ normal: nested.promptContexts(CONTENT_TYPES, CONTEXT_ORDINAL), otherwise: [] }),
    },
  },
};

/** The table that a plan writes to. */
export const tableOf = ({ kind, version: entity, fields, owner, stamps }: Plan): ItemTable => ({
  kind,
  overlaid: entity !== undefined,
  columns: Object.assign({}, ...Object.values(fields).map(({ columns }) => columns)) as ItemTable['columns'],
  ...(owner && { owner: owner.column }),
  ...(stamps && { stamps }),
});
