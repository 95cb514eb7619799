import type { Type as Class } from '@nestjs/common';
import { BodyPipe } from '../../http/body/body.pipe.js';
import { fieldsOf } from '../../http/body/body-of.js';
import { BodyContent } from '../../http/media/body-content.js';
import { CreateAdditionalRequirement } from '../../library/additional-requirements/additional-requirements.dto.js';
import { CreateAttribute } from '../../library/attributes/attributes.dto.js';
import { CreateComponent } from '../../library/components/components.dto.js';
import { CreateCountermeasure } from '../../library/countermeasures/countermeasures.dto.js';
import { CreateHowTo } from '../../library/how-tos/how-tos.dto.js';
import { CreatePhase } from '../../library/phases/phases.dto.js';
import { CreateRuleMapping } from '../../library/rule-mappings/rule-mappings.dto.js';
import { CreateThreat } from '../../library/threats/threats.dto.js';
import { CreateWeakness } from '../../library/weaknesses/weaknesses.dto.js';
import { CreateWorkflowPrompt } from '../../library/workflow-prompts/workflow-prompts.dto.js';
import { compareRow } from '#content/import/difference/compare-row.js';
import { PLANS } from '#content/import/plans/plans.js';
import { describe as describeModel } from '#content/models/models.js';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { type FieldMessages, Invalid } from '#domain/kernel/domain-errors.js';
import type { Actor } from '#domain/kernel/actor.js';
import { converted } from '#domain/kernel/fields/conversions.js';
import type { CellValue } from '#files/cell-value.js';

/** Models that are read-only in the API. */
type Shown =
  | 'answer'
  | 'component_question'
  | 'glossary_term'
  | 'profile'
  | 'question'
  | 'regulation'
  | 'regulation_section'
  | 'section'
  | 'subquestion'
  | 'subsection'
  | 'threat_framework'
  | 'training_module';

/** The body of every model that clients can write. */
const BODIES: Readonly<Record<Exclude<ContentModel, Shown>, Class<object>>> = {
  phase: CreatePhase,
  attribute: CreateAttribute,
  weakness: CreateWeakness,
  standard: CreateCountermeasure,
  amendment: CreateAdditionalRequirement,
  implementation: CreateHowTo,
  component: CreateComponent,
  threat: CreateThreat,
  workflow_prompt: CreateWorkflowPrompt,
  rule_mapping: CreateRuleMapping,
};

const VALUES: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a whole number', 5],
  ['a number too small for any field', -1],
  ['zero', 0],
  ['a number too large for most fields', 1001],
  ['a number that no column holds', 2 ** 31],
  ['a number that is not exact', 1e300],
  ['a fraction', 1.5],
  ['a fraction in a text', '1.5'],
  ['true', true],
  ['no truth value', 'maybe'],
  ['an empty text', ''],
  ['blanks', '   '],
  ['a NUL character', 'a\0b'],
  ['a lone surrogate', 'a\ud800'],
  ['501 characters', '😀'.repeat(501)],
  ['100,001 characters', 'x'.repeat(100_001)],
  ['an object', {}],
  ['a list with a NUL character', ['a\0b']],
  ['a list with a lone surrogate', ['\ud800']],
  ['a list of objects', [{}]],
  ['a list of lists', [[]]],
  ['a list of nulls', [null]],
  ['a list of fractions', [1.5]],
  ['a list of truth values', [true]],
  ['a list with a number', [5]],
  ['a list with 501 characters', ['😀'.repeat(501)]],
  ['a list of 1,001 entries', Array.from({ length: 1001 }, (_, n) => `${n + 1}`)],
  ['a list of blanks', ['  ']],
  ['a list of 10,001 entries', Array.from({ length: 10_001 }, (_, n) => `${n}`)],
];

/** Entries of lists of objects, by field. */
const ENTRIES: Readonly<Record<string, readonly (readonly [string, object])[]>> = {
  match_conditions: [
    ['numbers', { id: 5, required: 5, excluded: [5] }],
    ['nulls', { required: [null], excluded: null }],
    ['unstorable texts', { id: 'a\0b', required: ['\ud800'] }],
    ['long texts', { id: 'x'.repeat(501), required: ['x'.repeat(501)] }],
  ],
  component_questions: [
    ['numbers', { question: 5, parent_answer: 5 }],
    ['nulls', { question: null, parent_answer: null }],
    ['unstorable texts', { question: 'a\0b', parent_answer: '\ud800' }],
    ['long texts', { question: 'x'.repeat(501) }],
  ],
};

const actor: Actor = {
  id: 1,
  organizationId: 1,
  name: '',
  isSuperUser: true,
  permissions: new Set(),
  flags: new Set(['ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS']),
};

const pipe = new BodyPipe();

/** The messages of the API for the field of a body. */
async function messagesOfApi(body: Class<object>, field: string, value: unknown): Promise<unknown> {
  const bytes = Buffer.from(JSON.stringify({ [field]: value }));
  try {
    const content = new BodyContent(bytes, false, new Set(), actor.flags);
    await pipe.transform(content, { type: 'body', metatype: body });
    return [];
  } catch (error) {
    if (error instanceof Invalid) return inOneLine(error.errors[field] ?? []);
    throw error;
  }
}

/** Messages of entries, by their index and field, as an import reports them: each in one line. */
const inOneLine = (messages: FieldMessages): readonly unknown[] =>
  Object.values<string | FieldMessages>(messages).flatMap((entry, index) =>
    typeof entry === 'string'
      ? [entry]
      : Object.entries(entry).flatMap(([name, texts]) =>
          [texts].flat().map((text) => `Entry ${index + 1}: ${name === 'non_field_errors' ? '' : `${name}: `}${text}`),
        ),
  );

/** The messages of an import for the field of a row. */
function messagesOfImport(model: ContentModel, field: string, value: unknown): unknown {
  const description = describeModel(model);
  const column = columnOf(model, field);
  const plan = PLANS[model];
  if (!column?.field || !plan) throw new Error(`"${model}" has no field "${field}".`);
  const given = converted(column.field, value) as CellValue;
  const { errors } = compareRow(actor, description, plan, { [field]: given }, undefined, false);
  return errors.filter((error) => error.field === field).map(({ details }) => details);
}

/**
 * Allowed differences: the API also lists the required fields that an entry lacks if it is not an object. An import
 * quotes an object that was sent instead of a choice, and has its own message for a blank reference.
 */
const DIFFERENT: readonly (readonly [fields: RegExp, values: RegExp])[] = [
  [/^component_questions$/, /^a list (of|with) (?!objects|10,001|1,001)/],
  [/^(problem|phase)$/, /^(an empty text|blanks)$/],
];

const QUOTED_CHOICES = /object|lists/;

const columnOf = (model: ContentModel, field: string) =>
  describeModel(model).columns.find(({ name }) => name === field);

const isDifferent = (model: ContentModel, field: string, what: string): boolean =>
  DIFFERENT.some(([fields, values]) => fields.test(field) && values.test(what)) ||
  (columnOf(model, field)?.field?.type === 'choice' && QUOTED_CHOICES.test(what));

/** Whether an import accepts a field. */
const isTaken = (model: ContentModel, field: string): boolean => columnOf(model, field)?.readOnly === false;

const cases = Object.entries(BODIES).flatMap(([model, body]) =>
  [...fieldsOf(body.prototype as object).keys()]
    .filter((field) => isTaken(model as ContentModel, field))
    .flatMap((field) =>
      [
        ...VALUES.filter(([what]) => !isDifferent(model as ContentModel, field, what)),
        ...(ENTRIES[field] ?? []).map(([what, entry]) => [`an entry with ${what}`, [entry]] as const),
      ].map(([what, value]) => ({
        model: model as ContentModel,
        body,
        field,
        what,
        value,
      })),
    ),
);

describe('The error message of an import for an invalid value', () => {
  it.each(cases)('equals that of the API for $model, $field: $what', async ({ model, body, field, value }) => {
    expect(messagesOfImport(model, field, value)).toEqual(await messagesOfApi(body, field, value));
  });
});
