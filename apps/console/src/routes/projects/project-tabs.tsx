import { Link } from '@tanstack/react-router';
import { strings } from '../../strings.ts';

/** The parts of a project that have a page like each other. */
export const PROJECT_SECTIONS = [
  'overview',
  'weaknesses',
  'threats',
  'updates',
  'verification',
  'issues',
  'activity',
  'members',
  'settings',
] as const;

export type ProjectSection = (typeof PROJECT_SECTIONS)[number];

/** On a phone, the current page may be further to the right. */
function showCurrent(nav: HTMLElement | null): void {
  nav?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** The pages of a project, and the way back to all projects. */
export function ProjectTabs({
  project,
  current,
}: {
  readonly project: string;
  readonly current: ProjectSection | 'countermeasures' | 'survey';
}) {
  const markIf = (isCurrent: boolean) => (isCurrent ? 'page' : undefined);
  const [first, ...others] = PROJECT_SECTIONS.map((section) => (
    <Link
      key={section}
      to="/projects/$project/$section"
      params={{ project, section }}
      className="page-tab"
      aria-current={markIf(current === section)}
    >
      {strings.projectSections[section]}
    </Link>
  ));
  return (
    <nav className="page-tabs" ref={showCurrent} aria-label={strings.projectPages}>
      <Link to="/projects" className="page-tab" activeOptions={{ exact: true }}>
        ‹ {strings.projects}
      </Link>
      {first}
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
      {others}
    </nav>
  );
}
