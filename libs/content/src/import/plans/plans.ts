import type { ContentModel } from '#domain/exchange/job/content-models.js';
import type { Plan, Plans } from './plan.js';
import { COMPONENT_PLANS } from './plans-of-components.js';
import { CONTENT_PLANS } from './plans-of-content.js';
import { GUIDANCE_PLANS } from './plans-of-guidance.js';
import { SURVEY_PLANS } from './plans-of-survey.js';

/** How each model is imported, but for frameworks of threats, which come with the product. */
export const PLANS: Plans = {
  ...GUIDANCE_PLANS,
  ...SURVEY_PLANS,
  ...CONTENT_PLANS,
  ...COMPONENT_PLANS,
} satisfies Readonly<Record<Exclude<ContentModel, 'threat_framework'>, Plan>>;
