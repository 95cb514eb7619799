import type { EntityManager } from '@mikro-orm/postgresql';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { ItemWrite } from '#domain/kernel/item-write.js';
import { writeAdditionalRequirements } from '#domain/library/additional-requirement/additional-requirement.commands.js';
import { writeComponents } from '#domain/library/component/component.commands.js';
import { writeCountermeasures } from '#domain/library/countermeasure/countermeasure.commands.js';
import { writeHowTos } from '#domain/library/how-to/how-to.commands.js';
import { writePhases } from '#domain/library/phase/phase.commands.js';
import { writeWeaknesses } from '#domain/library/weakness/weakness.commands.js';
import { writeThreats } from '#domain/library/threat/threat.commands.js';
import type { CellValue } from '#files/cell-value.js';
import type { Compared } from '../difference/staging.js';
import { newValues } from '../plans/changes.js';
import { keptNumber } from '../plans/condition-numbers.js';
import { entriesOf } from '../plans/nested-values.js';
import { textsOf } from '../formats/text-of.js';
import type { Applying } from './applied.js';

/** Makes and changes the items of a batch by the commands of their kind. */
type Writer = (context: Applying, batch: readonly Compared[]) => Promise<void>;

type Command<Input> = (
  em: EntityManager,
  actor: Actor,
  writes: readonly ItemWrite<Input>[],
  options: { readonly fromFile: true },
) => Promise<unknown>;

/** Calls a command that takes the fields of rows by the names of the model's columns. */
const writer =
  <Input>(command: Command<Input>): Writer =>
  async (context, batch) => {
    const writes = batch.map(({ row, changes }): ItemWrite<Input> => {
      const { match_conditions: conditions, ...others } = newValues(changes);
      const given = {
        ...others,
        ...(conditions !== undefined && { match_conditions: conditionsOf(context, conditions) }),
      };
      const reserved = context.assigned.get(row.position);
      // The check of the columns has passed the types. A row of a new item has all that is required, or it would have
      // been refused before.
      return reserved ? { input: given as Input, reserved } : { id: row.id ?? '', changes: given as Partial<Input> };
    });
    await command(context.em, context.actor, writes, { fromFile: true });
  };

/** Match conditions as commands take them, which keep their numbers where these are free. */
const conditionsOf = ({ isFreeCondition, keptConditions }: Applying, value: CellValue) =>
  entriesOf(value).map((condition) => ({
    ...(typeof condition.id === 'string' && { id: condition.id }),
    number: keptNumber(condition, isFreeCondition, keptConditions),
    required: textsOf(condition.required),
    excluded: textsOf(condition.excluded),
    required_attributes: textsOf(condition.required_attributes),
    excluded_attributes: textsOf(condition.excluded_attributes),
  }));

/** The models whose commands are set-based. Other models are written by their plans. */
export const WRITERS: Readonly<Partial<Record<ContentModel, Writer>>> = {
  weakness: writer(writeWeaknesses),
  standard: writer(writeCountermeasures),
  amendment: writer(writeAdditionalRequirements),
  implementation: writer(writeHowTos),
  threat: writer(writeThreats),
  component: writer(writeComponents),
  phase: writer(writePhases),
};
