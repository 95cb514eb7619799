import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { bodyOf, client } from './client.ts';
import { fileOf, type Read } from './lists.ts';

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

/** What one page of a stream is read with; a file has all pages. */
interface StreamPage {
  readonly cursor?: string | undefined;
  readonly page_size?: number;
}

/** A stream for a page, of which more is loaded on demand, and as a file. */
const streamOf = <Data extends { readonly next: string | null }>(
  queryKey: QueryKey,
  readPage: (page: StreamPage) => Read<Data>,
) => ({
  ...infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam: cursor }) => bodyOf(readPage({ cursor, page_size: PAGE_SIZE })({ signal }, false)),
    ...PAGES,
  }),
  readFile: () => fileOf(readPage({})),
});

/** What happened in the organization, newest first. */
export const activitiesQuery = ({ q, actor, from, to }: ActivityFilters) =>
  streamOf(['activities', q, actor, from, to], (page) => (options) => {
    const query = { search: q, actor, date_from: momentOf(from), date_to: momentOf(to, 1), ...page };
    return client.GET('/api/v2/activity-stream/', { params: { query }, ...options });
  });

interface ProjectActivityFilters {
  readonly task?: string;
  readonly name?: string;
}

const projectActivities = (project: number, filters: ProjectActivityFilters) =>
  streamOf(['activities', 'project', project, filters], (page) => (options) => {
    const params = { path: { project }, query: { ...filters, ...page } };
    return client.GET('/api/v2/projects/{project}/activity-stream/', { params, ...options });
  });

/** What happened in a project, newest first. */
export const projectActivitiesQuery = (project: number) => projectActivities(project, {});

/** What happened to a countermeasure of a project. */
export const countermeasureActivitiesQuery = (project: number, task: string) =>
  projectActivities(project, { task: `${project}-${task}` });

/** Who saved the survey of a project when. */
export const surveyActivitiesQuery = (project: number) =>
  projectActivities(project, { name: 'ChangedProjectSurveyActivity' });
