import type { ProjectReport, ReportCountermeasure } from '#domain/projects/project-report/project-report.js';

/** The person's name; notes without an author were written by the service. */
export const nameOf = (person: { readonly first_name: string; readonly last_name: string } | null): string =>
  person ? `${person.first_name} ${person.last_name}`.trim() : 'Merlon';

/** `2026-11-28`. */
export const dayOf = (timestamp: string): string => timestamp.slice(0, 10);

/** The facts about the project, as pairs of a name and a value. */
export const factsOf = ({
  project,
  counts,
  generated_at: at,
}: ProjectReport): readonly (readonly [string, string])[] => [
  ['Application', project.application.name],
  ['Business unit', project.business_unit.name],
  ['Survey', project.survey_complete ? 'complete' : 'not complete'],
  ['Risk policy', { true: 'met', false: 'not met', null: 'unknown' }[`${project.risk_policy_compliant}`]],
  [
    'Countermeasures',
    `${counts.relevant}: ${counts.complete} complete, ${counts.not_applicable} not applicable, ${counts.open} open`,
  ],
  ['Date', at],
];

/** The state of a countermeasure in one line. */
export const stateOf = (countermeasure: ReportCountermeasure): string =>
  [
    countermeasure.status.name,
    `priority ${countermeasure.priority}`,
    countermeasure.phase,
    `verification: ${countermeasure.verification_status}`,
    ...(countermeasure.assigned_to.length ? [countermeasure.assigned_to.map(nameOf).join(', ')] : []),
  ].join(' · ');

/** The result of an analysis in one line. */
export const evidenceOf = ({
  status,
  system,
  findings,
  finding_ref: reference,
  created,
}: ReportCountermeasure['evidence'][number]): string =>
  [
    `${dayOf(created)}: ${status}`,
    ...(system === '' ? [] : [system]),
    ...(findings.length ? [findings.map(({ desc, count }) => `${count} × ${desc}`).join(', ')] : []),
    ...(reference === '' ? [] : [reference]),
  ].join(' · ');

/** A sentence about what was left out; undefined if nothing was. */
export function omissionOf({ omitted }: ProjectReport): string | undefined {
  const parts = [
    ...(omitted.countermeasures ? [`${omitted.countermeasures} countermeasures of the lowest priorities`] : []),
    ...(omitted.notes ? [`${omitted.notes} older notes`] : []),
    ...(omitted.evidence ? [`${omitted.evidence} older analyses`] : []),
  ];
  return parts.length ? `This report leaves out ${parts.join(', ')}.` : undefined;
}
