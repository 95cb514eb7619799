import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectActivitiesQuery } from '../../../api/activities.ts';
import { projectThreatsQuery, projectWeaknessesQuery } from '../../../api/project-sections.ts';
import { projectQuery } from '../../../api/projects.ts';
import { Group } from '../../../components/controls.ts';
import type { ListFile } from '../../../components/download-csv.tsx';
import { Filters, TextFilter } from '../../../components/filters.tsx';
import { Tag } from '../../../components/formats.tsx';
import { Page } from '../../../components/layout.tsx';
import { Empty, Loaded } from '../../../components/states.tsx';
import { strings } from '../../../strings.ts';
import { PROJECT_SECTIONS, type ProjectSection, ProjectTabs } from '../project-tabs.tsx';
import { ProjectActivity } from './activity.tsx';
import { IssueTrackers } from './issue-trackers.tsx';
import { Members } from './members.tsx';
import { Overview } from './overview.tsx';
import { ReportLink } from './report-link.tsx';
import { ProjectThreats, ProjectWeaknesses } from './risks.tsx';
import type { SectionProps } from './section-props.ts';
import { Settings } from './settings.tsx';
import { Updates } from './updates.tsx';
import { VerificationTools } from './verification-tools.tsx';

const CONTENTS: Readonly<Record<ProjectSection, (props: SectionProps) => React.ReactNode>> = {
  overview: Overview,
  weaknesses: ProjectWeaknesses,
  threats: ProjectThreats,
  updates: Updates,
  verification: VerificationTools,
  issues: IssueTrackers,
  activity: ProjectActivity,
  members: Members,
  settings: Settings,
};

/** The list of a part, if it has one. */
const LISTS: Readonly<Partial<Record<ProjectSection, (project: number, q: string | undefined) => ListFile>>> = {
  weaknesses: projectWeaknessesQuery,
  threats: projectThreatsQuery,
  activity: projectActivitiesQuery,
};

const SEARCHED: readonly ProjectSection[] = ['weaknesses', 'threats'];

const route = getRouteApi('/projects/$project/$section');

/** The part of a project that the address names. Nothing of the other parts is loaded. */
export function ProjectSectionPage() {
  const { project, section: name } = route.useParams();
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const id = Number(project);
  const details = useQuery(projectQuery(id));
  const section = PROJECT_SECTIONS.find((one) => one === name);
  if (section === undefined)
    return (
      <Empty title={strings.notFoundTitle} isPage>
        {strings.notFoundText}
      </Empty>
    );
  const Content = CONTENTS[section];
  const list = LISTS[section]?.(id, q);
  return (
    <Page
      title={details.data?.name ?? ''}
      above={<ProjectTabs project={project} current={section} />}
      file={list && { list, name: strings.projectSections[section] }}
      actions={
        <Group gap="xs">
          {details.data?.archived && <Tag>{strings.archived}</Tag>}
          {details.data?.locked && <Tag>{strings.locked}</Tag>}
          {section === 'overview' && <ReportLink project={id} />}
        </Group>
      }
      filters={
        SEARCHED.includes(section) && (
          <Filters>
            <TextFilter value={q} onChange={(text) => void navigate({ search: { q: text }, replace: true })} />
          </Filters>
        )
      }
    >
      <Loaded query={details}>{(data) => <Content project={data} q={q} />}</Loaded>
    </Page>
  );
}
