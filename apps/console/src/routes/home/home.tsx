import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type HomeData, homeQuery } from '../../api/home.ts';
import { Group, SimpleGrid, Stack, Text } from '../../components/controls.ts';
import { Tag, WorkProgress } from '../../components/formats.tsx';
import { Page, ScrollRegion, Section } from '../../components/layout.tsx';
import { Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';
import { ActivityList } from '../activity-list.tsx';
import { FirstReports } from '../reports/first-reports.tsx';
import type { ProjectSection } from '../projects/project-tabs.tsx';
import { useSession } from '../use-session.ts';

interface Entry {
  readonly project: { readonly id: number; readonly name: string };
  /** The part of the project that the link leads to, by default its countermeasures. */
  readonly section?: ProjectSection;
  readonly facts: ReactNode;
}

/** Links to projects, each with facts at the end of its line. */
function ProjectLinks({
  label,
  entries,
  none,
}: {
  readonly label: string;
  readonly entries: readonly Entry[];
  readonly none: string;
}) {
  if (entries.length === 0) return <Text c="dimmed">{none}</Text>;
  return (
    <ul className="plain-list" aria-labelledby={label}>
      {entries.map(({ project: { id, name }, section, facts }) => (
        <li key={id}>
          <Group justify="space-between" wrap="nowrap" gap="md">
            <Link
              to={section ? '/projects/$project/$section' : '/projects/$project'}
              params={{ project: String(id), section }}
              className="text-link clipped"
              title={name}
            >
              {name}
            </Link>
            <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
              {facts}
            </Group>
          </Group>
        </li>
      ))}
    </ul>
  );
}

function Overview({ home }: { readonly home: HomeData }) {
  const work = home.work.map(({ project, open, high_priority: high }) => ({
    project,
    facts: (
      <>
        {high > 0 && <Tag>{strings.highPriority(high)}</Tag>}
        <Text size="sm">{strings.openCount(open)}</Text>
      </>
    ),
  }));
  const projects = home.projects.map(({ relevant, complete, ...project }) => ({
    project,
    section: 'overview' as const,
    facts: <WorkProgress counts={{ total: relevant, complete, not_applicable: 0 }} />,
  }));
  const updates = home.updates.map(({ project, count }) => ({
    project,
    section: 'updates' as const,
    facts: <Text size="sm">{strings.updateCount(count)}</Text>,
  }));
  return (
    <Stack p={{ base: 'md', sm: 'lg' }} gap="xl" maw={1280}>
      {work.length === 0 && <FirstReports />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing={40} verticalSpacing="xl">
        <Stack gap="xl" miw={0}>
          <Section id="home-work" title={strings.myWork}>
            <ProjectLinks label="home-work" entries={work} none={strings.noWork} />
          </Section>
          <Section id="home-projects" title={strings.projects}>
            <ProjectLinks label="home-projects" entries={projects} none={strings.noProjects} />
          </Section>
        </Stack>
        <Stack gap="xl" miw={0}>
          {updates.length > 0 && (
            <Section id="home-updates" title={strings.updates}>
              <ProjectLinks label="home-updates" entries={updates} none="" />
            </Section>
          )}
          <Section id="home-activities" title={strings.latestActivities}>
            {home.activities.length > 0 ? (
              <ActivityList label={strings.latestActivities} activities={home.activities} />
            ) : (
              <Text c="dimmed">{strings.noActivities}</Text>
            )}
          </Section>
        </Stack>
      </SimpleGrid>
      {work.length > 0 && <FirstReports />}
    </Stack>
  );
}

/** What a user sees first: their work (charts for those who have none), their projects, and what has happened. */
export function Home() {
  const { user } = useSession();
  const home = useQuery(homeQuery());
  return (
    <Page title={strings.welcome(user.first_name || user.email)}>
      <ScrollRegion label={strings.home}>
        <Loaded query={home}>{(data) => <Overview home={data} />}</Loaded>
      </ScrollRegion>
    </Page>
  );
}
