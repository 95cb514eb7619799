import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { bodyOf, client, type DataOf } from './client.ts';

export const draftQuery = (id: number) =>
  queryOptions({
    queryKey: ['survey-draft', id],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/projects/{id}/survey/draft/', {
          params: { path: { id }, query: { include: ['survey'] } },
          signal,
        }),
      ),
  });

export type Draft = DataOf<typeof draftQuery>;
export type Section = NonNullable<Draft['sections']>[number];
export type Question = Section['questions'][number];

export const chooseAnswer = (project: number, id: string, selected: boolean) =>
  bodyOf(
    client.PATCH('/api/v2/projects/{project}/survey/draft/{id}/', {
      params: { path: { project, id } },
      body: { selected },
    }),
  );

export const answerNone = (project: number, question: string, none: boolean) =>
  bodyOf(
    client.PATCH('/api/v2/projects/{id}/survey/draft/', {
      params: { path: { id: project } },
      body: { question, none },
    }),
  );

export const commitDraft = (id: number) =>
  bodyOf(client.POST('/api/v2/projects/{id}/survey/draft/', { params: { path: { id } } }));

export const discardDraft = (id: number) =>
  bodyOf(client.DELETE('/api/v2/projects/{id}/survey/draft/', { params: { path: { id } } }));

export const commentsQuery = (project: number) =>
  queryOptions({
    queryKey: ['survey-comments', project],
    queryFn: ({ signal }) =>
      bodyOf(client.GET('/api/v2/projects/{project}/survey/comments/', { params: { path: { project } }, signal })),
  });

export const addComment = (project: number, question: string, text: string) =>
  bodyOf(
    client.POST('/api/v2/projects/{project}/survey/comments/', {
      params: { path: { project } },
      body: { question, text },
    }),
  );

/** What committing the draft would change. `said` identifies the draft: what people have said so far. */
export const previewQuery = (project: number, said: string) =>
  queryOptions({
    queryKey: ['survey-preview', project, said],
    queryFn: ({ signal }) =>
      bodyOf(
        client.POST('/api/v2/projects/{id}/survey/draft/preview/', {
          params: { path: { id: project } },
          body: {},
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });

export type Preview = DataOf<typeof previewQuery>;
