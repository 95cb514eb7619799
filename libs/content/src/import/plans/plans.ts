import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { kindOf, type ModelDescription } from '../../models/content-model.js';
import { MODELS } from '../../models/models.js';
import { planOfField } from './field-plan.js';
import type { Plan, Plans } from './plan.js';
import { COMPONENT_PLANS } from './plans-of-components.js';
import { CONTENT_PLANS } from './plans-of-content.js';
import { GUIDANCE_PLANS } from './plans-of-guidance.js';
import { SURVEY_PLANS } from './plans-of-survey.js';

const DECLARED: Plans = {
  ...GUIDANCE_PLANS,
  ...SURVEY_PLANS,
  ...CONTENT_PLANS,
  ...COMPONENT_PLANS,
} satisfies Required<Omit<Plans, 'threat_framework'>>;

/** The plan of a model, completed with the plans of its fields by type. */
function planOf({ name, columns }: ModelDescription): readonly (readonly [ContentModel, Plan])[] {
  const [plan, kind] = [DECLARED[name], kindOf(name)];
  if (!plan || !kind) return [];
  const fields = columns.flatMap(({ name, field }) =>
    field ? [[name, { ...planOfField(field), ...plan.fields?.[name] }] as const] : [],
  );
  return [[name, { ...plan, kind, fields: Object.fromEntries(fields) }]];
}

/** The plans of all models except threat frameworks, which are built in. */
export const PLANS: Readonly<Partial<Record<ContentModel, Plan>>> = Object.fromEntries(MODELS.flatMap(planOf));
