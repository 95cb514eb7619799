import { useInfiniteQuery } from '@tanstack/react-query';
import { countermeasureActivitiesQuery } from '../../api/activities.ts';
import { strings } from '../../strings.ts';
import { ActivityStream } from '../activity-list.tsx';

/** What happened to a countermeasure of a project, newest first. */
export function History({ project, task }: { readonly project: number; readonly task: string }) {
  const list = countermeasureActivitiesQuery(project, task);
  const stream = useInfiniteQuery(list);
  return <ActivityStream label={strings.history} stream={stream} none={strings.noHistory} file={list} />;
}
