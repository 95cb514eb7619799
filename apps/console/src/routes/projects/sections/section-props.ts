import type { ProjectDetails } from '../../../api/projects.ts';

export interface SectionProps {
  readonly project: ProjectDetails;
  /** What people search for in lists. */
  readonly q: string | undefined;
}
