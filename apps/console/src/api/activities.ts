import { infiniteQueryOptions } from '@tanstack/react-query';
import { bodyOf, client } from './client.ts';

export interface ActivityFilters {
  readonly q?: string | undefined;
  readonly actor?: number | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The start of a day in the reader's zone, or of the day after it. */
const momentOf = (day: string | undefined, daysLater = 0): string | undefined => {
  if (day === undefined) return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
};

/** How pages of activities follow each other. */
const PAGES = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }: { readonly next: string | null }) =>
    next ? (new URL(next, location.origin).searchParams.get('cursor') ?? undefined) : undefined,
};

const PAGE_SIZE = 100;

/** What happened in the organization, newest first. */
export const activitiesQuery = ({ q, actor, from, to }: ActivityFilters) =>
  infiniteQueryOptions({
    queryKey: ['activities', q, actor, from, to],
    queryFn: ({ signal, pageParam: cursor }) =>
      bodyOf(
        client.GET('/api/v2/activity-stream/', {
          params: {
            query: {
              search: q,
              actor,
              date_from: momentOf(from),
              date_to: momentOf(to, 1),
              cursor,
              page_size: PAGE_SIZE,
            },
          },
          signal,
        }),
      ),
    ...PAGES,
  });

interface ProjectActivityFilters {
  readonly task?: string;
  readonly name?: string;
}

const projectActivities = (project: number, filters: ProjectActivityFilters) =>
  infiniteQueryOptions({
    queryKey: ['activities', 'project', project, filters],
    queryFn: ({ signal, pageParam: cursor }) =>
      bodyOf(
        client.GET('/api/v2/projects/{project}/activity-stream/', {
          params: { path: { project }, query: { ...filters, cursor, page_size: PAGE_SIZE } },
          signal,
        }),
      ),
    ...PAGES,
  });

/** What happened in a project, newest first. */
export const projectActivitiesQuery = (project: number) => projectActivities(project, {});

/** What happened to a countermeasure of a project. */
export const countermeasureActivitiesQuery = (project: number, task: string) =>
  projectActivities(project, { task: `${project}-${task}` });

/** Who saved the survey of a project when. */
export const surveyActivitiesQuery = (project: number) =>
  projectActivities(project, { name: 'ChangedProjectSurveyActivity' });
