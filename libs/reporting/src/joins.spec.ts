import { checkQuery } from './check-query.js';
import { planJoins } from './joins.js';
import { readModel, reportingModel } from './model.js';

const pathsOf = (...cubes: string[]): readonly (readonly string[])[] | undefined =>
  planJoins(reportingModel(), cubes)?.paths;

describe('Cubes of a query are joined', () => {
  it.each([
    ['users by their memberships', ['Project', 'User'], ['Project', 'ProjectUser', 'User']],
    [
      'connectors by the projects that they scan',
      ['Project', 'Integration'],
      ['Project', 'ProjectIntegration', 'Integration'],
    ],
    ['weaknesses of a project with those of the library', ['Problem', 'LibraryProblem'], ['Problem', 'LibraryProblem']],
    ['threats of a project with those of the library', ['Threat', 'LibraryThreat'], ['Threat', 'LibraryThreat']],
    [
      'countermeasures with what they are against',
      ['Task', 'LibraryProblem'],
      ['Task', 'LibraryTask', 'LibraryProblem'],
    ],
  ])('%s', (_, cubes, path) => {
    expect(pathsOf(...cubes)).toEqual([path]);
  });

  it.each([
    ['the actor of activities', ['Project', 'Activity', 'User'], ['Project', 'Activity', 'User']],
    [
      'who made an integration',
      ['Project', 'Integration', 'User'],
      ['Project', 'ProjectIntegration', 'Integration', 'User'],
    ],
    ['the threat that a project has', ['Project', 'Threat', 'LibraryThreat'], ['Project', 'Threat', 'LibraryThreat']],
  ])('through what the query names: %s', (_, cubes, path) => {
    expect(pathsOf(...cubes)).toContainEqual(path);
  });

  it('through facts only where the query names them', () => {
    const paths = pathsOf('Project', 'LibraryProblem', 'User') ?? [];
    expect(paths.flat()).not.toEqual(expect.arrayContaining(['Activity']));
    expect(paths).toContainEqual(['Project', 'Task', 'LibraryTask', 'LibraryProblem']);
  });

  it('only along what joins them: a query of cubes that nothing joins is refused', () => {
    const content = `
      cubes:
        - { name: User, measures: [{ name: count, type: count }] }
        - { name: Project, measures: [{ name: count, type: count }] }`;
    const model = readModel([{ fileName: 'model.yml', content }]);
    expect(() => checkQuery({ schema: 'all', measures: ['User.count', 'Project.count'] }, { model })).toThrow(
      'Nothing joins User, Project.',
    );
  });
});
