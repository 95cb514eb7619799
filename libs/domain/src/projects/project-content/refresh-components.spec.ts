import { useDomain } from '#test/support/domain.js';
import { createAttributes } from '../../library/attribute/attribute.commands.js';
import { createComponents } from '../../library/component/component.commands.js';
import { createCountermeasures } from '../../library/countermeasure/countermeasure.commands.js';
import { createThreats } from '../../library/threat/threat.commands.js';
import { createWeaknesses } from '../../library/weakness/weakness.commands.js';
import { createApplication } from '../application/application.commands.js';
import { createBusinessUnit } from '../business-unit/business-unit.commands.js';
import { createProject } from '../project/project.commands.js';
import { refreshProjects } from './refresh-project.js';

const domain = useDomain();

let made = 0;

const makeProject = (): Promise<string> =>
  domain.run(async (em, actor) => {
    const name = `Name ${(made += 1)}`;
    const unit = Number(await createBusinessUnit(em, actor, { name }));
    const application = Number(await createApplication(em, actor, { name, business_unit: unit }));
    return createProject(em, actor, { name, application, profile: null });
  });

/** Gives projects exactly these answers, and refreshes them together; returns those that changed. */
async function answer(projects: readonly string[], ...answers: string[]): Promise<string[]> {
  await domain.database.query('DELETE FROM project_answer WHERE project_id = ANY ($1)', [projects]);
  await domain.database.query(
    `INSERT INTO project_answer (project_id, answer_id) SELECT p, a.id FROM unnest($1::bigint[]) p, survey_answer a
     WHERE a.item_id = ANY ($2)`,
    [projects, answers],
  );
  const changed = await domain.run((em, actor) => refreshProjects(em, actor, projects.map(Number)));
  return [...changed].map(String).sort();
}

const countermeasure = async (title: string, problem: string, required = ['A3']): Promise<string> => {
  const body = { title, text: 'So.', priority: 5, phase: 'X3', problem, match_conditions: [{ required }] };
  const [id = ''] = await domain.run((em, actor) => createCountermeasures(em, actor, [body]));
  return id;
};

const component = async (title: string, fields: object): Promise<string> => {
  const [id = ''] = await domain.run((em, actor) => createComponents(em, actor, [{ title, hidden: false, ...fields }]));
  return id;
};

interface Task {
  readonly task: string;
  readonly status: number;
  readonly note: string | null;
}

/** These countermeasures in a project, with their status and notes. */
const tasksOf = (project: string, ...tasks: string[]): Promise<Task[]> =>
  domain.database.query<Task>(
    `SELECT c.item_id AS task, pc.status_id AS status, string_agg(n.text, ' / ' ORDER BY n.id) AS note
     FROM project_countermeasure pc JOIN countermeasure c ON c.id = pc.countermeasure_id
     LEFT JOIN project_countermeasure_note n ON n.project_countermeasure_id = pc.id
     WHERE pc.project_id = $1 AND c.item_id = ANY ($2) GROUP BY c.item_id, c.number, pc.status_id ORDER BY c.number`,
    [project, tasks],
  );

describe('Countermeasures that components implement', () => {
  it('are complete in each project, with a note that lists all of these components', async () => {
    const [problem = ''] = await domain.run((em, actor) =>
      createWeaknesses(em, actor, [{ title: 'In every project', text: 'Wrong.', risk_rating: 5 }]),
    );
    const [one, two, other] = [
      await countermeasure('One', problem),
      await countermeasure('Two', problem),
      await countermeasure('Other', problem),
    ];
    const by = (title: string, ...tasks_implemented: string[]) =>
      component(title, { answer_mapping: 'A3', tasks_implemented });
    await by('Vault', one, two);
    await by('Proxy', one);
    const projects = [await makeProject(), await makeProject()].sort();
    expect(await answer(projects, 'A3')).toEqual(projects);
    for (const project of projects)
      expect(await tasksOf(project, one, two, other)).toEqual([
        { task: one, status: 1, note: 'Complete: it is implemented by Proxy, Vault.' },
        { task: two, status: 1, note: 'Complete: it is implemented by Vault.' },
        { task: other, status: 2, note: null },
      ]);
    // Components do not overrule users.
    const [first = '', second = ''] = projects;
    await domain.database.query('UPDATE project_countermeasure SET status_id = 2 WHERE project_id = $1', [first]);
    expect(await answer(projects, 'A3')).toEqual([]);
    expect((await tasksOf(first, one, two)).map(({ status }) => status)).toEqual([2, 2]);
    expect((await tasksOf(second, one, two)).map(({ status }) => status)).toEqual([1, 1]);
  });
});

describe('A component of a project', () => {
  it('brings its attributes, countermeasures, their weaknesses and the threats of these in one refresh', async () => {
    const weakness = { title: 'New', text: 'Wrong.', risk_rating: 5, match_conditions: [{ required: ['A2'] }] };
    const { problem, threat, attribute } = await domain.run(async (em, actor) => {
      const [problem = ''] = await createWeaknesses(em, actor, [weakness]);
      const [threat = ''] = await createThreats(em, actor, [
        { title: 'Of it', text: 'Happens.', severity: 5, problems: [problem] },
      ]);
      const [attribute = ''] = await createAttributes(em, actor, [{ name: 'Implied' }]);
      return { problem, threat, attribute };
    });
    const introduced = await countermeasure('Introduced', problem, ['A2']);
    await component('Bringer', {
      answer_mapping: 'A4',
      tasks_introduced: [introduced],
      implied_attributes: [attribute],
    });
    const contentOf = async (project: string) => {
      const rows = await domain.database.query<{ id: string }>(
        `SELECT i.item_id AS id FROM project_attribute_source p JOIN attribute i ON i.id = attribute_id
           WHERE project_id = $1 AND i.item_id = $2
         UNION ALL SELECT i.item_id FROM project_weakness JOIN weakness i ON i.id = weakness_id
           WHERE project_id = $1 AND i.item_id = $3
         UNION ALL SELECT i.item_id FROM project_countermeasure JOIN countermeasure i ON i.id = countermeasure_id
           WHERE project_id = $1 AND i.item_id = $4
         UNION ALL SELECT i.item_id FROM project_threat JOIN threat i ON i.id = threat_id
           WHERE project_id = $1 AND i.item_id = $5`,
        [project, attribute, problem, introduced, threat],
      );
      return rows.map(({ id }) => id);
    };
    const project = await makeProject();
    expect(await contentOf(project)).toEqual([]);
    expect(await answer([project], 'A4')).toEqual([project]);
    expect(await contentOf(project)).toEqual([attribute, problem, introduced, threat]);
    expect(await answer([project])).toEqual([project]);
    expect(await contentOf(project)).toEqual([]);
  });
});
