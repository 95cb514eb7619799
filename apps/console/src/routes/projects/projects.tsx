import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { IconPlus } from '@tabler/icons-react';
import { applicationsQuery, type Project, projectsQuery } from '../../api/projects.ts';
import { sessionQuery } from '../../api/session.ts';
import { Button } from '../../components/controls.ts';
import { ChoiceFilter, choicesOf, Filters, TextFilter } from '../../components/filters.tsx';
import { Tag, WorkProgress } from '../../components/formats.tsx';
import { ItemList } from '../../components/item-list.tsx';
import { Page } from '../../components/layout.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';
import { useList } from '../use-list.ts';

const route = getRouteApi('/projects');

const optionsOf = (items: readonly { readonly id: number; readonly name: string }[]) =>
  [...new Map(items.map(({ id, name }) => [id, name]))].map(([id, label]) => ({ value: String(id), label }));

const numberOrNone = (value: string | undefined) => (value === undefined ? undefined : Number(value));

function NoProjects({ isFiltered, mayCreate }: { readonly isFiltered: boolean; readonly mayCreate: boolean }) {
  if (isFiltered)
    return (
      <Empty title={strings.noProjectsFound}>
        <Link to="/projects" search={{}} className="text-link">
          {strings.removeFilters}
        </Link>
      </Empty>
    );
  return <Empty title={strings.noProjects}>{mayCreate ? strings.noProjectsText : strings.noProjectsReader}</Empty>;
}

/** All projects that the user sees. */
export function Projects() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const projects = useList(projectsQuery(filters));
  const applications = useQuery(applicationsQuery);
  const session = useQuery(sessionQuery);
  const mayCreate = session.data?.permissions?.includes('add_project') ?? false;
  const change = (changed: Partial<typeof filters>): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });

  const all = applications.data?.results ?? [];
  const inUnit = all.filter((one) => filters.unit === undefined || one.business_unit.id === filters.unit);
  const placeOf = new Map(all.map(({ id, name, business_unit: unit }) => [id, `${unit.name} · ${name}`]));
  const row = (project: Project) => (
    <Link className="row" to="/projects/$project" params={{ project: String(project.id) }}>
      <span className="row-title">{project.name}</span>
      <span className="row-side row-wide">
        {project.archived && <Tag>{strings.archived}</Tag>}
        {project.locked && <Tag>{strings.locked}</Tag>}
        {!project.survey_complete && <Tag>{strings.surveyOpen}</Tag>}
        {project.survey_dirty && <Tag>{strings.surveyDirty}</Tag>}
        <span className="row-fixed place">{placeOf.get(project.application)}</span>
      </span>
      {project.task_counts && <WorkProgress counts={project.task_counts} width={70} />}
    </Link>
  );
  return (
    <Page
      title={strings.projects}
      file={{ list: projects, name: strings.projects }}
      count={projects.data && strings.shown(projects.data.results.length)}
      actions={
        mayCreate && (
          <Button component={Link} to="/projects/new" leftSection={<IconPlus size={16} />}>
            {strings.newProject}
          </Button>
        )
      }
      filters={
        <Filters>
          <TextFilter value={filters.q} onChange={(q) => change({ q })} />
          <ChoiceFilter
            label={strings.anyUnit}
            options={optionsOf(all.map((one) => one.business_unit))}
            value={filters.unit?.toString()}
            onChange={(value) => change({ unit: numberOrNone(value), application: undefined })}
          />
          <ChoiceFilter
            label={strings.anyApplication}
            options={optionsOf(inUnit)}
            value={filters.application?.toString()}
            onChange={(value) => change({ application: numberOrNone(value) })}
          />
          <ChoiceFilter
            label={strings.activeProjects}
            options={choicesOf(strings.archivedToo)}
            value={filters.active}
            onChange={(value) => change({ active: value as typeof filters.active })}
          />
          <ChoiceFilter
            label={strings.orderBy}
            options={choicesOf(strings.projectOrders)}
            value={filters.order}
            onChange={(value) => change({ order: value as typeof filters.order })}
          />
        </Filters>
      }
    >
      <Loaded query={projects}>
        {({ results }) =>
          results.length === 0 ? (
            <NoProjects
              isFiltered={Object.values(filters).some((value) => value !== undefined)}
              mayCreate={mayCreate}
            />
          ) : (
            <ItemList label={strings.projects} items={results} keyOf={({ id }) => String(id)} renderRow={row} />
          )
        }
      </Loaded>
    </Page>
  );
}
