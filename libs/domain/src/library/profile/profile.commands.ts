import type { InputOf } from '../../kernel/fields/field.js';
import { tables } from '../../kernel/tables.js';
import type { ItemCommand, ResolvedItem } from '../item-batch/item-form.js';
import { itemCommand } from '../item-batch/write-items.js';
import { Profile } from './profile.entity.js';
import { type profileFields, extraDefaults, ONE_DEFAULT } from './profile.fields.js';

const write = itemCommand<InputOf<typeof profileFields>>({
  table: {
    kind: 'profile',
    entity: Profile,
  },
  title: 'name',
  references: { answers: { kind: 'survey_answer', column: 'answers' } },
  resolve: (_em, _actor, rows) => {
    const extra = new Set(extraDefaults(rows.map(({ input }) => input)));
    return rows.map(({ input }): ResolvedItem => ({
      columns: { is_default: input.default },
      errors: extra.has(input) ? { default: [ONE_DEFAULT] } : {},
    }));
  },
});

/**
 * Creates and changes custom profiles. A new default replaces the previous one first, because the database rejects a
 * second default. Throws `RejectedRows`, also for a second default among the rows.
 */
export const writeProfiles: ItemCommand<InputOf<typeof profileFields>> = async (em, actor, writes, options) => {
  if (writes.some((write) => ('id' in write ? write.changes : write.input).default === true))
    await tables(em, Profile)
      .updateTable('profile')
      .set({ is_default: false })
      .where('organization_id', '=', actor.organizationId)
      .where('is_default', '=', true)
      .execute();
  return write(em, actor, writes, options);
};
