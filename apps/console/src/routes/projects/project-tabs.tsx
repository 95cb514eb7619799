import { Link } from '@tanstack/react-router';
import { strings } from '../../strings.ts';

/** The pages of a project. */
export function ProjectTabs({ project }: { readonly project: string }) {
  return (
    <nav className="page-tabs" aria-label={strings.sections}>
      <Link to="/projects" className="page-tab" activeOptions={{ exact: true }}>
        {strings.projects}
      </Link>
      <Link to="/projects/$project/survey" params={{ project }} className="page-tab">
        {strings.survey}
      </Link>
      <Link
        to="/projects/$project"
        params={{ project }}
        className="page-tab"
        activeOptions={{ includeSearch: false, exact: true }}
      >
        {strings.countermeasures}
      </Link>
    </nav>
  );
}
