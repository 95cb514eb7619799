import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { isBuiltInId } from '#domain/kernel/item-id.js';
import type { CellValue } from '#files/cell-value.js';
import type { Items } from './items.js';
import { LIMITS } from '../formats/limits.js';
import { entriesOf } from '../plans/nested-values.js';
import { PLANS } from '../plans/plans.js';

/**
 * Registers the ids of a row, so that other rows can refer to them.
 *
 * @param answers those of a component question
 */
export function registerIds(
  items: Items,
  model: ContentModel,
  id: string | null,
  answers: CellValue | undefined,
): void {
  const plan = PLANS[model];
  if (!plan || id === null || id.length > LIMITS.id) return;
  if (!isBuiltInId(plan.kind, id)) items.register(plan.kind, id);
  if (plan.kind !== 'component_question') return;
  for (const answer of entriesOf(answers))
    if (typeof answer.id === 'string' && answer.id.length <= LIMITS.id && !isBuiltInId('component_answer', answer.id))
      items.registerAnswer(answer.id, id);
}
