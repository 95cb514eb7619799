import type { ContentModel } from '#domain/content-models.js';
import type { RowValues } from '../formats/format-writer.js';
import { isShippedId } from './difference.js';
import type { Items } from './items.js';
import { entriesOf } from './nested-values.js';
import { PLANS } from './plans.js';

/** Notes the ids that a row brings, so that other rows can refer to them. */
export function announce(items: Items, model: ContentModel, id: string | null, given: RowValues | null): void {
  const plan = PLANS[model];
  if (!plan) return;
  if (id !== null && !isShippedId(plan.kind, id)) items.announce(plan.kind, id);
  if (plan.kind !== 'component_question' || id === null || given === null) return;
  for (const answer of entriesOf(given.answers))
    if (typeof answer.id === 'string' && !isShippedId('component_answer', answer.id))
      items.announceAnswer(answer.id, id);
}
