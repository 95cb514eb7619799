/** Files that the same suites test. */
export interface Group {
  readonly files: readonly string[];
  /** Suites, without `.spec.ts`. Each mutant is tried with those of their tests that run the changed code. */
  readonly suites: readonly string[];
}

const API = 'apps/api/src';
const DOMAIN = 'libs/domain/src';
const PROJECT_ACCESS = `${DOMAIN}/projects/project-access`;
const IMPORT = 'libs/content/src/import';
const WEBHOOK = `${DOMAIN}/notifications/webhook`;

/** The rules whose TypeScript Stryker changes. */
export const GROUPS: readonly Group[] = [
  // Workers
  {
    files: [
      `${DOMAIN}/exchange/job/job.work.ts`,
      `${DOMAIN}/kernel/lease/lease-keeper.ts`,
      `${DOMAIN}/kernel/state-machine.ts`,
    ],
    suites: [
      `${DOMAIN}/exchange/job/job-leases`,
      `${DOMAIN}/kernel/lease/lease-keeper`,
      `${DOMAIN}/kernel/state-machine`,
    ],
  },
  { files: [`${WEBHOOK}/delivery.policy.ts`], suites: [`${WEBHOOK}/delivery.policy`] },
  { files: [`${WEBHOOK}/delivery.work.ts`], suites: [`${WEBHOOK}/delivery.work`, `${WEBHOOK}/delivery-leases`] },
  { files: ['libs/platform/src/fair-slots.ts'], suites: ['libs/platform/src/fair-slots'] },
  // Retention
  {
    files: [`${DOMAIN}/exchange/import-job/import-job.cleanup.ts`, `${DOMAIN}/access/token/token.commands.ts`],
    suites: [`${DOMAIN}/exchange/import-job/import-job.cleanup`, `${API}/access/tokens/tokens`],
  },
  // Access
  {
    files: [`${API}/http/access/access.guard.ts`, `${DOMAIN}/access/user/principal.ts`],
    suites: [
      `${API}/http/access/access`,
      `${API}/access/tokens/tokens`,
      `${API}/access/tokens/passwords`,
      `${API}/notifications/webhooks/webhooks`,
    ],
  },
  {
    files: [`${DOMAIN}/access/role/authority.ts`, `${PROJECT_ACCESS}/grants.ts`],
    suites: [`${API}/access/users/granting`, `${API}/access/users/user-visibility`, `${API}/access/groups/groups`],
  },
  {
    files: [`${API}/http/access/principal-cache.ts`],
    suites: [`${API}/http/access/principal-cache`, `${API}/http/access/access`],
  },
  // Imports
  {
    files: [
      ...['apply-batch', 'apply-import', 'assign-identities', 'cascade'].map((name) => `${IMPORT}/apply/${name}.ts`),
      `${IMPORT}/difference/compare-row.ts`,
    ],
    suites: [
      ...['apply/cascade', 'import-in-process', 'round-trip'].map((name) => `${IMPORT}/${name}`),
      ...['import-errors', 'import-ids', 'import.handler'].map((name) => `apps/worker/src/exchange/${name}`),
    ],
  },
  // Computed values
  { files: ['libs/reporting/src/date-range.ts'], suites: ['libs/reporting/src/date-range'] },
  {
    files: [
      `${DOMAIN}/projects/regulation-coverage/regulation-coverage.projection.ts`,
      'libs/files/src/csv/write-csv.ts',
    ],
    suites: [`${API}/projects/regulation-coverage/regulation-coverage`, 'libs/files/src/csv/csv-formulas'],
  },
];
