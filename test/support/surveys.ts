import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf } from '#test/support/client.js';

export interface DraftAnswer {
  id: string;
  text: string;
  question: string;
  selected: boolean;
  state: 'chosen' | 'rejected' | 'unanswered';
  valid: boolean;
}

export interface Draft {
  answers: DraftAnswer[];
  questions: { id: string; answered: boolean; none: boolean }[];
  survey_complete: boolean;
  dirty: boolean;
  sections?: Section[];
}

interface Section {
  id: string;
  title: string;
  questions: {
    id: string;
    text: string;
    format: string;
    answered: boolean;
    none: boolean;
    answers: { id: string; text: string; state: string }[];
  }[];
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

  const sayNone = (project: number, question: string, none: unknown = true) =>
    bodyOf(test.api.patch<Draft>(draftOf(project), { question, none }));

  /** Answers every open question: confirms suggestions, and otherwise chooses the first answer, or none of several. */
  const answerAll = async (project: number): Promise<void> => {
    const { sections = [] } = await bodyOf(test.api.get<Draft>(draftOf(project), { include: 'survey' }));
    const formats = new Map(sections.flatMap(({ questions }) => questions.map(({ id, format }) => [id, format])));
    for (;;) {
      const { answers, questions } = await bodyOf(test.api.get<Draft>(draftOf(project)));
      const answersTo = (id: string) => answers.filter(({ question, valid }) => question === id && valid);
      const open = questions.filter(({ id, answered }) => !answered && answersTo(id).length);
      if (!open.length) return;
      for (const { id } of open) {
        const suggested = answersTo(id).filter(({ selected }) => selected);
        const chosen = suggested.length || formats.get(id) === 'MC' ? suggested : answersTo(id).slice(0, 1);
        for (const answer of chosen) await select(project, answer.id);
        if (!chosen.length) await sayNone(project, id);
      }
    }
  };

  return { test, select, save, sayNone, answerAll };
}
