import { useInfiniteQuery } from '@tanstack/react-query';
import { projectActivitiesQuery } from '../../../api/activities.ts';
import { Stack } from '../../../components/controls.ts';
import { ScrollRegion } from '../../../components/layout.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';
import { ActivityStream } from '../../activity-list.tsx';
import type { SectionProps } from './section-props.ts';

/** What happened in a project, newest first. */
export function ProjectActivity({ project }: SectionProps) {
  const stream = useInfiniteQuery(projectActivitiesQuery(project.id));
  const label = strings.projectSections.activity;
  return (
    <ScrollRegion label={label}>
      <Stack p={{ base: 'md', sm: 'lg' }} maw={1100}>
        <ActivityStream label={label} stream={stream} none={texts.noActivities} />
      </Stack>
    </ScrollRegion>
  );
}
