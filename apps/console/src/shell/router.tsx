import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { basePath } from '../api/client.ts';
import { NotFound } from './not-found.tsx';
import { Broken, Shell } from './shell.tsx';
import { dayOf, numberOf, oneOf, textOf } from './view-state.ts';

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Broken });

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../routes/home/home.tsx'), 'Home'),
});

/** What the address of a page says: everything is optional. */
type State<Values> = { readonly [Name in keyof Values]?: Values[Name] };

type Search = Record<string, unknown>;

const optional = <Values extends object>(values: Values): State<Values> => values;

const workState = (search: Search) =>
  optional({
    q: textOf(search['q']),
    status: oneOf('TS1', 'TS2', 'TS3')(search['status']),
    phase: textOf(search['phase']),
    priority: numberOf(search['priority']),
    problem: textOf(search['problem']),
    assignee: textOf(search['assignee']),
    tag: textOf(search['tag']),
    view: oneOf('first')(search['view']),
    order: oneOf('-priority', '-importance', 'title', '-updated')(search['order']),
    group: oneOf('phase', 'status', 'problem', 'assignee')(search['group']),
  });

const myWork = createRoute({
  getParentRoute: () => rootRoute,
  path: '/my-work',
  validateSearch: (search: Search) => optional({ ...workState(search), open: textOf(search['open']) }),
  component: lazyRouteComponent(() => import('../routes/projects/my-work.tsx'), 'MyWork'),
});

const projects = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects',
  validateSearch: (search: Search) =>
    optional({
      q: textOf(search['q']),
      unit: numberOf(search['unit']),
      application: numberOf(search['application']),
      active: oneOf('false', 'all')(search['active']),
      order: oneOf('name', '-updated', '-created')(search['order']),
    }),
  component: lazyRouteComponent(() => import('../routes/projects/projects.tsx'), 'Projects'),
});

const newProject = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/new',
  component: lazyRouteComponent(() => import('../routes/projects/new-project.tsx'), 'NewProject'),
});

const project = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$project',
  validateSearch: workState,
  // What is selected in one project must not stay selected in another.
  remountDeps: ({ params }) => params.project,
  component: lazyRouteComponent(() => import('../routes/projects/project.tsx'), 'ProjectPage'),
});

const projectCountermeasure = createRoute({
  getParentRoute: () => project,
  path: '/tasks/$task',
  component: lazyRouteComponent(() => import('../routes/projects/project.tsx'), 'ProjectCountermeasure'),
});

const survey = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$project/survey',
  validateSearch: (search: Search) =>
    optional({
      q: textOf(search['q']),
      section: textOf(search['section']),
    }),
  component: lazyRouteComponent(() => import('../routes/projects/survey.tsx'), 'SurveyPage'),
});

const projectSection = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$project/$section',
  validateSearch: (search: Search) => optional({ q: textOf(search['q']) }),
  remountDeps: ({ params }) => [params.project, params.section],
  component: lazyRouteComponent(() => import('../routes/projects/sections/project-section.tsx'), 'ProjectSectionPage'),
});

const library = createRoute({
  getParentRoute: () => rootRoute,
  path: '/library',
  beforeLoad: ({ location }) => {
    if (/\/library\/?$/.test(location.pathname)) throw redirect({ to: '/library/tasks', replace: true });
  },
});

const libraryState = (search: Search) =>
  optional({
    q: textOf(search['q']),
    phase: textOf(search['phase']),
    priority: numberOf(search['priority']),
    tag: textOf(search['tag']),
  });

const libraryTasks = createRoute({
  getParentRoute: () => library,
  path: '/tasks',
  validateSearch: libraryState,
  component: lazyRouteComponent(() => import('../routes/library/countermeasures.tsx'), 'LibraryCountermeasures'),
});

const libraryTask = createRoute({
  getParentRoute: () => libraryTasks,
  path: '$id',
  component: lazyRouteComponent(() => import('../routes/library/countermeasures.tsx'), 'LibraryCountermeasure'),
});

const libraryTaskEditor = createRoute({
  getParentRoute: () => libraryTasks,
  path: '$id/edit',
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => import('../routes/library/editor.tsx'), 'CountermeasureEditor'),
});

const libraryPartEditor = createRoute({
  getParentRoute: () => libraryTasks,
  path: '$id/edit/$kind/$part',
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => import('../routes/library/part-editor.tsx'), 'PartEditor'),
});

const libraryNewPart = createRoute({
  getParentRoute: () => libraryTasks,
  path: '$id/new/$kind',
  remountDeps: ({ params }) => params,
  component: lazyRouteComponent(() => import('../routes/library/part-editor.tsx'), 'NewPart'),
});

const libraryTaskComparison = createRoute({
  getParentRoute: () => library,
  path: '/tasks/$id/original',
  component: lazyRouteComponent(() => import('../routes/library/comparison.tsx'), 'CountermeasureComparison'),
});

const libraryPartComparison = createRoute({
  getParentRoute: () => library,
  path: '/tasks/$id/original/$kind/$part',
  component: lazyRouteComponent(() => import('../routes/library/comparison.tsx'), 'PartComparison'),
});

const libraryProblems = createRoute({
  getParentRoute: () => library,
  path: '/problems',
  validateSearch: libraryState,
  component: lazyRouteComponent(() => import('../routes/library/weaknesses.tsx'), 'Weaknesses'),
});

const libraryProblem = createRoute({
  getParentRoute: () => libraryProblems,
  path: '$id',
  component: lazyRouteComponent(() => import('../routes/library/weaknesses.tsx'), 'Weakness'),
});

const libraryThreats = createRoute({
  getParentRoute: () => library,
  path: '/threats',
  validateSearch: libraryState,
  component: lazyRouteComponent(() => import('../routes/library/threats.tsx'), 'Threats'),
});

const libraryThreat = createRoute({
  getParentRoute: () => libraryThreats,
  path: '$id',
  component: lazyRouteComponent(() => import('../routes/library/threats.tsx'), 'Threat'),
});

const reports = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reports',
  validateSearch: (search: Search) =>
    optional({
      q: textOf(search['q']),
      kind: oneOf('saved', 'starter')(search['kind']),
      chart: oneOf('table', 'pie', 'number', 'stacked_bar', 'horizontal_bar', 'line')(search['chart']),
    }),
  component: lazyRouteComponent(() => import('../routes/reports/reports.tsx'), 'Reports'),
});

const report = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reports/$report',
  validateSearch: (search: Search) =>
    optional({ q: textOf(search['q']), view: oneOf('chart', 'table')(search['view']) }),
  component: lazyRouteComponent(() => import('../routes/reports/report.tsx'), 'ReportPage'),
});

const administrationStart = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administration',
  component: lazyRouteComponent(() => import('../routes/administration/administration.tsx'), 'AdministrationStart'),
});

const administration = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administration/$section',
  validateSearch: (search: Search) =>
    optional({
      q: textOf(search['q']),
      actor: numberOf(search['actor']),
      from: dayOf(search['from']),
      to: dayOf(search['to']),
    }),
  component: lazyRouteComponent(() => import('../routes/administration/administration.tsx'), 'Administration'),
});

const administrationItem = createRoute({ getParentRoute: () => administration, path: '$id' });

const account = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  validateSearch: (search: Search) =>
    optional({ tab: oneOf('profile', 'password', 'preferences', 'sessions', 'tokens')(search['tab']) }),
  component: lazyRouteComponent(() => import('../routes/account/account.tsx'), 'Account'),
});

export const router = createRouter({
  basepath: basePath,
  routeTree: rootRoute.addChildren([
    home,
    myWork,
    projects,
    newProject,
    project.addChildren([projectCountermeasure]),
    survey,
    projectSection,
    library.addChildren([
      libraryTasks.addChildren([libraryTask, libraryTaskEditor, libraryPartEditor, libraryNewPart]),
      libraryTaskComparison,
      libraryPartComparison,
      libraryProblems.addChildren([libraryProblem]),
      libraryThreats.addChildren([libraryThreat]),
    ]),
    reports,
    report,
    administrationStart,
    administration.addChildren([administrationItem]),
    account,
  ]),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
