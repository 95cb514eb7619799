import { useDomain } from '#test/support/domain.js';
import { writeAnswers, writeQuestions, writeSections, writeSubsections } from './survey.commands.js';

const domain = useDomain();

const FIXED = "Forbidden: Built-in content of this kind can't be changed.";
const missing = (id: string): string => `"${id}" does not exist.`;

const question = (text: string, subsection: string) => ({ text, format: 'SC' as const, subsection });

/** A section with a subsection and a question, and their ids. */
async function makeSurvey(): Promise<{ section: string; subsection: string; question: string }> {
  return domain.run(async (em, actor) => {
    const [section = ''] = await writeSections(em, actor, [{ input: { title: 'Section' } }]);
    const [subsection = ''] = await writeSubsections(em, actor, [{ input: { title: 'Subsection', section } }]);
    const [id = ''] = await writeQuestions(em, actor, [{ input: question('Which?', subsection) }]);
    return { section, subsection, question: id };
  });
}

describe('Batch commands for survey questions and answers', () => {
  it('report every reference that does not exist, by row and field', async () => {
    const own = await makeSurvey();
    const questions = await domain.rejection((em, actor) =>
      writeQuestions(em, actor, [
        { input: { ...question('Sound?', own.subsection), depends_on: ['A1'] } },
        { input: { ...question('Nowhere?', 'CSS99999'), depends_on: ['A99999', 'A1', 'CA99999'] } },
        { id: 'CQ99999', changes: { text: 'Nobody?' } },
      ]),
    );
    expect(questions).toEqual([
      undefined,
      { subsection: [missing('CSS99999')], depends_on: [missing('A99999'), missing('CA99999')] },
      'Not found.',
    ]);
    const answers = await domain.rejection((em, actor) =>
      writeAnswers(em, actor, [
        { input: { text: 'Sound', question: own.question, attributes: ['AT1'] } },
        { input: { text: 'Of nothing', question: 'CQ99999', subquestion: 'CSQ99999', attributes: ['AT99999'] } },
      ]),
    );
    expect(answers).toEqual([
      undefined,
      {
        question: [missing('CQ99999')],
        subquestion: [missing('CSQ99999')],
        attributes: [missing('AT99999')],
      },
    ]);
  });

  it('do not change built-in questions and answers', async () => {
    expect(
      await domain.rejection((em, actor) => writeQuestions(em, actor, [{ id: 'Q1', changes: { text: 'x' } }])),
    ).toEqual([FIXED]);
    const own = await makeSurvey();
    const rejected = await domain.rejection((em, actor) =>
      writeAnswers(em, actor, [
        { id: 'A1', changes: { text: 'x' } },
        { input: { text: 'Own', question: own.question } },
        { id: 'CA99999', changes: { text: 'x' } },
      ]),
    );
    expect(rejected).toEqual([FIXED, undefined, 'Not found.']);
  });

  it('append new answers to those of the same question, in row order', async () => {
    const [one, two] = [await makeSurvey(), await makeSurvey()];
    const ids = await domain.run((em, actor) =>
      writeAnswers(em, actor, [
        { input: { text: 'a', question: one.question } },
        { input: { text: 'b', question: two.question } },
        { input: { text: 'c', question: one.question, ordinal: 7 } },
        { input: { text: 'd', question: one.question } },
      ]),
    );
    const rows = await domain.database.query<{ ordinal: number }>(
      'SELECT ordinal FROM survey_answer WHERE organization_id = $1 AND item_id = ANY($2) ORDER BY number',
      [domain.actor.organizationId, ids],
    );
    expect(rows.map(({ ordinal }) => ordinal)).toEqual([1, 1, 7, 8]);
  });

  it('append new answers after the last place, whatever the places of the other rows are', async () => {
    const { question: id } = await makeSurvey();
    const [first = ''] = await domain.run((em, actor) =>
      writeAnswers(em, actor, [{ input: { text: 'first', question: id } }]),
    );
    const placesAfter = async (...rows: Parameters<typeof writeAnswers>[2][number][]): Promise<number[]> => {
      const ids = await domain.run((em, actor) => writeAnswers(em, actor, rows));
      const places = await domain.database.query<{ id: string; ordinal: number }>(
        'SELECT item_id AS id, ordinal FROM survey_answer WHERE organization_id = $1 AND item_id = ANY($2)',
        [domain.actor.organizationId, ids],
      );
      return ids.map((written) => places.find((row) => row.id === written)?.ordinal ?? NaN);
    };
    const added = (ordinal?: number) => ({
      input: { text: 'new', question: id, ...(ordinal !== undefined && { ordinal }) },
    });
    expect(await placesAfter(added(7), added(3), added())).toEqual([7, 3, 8]);
    expect(await placesAfter({ id: first, changes: { ordinal: 50 } }, added())).toEqual([50, 51]);
    expect(await placesAfter(added(), { id: first, changes: { ordinal: 60 } })).toEqual([61, 60]);
  });

  it('do not find questions of another organization or add questions to its subsections', async () => {
    const theirs = await makeSurvey();
    const other = await domain.newOrganization();
    const rejected = await domain.rejection(
      (em, actor) =>
        writeQuestions(em, actor, [
          { id: theirs.question, changes: { text: 'Ours?' } },
          { input: question('Below?', theirs.subsection) },
        ]),
      other,
    );
    expect(rejected).toEqual(['Not found.', { subsection: [missing(theirs.subsection)] }]);
  });
});
