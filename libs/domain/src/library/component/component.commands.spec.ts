import { useDomain } from '#test/support/domain.js';
import { createComponents, removeComponent, writeComponents } from './component.commands.js';
import { BUILT_IN_COMPONENT } from './component.rules.js';

const domain = useDomain();

const missing = (id: string): string => `"${id}" does not exist.`;

describe('Component questionnaires', () => {
  it('must contain each question only once, and parent answers only of their own questions', async () => {
    const rejected = await domain.rejection((em, actor) =>
      createComponents(em, actor, [
        { title: 'Sound', component_questions: [{ question: 'AQ1' }, { question: 'AQ2', parent_answer: 'AA1' }] },
        { title: 'Twice', component_questions: [{ question: 'AQ1' }, { question: 'AQ1', parent_answer: null }] },
        { title: 'Elsewhere', component_questions: [{ question: 'AQ1', parent_answer: 'AA3' }] },
      ]),
    );
    expect(rejected).toEqual([
      undefined,
      { component_questions: [{}, { question: ['"AQ1" is given twice.'] }] },
      { component_questions: [{ parent_answer: ['"AA3" does not belong to a question of this questionnaire.'] }] },
    ]);
  });

  it('must not contain questions that depend on themselves, directly or in a circle', async () => {
    const rejected = await domain.rejection((em, actor) =>
      createComponents(em, actor, [
        { title: 'Itself', component_questions: [{ question: 'AQ1', parent_answer: 'AA2' }] },
        {
          title: 'In a circle',
          component_questions: [
            { question: 'AQ1', parent_answer: 'AA6' },
            { question: 'AQ2', parent_answer: 'AA1' },
            { question: 'AQ3', parent_answer: 'AA3' },
            { question: 'AQ4' },
          ],
        },
      ]),
    );
    const after = (id: string) => ({ parent_answer: [`"${id}" would only be asked after itself.`] });
    expect(rejected).toEqual([
      { component_questions: [after('AQ1')] },
      { component_questions: [after('AQ1'), after('AQ2'), after('AQ3'), {}] },
    ]);
  });
});

describe('Batch commands for components', () => {
  it('report every reference that does not exist, by row and field', async () => {
    const rejected = await domain.rejection((em, actor) =>
      createComponents(em, actor, [
        {
          title: 'Of nothing',
          answer_mapping: 'A99999',
          tasks_implemented: ['T12', 'T99999'],
          tasks_introduced: ['CT99999'],
          implied_attributes: ['AT99999'],
          icon_slug: 'no-such-icon',
          component_questions: [{ question: 'AQ99999', parent_answer: 'AA99999' }],
        },
        { title: 'Sound', answer_mapping: 'A1', tasks_implemented: ['T12'] },
      ]),
    );
    expect(rejected).toEqual([
      {
        answer_mapping: [missing('A99999')],
        tasks_implemented: [missing('T99999')],
        tasks_introduced: [missing('CT99999')],
        implied_attributes: [missing('AT99999')],
        icon_slug: [missing('no-such-icon')],
        component_questions: [
          {
            question: [missing('AQ99999')],
            parent_answer: [missing('AA99999')],
          },
        ],
      },
      undefined,
    ]);
  });

  it('reject countermeasures in both lists, even if one of the lists is stored already', async () => {
    const [id = ''] = await domain.run((em, actor) =>
      createComponents(em, actor, [{ title: 'Has one', tasks_implemented: ['T12', 'T13'] }]),
    );
    const both = (...ids: string[]) => ({
      non_field_errors: ids.map((task) => `"${task}" is in both tasks_implemented and tasks_introduced.`),
    });
    const rejected = await domain.rejection((em, actor) =>
      writeComponents(em, actor, [
        { input: { title: 'Both', tasks_implemented: ['T1', 'T2'], tasks_introduced: ['T2', 'T1', 'T3'] } },
        { id, changes: { tasks_introduced: ['T13', 'T14'] } },
        { input: { title: 'Apart', tasks_implemented: ['T1'], tasks_introduced: ['T2'] } },
      ]),
    );
    expect(rejected).toEqual([both('T1', 'T2'), both('T13'), undefined]);
  });

  it('cannot change the icon and the attributes of built-in components', async () => {
    const rejected = await domain.rejectionRolledBack((em, actor) =>
      writeComponents(em, actor, [
        { id: 'SC1', changes: { icon_slug: 'database', implied_attributes: ['AT1'] } },
        { id: 'SC2', changes: { hidden: true } },
        { id: 'CSC99999', changes: { hidden: true } },
      ]),
    );
    expect(rejected).toEqual([
      {
        icon_slug: [BUILT_IN_COMPONENT.fixed.icon_slug],
        implied_attributes: [BUILT_IN_COMPONENT.fixed.implied_attributes],
      },
      undefined,
      'Not found.',
    ]);
  });

  it('do not find components of another organization, and cannot remove built-in ones', async () => {
    const [id = ''] = await domain.run((em, actor) => createComponents(em, actor, [{ title: 'Theirs' }]));
    const other = await domain.newOrganization();
    const rejected = await domain.rejection(
      (em, actor) => writeComponents(em, actor, [{ id, changes: { title: 'Ours' } }, { input: { title: 'New' } }]),
      other,
    );
    expect(rejected).toEqual(['Not found.', undefined]);
    expect(await domain.rejection((em, actor) => removeComponent(em, actor, id), other)).toBe('Not found.');
    expect(await domain.rejection((em, actor) => removeComponent(em, actor, 'SC5'))).toMatch(/^Forbidden: /);
  });
});
