import {
  COUNTERMEASURE,
  get,
  LIBRARY_COUNTERMEASURE,
  PAGE,
  PHASE,
  PRIORITY,
  PROJECT,
  SEARCH,
  STATUS,
  STATUS_IDS,
  tool,
  WEAKNESS,
} from './tool.js';

/** Lists are short, because a model reads all of them. */
const PAGE_SIZE = 25;

const page = (number = 1) => ({ page: number, page_size: PAGE_SIZE });

/** The tools that change nothing. */
export const READ_TOOLS = [
  tool({
    name: 'find_projects',
    title: 'Find projects',
    description: 'Lists the projects that the user can see, by name. Returns their numbers and whether they comply.',
    input: { search: SEARCH, page: PAGE },
    requestsFor: ({ search, ...input }) => [
      get('projects/', { search, ordering: 'name', exclude: 'users,groups,custom_attributes', ...page(input.page) }),
    ],
  }),
  tool({
    name: 'get_project',
    title: 'Show a project',
    description: 'Shows a project with the numbers of its countermeasures by status.',
    input: { project: PROJECT },
    requestsFor: ({ project }) => [get(`projects/${project}/`, { include: 'task_counts' })],
  }),
  tool({
    name: 'list_countermeasures',
    title: 'List the countermeasures of a project',
    description:
      'Lists the countermeasures that apply to a project, the most important ones first; without their texts, which ' +
      'get_countermeasure shows. Open ones by default.',
    input: {
      project: PROJECT,
      status: STATUS.optional(),
      min_priority: PRIORITY,
      phase: PHASE,
      search: SEARCH,
      page: PAGE,
    },
    requestsFor: ({ project, status = 'open', min_priority: lowest, phase, search, ...input }) => [
      get(`projects/${project}/tasks/`, {
        status: STATUS_IDS[status],
        accepted: 'true',
        relevant: 'true',
        priority__gte: lowest,
        phase,
        search,
        ordering: '-importance',
        exclude: 'text',
        ...page(input.page),
      }),
    ],
  }),
  tool({
    name: 'list_my_countermeasures',
    title: "List the user's open countermeasures",
    description:
      'Lists the open countermeasures of all projects that are assigned to the user, the most important first.',
    input: { page: PAGE },
    requestsFor: (input) => [
      get('users/me/tasks/', {
        status: STATUS_IDS.open,
        ordering: '-importance',
        exclude: 'text',
        expand: 'project',
        ...page(input.page),
      }),
    ],
  }),
  tool({
    name: 'get_countermeasure',
    title: 'Show a countermeasure of a project',
    description:
      'Shows what to do: the text of a countermeasure, its weakness, the how-tos for the technologies of the ' +
      'project, and why the countermeasure applies.',
    input: { project: PROJECT, countermeasure: COUNTERMEASURE },
    requestsFor: ({ project, countermeasure }) => [
      get(`projects/${project}/tasks/${countermeasure}/`, { include: 'how_tos,amendments,problem,tags' }),
      get(`projects/${project}/tasks/${countermeasure}/explain/`),
    ],
  }),
  tool({
    name: 'list_notes',
    title: 'List the notes of a countermeasure',
    description: 'Lists what people and tools noted about a countermeasure of a project.',
    input: { project: PROJECT, countermeasure: COUNTERMEASURE, page: PAGE },
    requestsFor: ({ project, countermeasure, ...input }) => [
      get(`projects/${project}/tasks/${countermeasure}/notes/`, page(input.page)),
    ],
  }),
  tool({
    name: 'evaluate_gate',
    title: 'Evaluate the gate of a project',
    description:
      'Tells whether a project may be released, and which countermeasures are in the way. If nothing_to_evaluate is ' +
      'not null, `passed` means nothing.',
    input: { project: PROJECT, min_priority: PRIORITY, phase: PHASE },
    requestsFor: ({ project, min_priority: lowest, phase }) => [
      get(`projects/${project}/gate/`, { min_priority: lowest, phase__in: phase }),
    ],
  }),
  tool({
    name: 'get_survey',
    title: 'Show the survey of a project',
    description:
      'Shows the questions of the survey that apply, their possible answers, and which are chosen in the draft.',
    input: { project: PROJECT },
    requestsFor: ({ project }) => [get(`projects/${project}/survey/draft/`, { include: 'survey', exclude: 'answers' })],
  }),
  tool({
    name: 'search',
    title: 'Search',
    description: 'Searches the library and the projects: countermeasures, weaknesses, how-tos, questions and more.',
    input: { query: SEARCH.unwrap().min(2), page: PAGE },
    requestsFor: ({ query, ...input }) => [get('search/', { q: query, ...page(input.page) })],
  }),
  tool({
    name: 'get_library_countermeasure',
    title: 'Show a countermeasure of the library',
    description: 'Shows a countermeasure of the library with all how-tos and references.',
    input: { countermeasure: LIBRARY_COUNTERMEASURE },
    requestsFor: ({ countermeasure }) => [
      get(`library/tasks/${countermeasure}/`, { include: 'how_tos,amendments,references,tags', expand: 'problem' }),
    ],
  }),
  tool({
    name: 'get_weakness',
    title: 'Show a weakness of the library',
    description: 'Shows a weakness of the library with its CWEs and the countermeasures against it.',
    input: { weakness: WEAKNESS },
    requestsFor: ({ weakness }) => [get(`library/problems/${weakness}/`, { include: 'cwe,related_tasks,references' })],
  }),
];
