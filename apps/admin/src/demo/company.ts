/** The made-up company of the demo: its people, and what they build. */

interface Person {
  readonly first: string;
  readonly last: string;
  /** A global role. */
  readonly role: 'UR1' | 'UR2' | 'UR4';
}

export const PEOPLE = {
  ines: { first: 'Ines', last: 'Ferreira', role: 'UR4' },
  jonas: { first: 'Jonas', last: 'Lindqvist', role: 'UR2' },
  amara: { first: 'Amara', last: 'Okafor', role: 'UR2' },
  tomas: { first: 'Tomáš', last: 'Novák', role: 'UR1' },
  mei: { first: 'Mei', last: 'Tanaka', role: 'UR1' },
  lucas: { first: 'Lucas', last: 'Moreau', role: 'UR1' },
  sofia: { first: 'Sofia', last: 'Rossi', role: 'UR1' },
  ravi: { first: 'Ravi', last: 'Menon', role: 'UR1' },
  hanna: { first: 'Hanna', last: 'Weber', role: 'UR1' },
} as const satisfies Readonly<Record<string, Person>>;

export type PersonName = keyof typeof PEOPLE;

/** No one receives mail at this domain (RFC 2606). */
export const emailOf = (name: PersonName): string => `${name}@example.com`;

export interface DemoProject {
  readonly unit: string;
  readonly application: string;
  readonly priority: '1-high' | '2-medium' | '3-low';
  readonly name: string;
  readonly description: string;
  readonly profile: string;
  /** When it was created. */
  readonly weeksAgo: number;
  readonly lead: PersonName;
  readonly developers: readonly [PersonName, ...PersonName[]];
  /** How many of its countermeasures are complete today, from 0 to 1. */
  readonly share: number;
  /** By default, its survey is answered. A draft has answers that no one has saved. */
  readonly survey?: 'draft' | 'unanswered';
  readonly archived?: boolean;
  /** The tool that scans it. */
  readonly scanner?: 'Semgrep' | 'ZAP';
}

export const PROJECTS: readonly DemoProject[] = [
  {
    unit: 'Payments',
    application: 'Checkout',
    priority: '1-high',
    name: 'Checkout 4',
    description: 'Takes card payments in the web shop and in the store app.',
    profile: 'P1',
    weeksAgo: 10,
    lead: 'jonas',
    developers: ['tomas', 'mei'],
    share: 0.86,
    scanner: 'ZAP',
  },
  {
    unit: 'Payments',
    application: 'Payouts',
    priority: '1-high',
    name: 'Payouts API',
    description: 'Pays merchants once a day.',
    profile: 'P2',
    weeksAgo: 8,
    lead: 'jonas',
    developers: ['mei', 'ravi'],
    share: 0.58,
    scanner: 'Semgrep',
  },
  {
    unit: 'Payments',
    application: 'Fraud scoring',
    priority: '2-medium',
    name: 'Fraud scoring pipeline',
    description: 'Scores payments every night.',
    profile: 'P8',
    weeksAgo: 5,
    lead: 'amara',
    developers: ['ravi'],
    share: 0.31,
  },
  {
    unit: 'Retail',
    application: 'Web shop',
    priority: '1-high',
    name: 'Web shop relaunch',
    description: 'The new shop, with other sellers in it.',
    profile: 'P9',
    weeksAgo: 9,
    lead: 'amara',
    developers: ['lucas', 'sofia', 'tomas'],
    share: 0.64,
    scanner: 'ZAP',
  },
  {
    unit: 'Retail',
    application: 'Store app',
    priority: '2-medium',
    name: 'Store app 3',
    description: 'Customers scan and pay in the store.',
    profile: 'P3',
    weeksAgo: 6,
    lead: 'amara',
    developers: ['sofia', 'lucas'],
    share: 0.38,
    scanner: 'Semgrep',
  },
  {
    unit: 'Retail',
    application: 'Loyalty programme',
    priority: '3-low',
    name: 'Loyalty programme 2024',
    description: 'Replaced by the store app.',
    profile: 'P1',
    weeksAgo: 10,
    lead: 'amara',
    developers: ['lucas'],
    share: 0.72,
    archived: true,
  },
  {
    unit: 'Platform',
    application: 'Developer portal',
    priority: '3-low',
    name: 'Developer portal',
    description: 'Documentation and credentials for our own teams.',
    profile: 'P4',
    weeksAgo: 10,
    lead: 'jonas',
    developers: ['hanna', 'tomas'],
    share: 0.97,
    scanner: 'Semgrep',
  },
  {
    unit: 'Platform',
    application: 'Event pipeline',
    priority: '2-medium',
    name: 'Event pipeline 2',
    description: 'Carries orders and payments between services.',
    profile: 'P8',
    weeksAgo: 7,
    lead: 'jonas',
    developers: ['hanna', 'ravi'],
    share: 0.52,
  },
  {
    unit: 'Platform',
    application: 'Support assistant',
    priority: '2-medium',
    name: 'Support assistant pilot',
    description: 'Answers questions of customers from our help pages.',
    profile: 'P6',
    weeksAgo: 3,
    lead: 'jonas',
    developers: ['mei', 'hanna'],
    share: 0.17,
  },
  {
    unit: 'Logistics',
    application: 'Parcel tracking',
    priority: '2-medium',
    name: 'Parcel tracking 2',
    description: 'Tells customers and carriers where a parcel is.',
    profile: 'P2',
    weeksAgo: 8,
    lead: 'amara',
    developers: ['sofia', 'ravi'],
    share: 0.74,
    scanner: 'Semgrep',
  },
  {
    unit: 'Logistics',
    application: 'Handheld scanner',
    priority: '2-medium',
    name: 'Handheld scanner firmware',
    description: 'Scans parcels in the warehouse and at the door.',
    profile: 'P5',
    weeksAgo: 2,
    lead: 'amara',
    developers: ['hanna'],
    share: 0.08,
    survey: 'draft',
  },
  {
    unit: 'Logistics',
    application: 'Sorting plant',
    priority: '1-high',
    name: 'Sorting plant control',
    description: 'Conveyors and scales of the new sorting centre.',
    profile: 'P10',
    weeksAgo: 1,
    lead: 'jonas',
    developers: ['ravi'],
    share: 0,
    survey: 'unanswered',
  },
];

/** The reports that the company has saved, by their templates. */
export const REPORTS = ['status-by-business-unit', 'completion-trend', 'open-high-priority-by-application'] as const;

/** The tester, who uploads the results of scans. */
export const TESTER: PersonName = 'hanna';

/** The AppSec lead, who customizes the library. */
export const APPSEC_LEAD: PersonName = 'ines';

export const NOTES = [
  'The library does this for us since the upgrade. The configuration is in the repository of the service.',
  'Reviewed together with the platform team. The test in the pipeline fails if someone turns it off.',
  'Blocked: waits for the new certificates, which are ordered.',
  'Half of the endpoints are done. The old ones go away with the next release.',
] as const;

export const NOT_APPLICABLE = 'Discussed in the design review: nothing in this project does that.';

export const FINDINGS = [
  'Response without Content-Security-Policy on /account',
  'Secret in the source code',
  'User input in a log message',
] as const;

/** What the organization has written itself, and what it has changed in the starter library. */
export const CUSTOM_COUNTERMEASURES = [
  {
    title: 'Register the service in the incident rota',
    text: 'Enter the service and its owner in the **incident rota** before the first release, and test the pager.',
    problem: 'P1',
    priority: 6,
    phase: 'X4',
  },
  {
    title: 'Have keys of partners renewed once a year',
    text: 'Keep the date of renewal next to the key. The partner desk sends new keys over the exchange portal.',
    problem: 'P1',
    priority: 8,
    phase: 'X4',
  },
] as const;

export const CUSTOMIZED_COUNTERMEASURES = [
  { id: 'T1', changes: { priority: 9 } },
  { id: 'T5', changes: { priority: 8 } },
] as const;

/** This built-in component of most projects now introduces one more countermeasure, which they have not taken yet. */
export const CHANGED_COMPONENT = { id: 'SC23', added: 'T12' } as const;
