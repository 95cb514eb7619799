import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import type { List, SurveyAnswer } from '#test/support/resources.js';

const test = useTestApi();

interface Question {
  id: string;
  depends_on: string[];
  answers: { id: string }[];
  subquestions: { id: string; answers: { id: string }[] }[];
}

const answers = (query: Record<string, string> = {}) =>
  rowsOf(test.api.get<List<SurveyAnswer & Record<string, unknown>>>('/library/answers/', query));
const questions = (query: Record<string, string> = {}) =>
  rowsOf(test.api.get<List<Question>>('/library/questions/', query));

describe('Survey answers', () => {
  it('list the attributes that they add, and are filtered by them', async () => {
    const [answer] = (await answers()).filter(({ attributes }) => attributes.length > 1);
    const attribute = answer?.attributes[1] ?? '';
    const found = await answers({ attribute });
    expect(found.map(({ id }) => id)).toContain(answer?.id);
    for (const { attributes } of found) expect(attributes).toContain(attribute);
    expect(await answers({ attribute: 'AT999999' })).toEqual([]);
    expect(await answers({ attribute__isnull: 'true' })).toEqual([]);
    expect((await answers({ attribute__in: `${attribute},AT1` })).length).toBe(found.length);
  });

  it.each(['question', 'section', 'subsection', 'subquestion', 'is_active', 'display_text'])(
    'are filtered by %s',
    async (name) => {
      const example = (await answers()).find((answer) => answer[name] !== null);
      const found = await answers({ [name]: String(example?.[name]) });
      expect(found.map(({ id }) => id)).toContain(example?.id);
      for (const answer of found) expect(answer[name]).toEqual(example?.[name]);
    },
  );
});

describe('Survey questions', () => {
  it('list the answers they depend on, and are filtered by them', async () => {
    const question = (await questions()).find(({ depends_on: answers }) => answers.length);
    const answer = question?.depends_on[0] ?? '';
    const shown = await questions({ depends_on: answer });
    expect(shown.map(({ id }) => id)).toContain(question?.id);
    for (const { depends_on: needed } of shown) expect(needed).toContain(answer);
    const always = await questions({ depends_on__isnull: 'true' });
    expect(always.length).toBeGreaterThan(0);
    for (const { depends_on: needed } of always) expect(needed).toEqual([]);
  });

  it('include the answers of their subquestions in their own', async () => {
    const question = (await questions()).find(({ subquestions }) => subquestions.length);
    const own = question?.answers.map(({ id }) => id);
    for (const { answers: below } of question?.subquestions ?? [])
      for (const { id } of below) expect(own).toContain(id);
  });
});

describe('Custom survey content', () => {
  it('is not shown within built-in sections and questions to other organizations', async () => {
    await test.database.query(
      `WITH q AS (
         INSERT INTO survey_question (organization_id, number, subsection_id, text, format, ordinal)
         SELECT $1, 1, id, 'Secret question', 'MC', 99 FROM survey_subsection WHERE item_id = 'SS1' RETURNING id)
       INSERT INTO survey_answer (organization_id, number, question_id, text, ordinal)
       SELECT $1, 1, id, 'Secret answer', 99 FROM survey_question WHERE item_id = 'Q1'`,
      [test.organization.id],
    );
    const other = await test.newOrganization();
    const mine = [await test.api.get('/library/sections/S1/'), await test.api.get('/library/questions/Q1/')];
    expect(mine.map(({ text }) => /CQ1|Secret/.test(text))).toEqual([true, true]);
    for (const path of ['/library/sections/S1/', '/library/questions/Q1/'])
      expect(JSON.stringify(await bodyOf(other.api.get(path)))).not.toMatch(/CQ1|CA1|Secret/);
  });
});
