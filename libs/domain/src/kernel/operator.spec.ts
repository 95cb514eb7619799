import { EntityManager } from '@mikro-orm/postgresql';
import { useTestApi } from '#test/support/api.js';
import type { Actor } from './actor.js';
import { createAttributes, removeAttribute } from '../library/attribute/attribute.commands.js';
import {
  createCountermeasures,
  removeCountermeasure,
  updateCountermeasures,
} from '../library/countermeasure/countermeasure.commands.js';
import { createComponents } from '../library/component/component.commands.js';
import { onlyRow } from './rejected-rows.js';
import { inTransaction } from './transaction.js';
import { operatorOf } from './operator.js';

const test = useTestApi();

const asOperator = <T>(command: (em: EntityManager, actor: Actor) => Promise<T>): Promise<T> => {
  const operator = operatorOf(test.organization.id);
  return inTransaction(test.running.app.get(EntityManager), operator, (em) => command(em, operator));
};

const authorsOf = async (table: string, id: string): Promise<object | undefined> =>
  (await test.database.query(`SELECT created_by, updated_by FROM ${table} WHERE item_id = $1`, [id]))[0];

const INPUT = { title: 'Of the command line', text: 'Without an author.', problem: 'P1', priority: 5, phase: 'X3' };
const NO_AUTHOR = { created_by: null, updated_by: null };

describe('Rows written by the operator', () => {
  it('have no author after creation and after a change', async () => {
    const id = await asOperator((em, actor) => onlyRow(createCountermeasures(em, actor, [INPUT])));
    expect(await authorsOf('countermeasure_version', id)).toEqual(NO_AUTHOR);
    await asOperator((em, actor) => updateCountermeasures(em, actor, [{ id, changes: { priority: 6 } }]));
    expect(await authorsOf('countermeasure_version', id)).toEqual(NO_AUTHOR);
  });

  it('have no author if they change because another item is removed', async () => {
    const attribute = await asOperator((em, actor) =>
      onlyRow(createAttributes(em, actor, [{ name: 'Of the command line' }])),
    );
    const task = await asOperator((em, actor) =>
      onlyRow(
        createCountermeasures(em, actor, [
          {
            ...INPUT,
            title: 'With a condition',
            match_conditions: [{ required: [], excluded: [], required_attributes: [attribute] }],
          },
        ]),
      ),
    );
    const gone = await asOperator((em, actor) =>
      onlyRow(createCountermeasures(em, actor, [{ ...INPUT, title: 'To be removed' }])),
    );
    const component = await asOperator((em, actor) =>
      onlyRow(
        createComponents(em, actor, [
          { title: 'Of the command line', tasks_implemented: [gone], implied_attributes: [attribute] },
        ]),
      ),
    );
    await asOperator((em, actor) => removeAttribute(em, actor, attribute, true));
    await asOperator((em, actor) => removeCountermeasure(em, actor, gone));
    expect(await authorsOf('countermeasure_version', task)).toEqual(NO_AUTHOR);
    expect(await authorsOf('component_version', component)).toEqual(NO_AUTHOR);
  });
});
