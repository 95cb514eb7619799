import { checkQuery } from './check-query.js';
import { planJoins } from './joins.js';
import { readModel, reportingModel } from './model.js';

const pathsOf = (...cubes: string[]): readonly (readonly string[])[] | undefined =>
  planJoins(reportingModel(), cubes)?.paths;

describe('Joins between the cubes of a query', () => {
  it.each([
    ['users through their memberships', ['Project', 'User'], ['Project', 'ProjectUser', 'User']],
    [
      'connectors through the projects that they scan',
      ['Project', 'Integration'],
      ['Project', 'ProjectIntegration', 'Integration'],
    ],
    ['weaknesses of a project to those of the library', ['Problem', 'LibraryProblem'], ['Problem', 'LibraryProblem']],
    ['threats of a project to those of the library', ['Threat', 'LibraryThreat'], ['Threat', 'LibraryThreat']],
    [
      'countermeasures of a project to library weaknesses through library countermeasures',
      ['Task', 'LibraryProblem'],
      ['Task', 'LibraryTask', 'LibraryProblem'],
    ],
  ])('connect %s', (_, cubes, path) => {
    expect(pathsOf(...cubes)).toEqual([path]);
  });

  it.each([
    ['the actor of activities', ['Project', 'Activity', 'User'], ['Project', 'Activity', 'User']],
    [
      'the creator of an integration',
      ['Project', 'Integration', 'User'],
      ['Project', 'ProjectIntegration', 'Integration', 'User'],
    ],
    ['the threats of a project', ['Project', 'Threat', 'LibraryThreat'], ['Project', 'Threat', 'LibraryThreat']],
  ])('go through the cubes in the query: %s', (_, cubes, path) => {
    expect(pathsOf(...cubes)).toContainEqual(path);
  });

  it('go through fact cubes only if the query contains them', () => {
    const paths = pathsOf('Project', 'LibraryProblem', 'User') ?? [];
    expect(paths.flat()).not.toEqual(expect.arrayContaining(['Activity']));
    expect(paths).toContainEqual(['Project', 'Task', 'LibraryTask', 'LibraryProblem']);
  });

  it('are required, so a query for unrelated cubes is rejected', () => {
    const content = `
      cubes:
        - { name: User, measures: [{ name: count, type: count }] }
        - { name: Project, measures: [{ name: count, type: count }] }`;
    const model = readModel([{ fileName: 'model.yml', content }]);
    expect(() => checkQuery({ schema: 'all', measures: ['User.count', 'Project.count'] }, { model })).toThrow(
      'These cubes cannot be joined: User, Project.',
    );
  });
});
