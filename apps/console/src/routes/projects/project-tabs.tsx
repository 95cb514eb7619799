import { Link } from '@tanstack/react-router';
import { strings } from '../../strings.ts';

/** The pages of a project, and the way back to all projects. */
export function ProjectTabs({
  project,
  current,
}: {
  readonly project: string;
  readonly current: 'countermeasures' | 'survey';
}) {
  const markIf = (isCurrent: boolean) => (isCurrent ? 'page' : undefined);
  return (
    <nav className="page-tabs" aria-label={strings.projectPages}>
      <Link to="/projects" className="page-tab" activeOptions={{ exact: true }}>
        ‹ {strings.projects}
      </Link>
      <Link
        to="/projects/$project/survey"
        params={{ project }}
        className="page-tab"
        aria-current={markIf(current === 'survey')}
      >
        {strings.survey}
      </Link>
      <Link
        to="/projects/$project"
        params={{ project }}
        className="page-tab"
        activeOptions={{ exact: true }}
        aria-current={markIf(current === 'countermeasures')}
      >
        {strings.countermeasures}
      </Link>
    </nav>
  );
}
