import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf } from '#test/support/client.js';

export interface DraftAnswer {
  id: string;
  text: string;
  question: string;
  selected: boolean;
  valid: boolean;
}

export interface Draft {
  answers: DraftAnswer[];
  survey_complete: boolean;
  dirty: boolean;
  sections?: Section[];
}

interface Section {
  id: string;
  title: string;
  questions: { id: string; text: string; format: string; answers: { id: string; text: string }[] }[];
}

export interface Survey {
  answers: string[];
  survey_complete: boolean;
  sections: Section[];
}

export interface Comment {
  id: number;
  question: string;
  text: string;
  pinned: boolean;
  locked: boolean;
  author: { id: number };
}

export const surveyOf = (project: number | string): string => `/projects/${project}/survey/`;

export const draftOf = (project: number | string): string => `${surveyOf(project)}draft/`;

export const answerOf = (project: number | string, id: string): string => `${draftOf(project)}${id}/`;

export const commentsOf = (project: number | string): string => `${surveyOf(project)}comments/`;

/** A test API and requests for the surveys of its projects. */
export function useSurveys() {
  const test = useTestApi();

  const select = (project: number, id: string, selected: unknown = true, api: ApiClient = test.api) =>
    bodyOf(api.patch<DraftAnswer & Draft>(answerOf(project, id), { selected }));

  const save = (project: number) => bodyOf(test.api.post<Draft>(draftOf(project)));

  return { test, select, save };
}
