import { useDomain } from '#test/support/domain.js';
import { createWorkflowPrompts, removeWorkflowPrompt, writeWorkflowPrompts } from './workflow-prompt.commands.js';

const domain = useDomain();

const input = (title: string, prompt: string, ...variables: string[]) => ({
  title,
  type: 'countermeasure' as const,
  prompt,
  variables,
});

const undeclared = (...names: string[]) => ({
  non_field_errors: names.map((name) => `The placeholder "{{${name}}}" is not declared in "variables".`),
});

describe('Batch commands for workflow prompts', () => {
  it('reject undeclared placeholders, by row', async () => {
    const rejected = await domain.rejection((em, actor) =>
      createWorkflowPrompts(em, actor, [
        input('Sound', 'Explain {{ item }}.', 'item'),
        input('One', 'Explain {{item}} in {{language}}, {{item}}.', 'language'),
        input('Two', '{{a}} and {{ b }}'),
      ]),
    );
    expect(rejected).toEqual([undefined, undeclared('item'), undeclared('a', 'b')]);
  });

  it('check a changed prompt against stored variables, and changed variables against the prompt', async () => {
    const [one = '', two = ''] = await domain.run((em, actor) =>
      createWorkflowPrompts(em, actor, [input('A', '{{x}}', 'x'), input('B', '{{y}}', 'y', 'z')]),
    );
    const rejected = await domain.rejection((em, actor) =>
      writeWorkflowPrompts(em, actor, [
        { id: one, changes: { prompt: '{{x}} {{z}}' } },
        { id: two, changes: { variables: ['z'] } },
        { input: input('C', 'Nothing to replace.') },
      ]),
    );
    expect(rejected).toEqual([undeclared('z'), undeclared('y'), undefined]);
    await domain.run((em, actor) => writeWorkflowPrompts(em, actor, [{ id: two, changes: { prompt: '{{z}}' } }]));
  });

  it('reject contexts with references that do not exist, and report the errors of all rows', async () => {
    const context = (reference: string) => ({
      id: null,
      name: 'About it',
      content_type: 'library_item' as const,
      reference,
    });
    const rejected = await domain.rejection((em, actor) =>
      writeWorkflowPrompts(em, actor, [
        { input: { ...input('Sound', 'x'), contexts: [context('T21')] } },
        { input: { ...input('Wrong', '{{a}}'), contexts: [context('T99999'), context('CP99999')] } },
        { id: '99999', changes: { title: 'Nobody' } },
      ]),
    );
    expect(rejected).toEqual([
      undefined,
      { ...undeclared('a'), contexts: ['"T99999" does not exist.', '"CP99999" does not exist.'] },
      'Not found.',
    ]);
  });

  it('do not find prompts of another organization, and cannot remove built-in ones', async () => {
    const [id = ''] = await domain.run((em, actor) => createWorkflowPrompts(em, actor, [input('Theirs', 'x')]));
    const other = await domain.newOrganization();
    const rejected = await domain.rejection(
      (em, actor) => writeWorkflowPrompts(em, actor, [{ id, changes: { title: 'Ours' } }]),
      other,
    );
    expect(rejected).toEqual(['Not found.']);
    expect(await domain.rejection((em, actor) => removeWorkflowPrompt(em, actor, id), other)).toBe('Not found.');
    const [shipped] = await domain.database.query<{ number: number }>(
      'SELECT min(number) AS number FROM workflow_prompt WHERE organization_id IS NULL',
    );
    expect(await domain.rejection((em, actor) => removeWorkflowPrompt(em, actor, String(shipped?.number)))).toMatch(
      /^Forbidden: /,
    );
  });
});
