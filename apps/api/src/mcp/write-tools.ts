import { z } from 'zod';
import { ANSWER, change, COUNTERMEASURE, get, NOTE, PROJECT, QUESTION, STATUS, STATUS_IDS, tool } from './tool.js';

const MAX_ANSWERS = 50;

const answers = z
  .record(ANSWER, z.boolean())
  .refine((given) => Object.keys(given).length <= MAX_ANSWERS, `At most ${MAX_ANSWERS} answers.`)
  .describe('Answers by their ids: true to choose one, false to say that it does not apply');

const draftOf = (project: number) => `projects/${project}/survey/draft/`;

/** The tools that change something, or need the right to. */
export const WRITE_TOOLS = [
  tool({
    name: 'preview_survey',
    title: 'Preview answers to the survey',
    description:
      'Shows which countermeasures, weaknesses and threats the project would gain and lose by these answers. Changes ' +
      'nothing, but needs a role that may answer the survey.',
    input: { project: PROJECT, answers },
    requestsFor: ({ project, ...input }) => [change('POST', `${draftOf(project)}preview/`, { answers: input.answers })],
  }),
  tool({
    name: 'answer_survey',
    title: 'Answer the survey of a project',
    description:
      'Changes the draft of the survey. Use preview_survey first. Nothing applies before save_survey; if one answer ' +
      'is rejected, those before it are in the draft.',
    input: {
      project: PROJECT,
      answers: answers.optional(),
      none_of_these: z.array(QUESTION).max(MAX_ANSWERS).optional().describe('Questions to which no answer applies'),
    },
    changes: { overwrites: true, isRepeatable: true },
    requestsFor: ({ project, none_of_these: none = [], ...input }) => [
      ...Object.entries(input.answers ?? {}).map(([id, selected]) =>
        change('PATCH', `${draftOf(project)}${id}/`, { selected }),
      ),
      ...none.map((question) => change('PATCH', draftOf(project), { question, none: true })),
      get(draftOf(project), { exclude: 'answers' }),
    ],
  }),
  tool({
    name: 'save_survey',
    title: 'Save the survey of a project',
    description: 'Saves the draft of the survey, which changes the countermeasures of the project. Ask the user first.',
    input: { project: PROJECT },
    changes: { overwrites: true, isRepeatable: true },
    requestsFor: ({ project }) => [
      change('POST', draftOf(project), {}),
      get(`projects/${project}/`, { include: 'task_counts' }),
    ],
  }),
  tool({
    name: 'set_countermeasure_status',
    title: 'Set the status of a countermeasure',
    description: 'Sets the status of a countermeasure of a project, with a note that says why.',
    input: { project: PROJECT, countermeasure: COUNTERMEASURE, status: STATUS, note: NOTE },
    changes: { overwrites: true, isRepeatable: false },
    requestsFor: ({ project, countermeasure, status, note }) => [
      change('PATCH', `projects/${project}/tasks/${countermeasure}/`, {
        status: STATUS_IDS[status],
        status_note: note,
      }),
    ],
  }),
  tool({
    name: 'add_note',
    title: 'Add a note to a countermeasure',
    description: 'Adds a note to a countermeasure of a project.',
    input: { project: PROJECT, countermeasure: COUNTERMEASURE, text: NOTE },
    changes: { overwrites: false, isRepeatable: false },
    requestsFor: ({ project, countermeasure, text }) => [
      change('POST', `projects/${project}/tasks/${countermeasure}/notes/`, { text }),
    ],
  }),
];
