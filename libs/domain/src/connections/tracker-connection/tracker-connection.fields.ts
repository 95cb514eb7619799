import type { FieldErrors, FieldMessages } from '../../kernel/domain-errors.js';
import { checkChoice, checkText, tooManyEntries } from '../../kernel/fields/field-checks.js';
import type { InputOf } from '../../kernel/fields/field.js';
import {
  boolean,
  choice,
  choiceList,
  integer,
  line,
  numericReference,
  references,
  stringList,
} from '../../kernel/fields/fields.js';
import { jsonObject } from '../../kernel/fields/free-fields.js';
import { PRIORITY } from '../../library/countermeasure/countermeasure.rules.js';
import { TASK_STATUSES } from '../../projects/task-status/task-status.rules.js';
import { CONFLICT_POLICIES, DEFAULT_STATUSES, DEFAULT_TITLE_FORMAT, FREQUENCIES } from './tracker-connection.rules.js';

/** Names of statuses, priorities, types and fields in trackers. */
const MAX_NAME_LENGTH = 255;
const MAX_LABELS = 20;
const MAX_LABEL_LENGTH = 100;
const MAX_MAP_ENTRIES = 100;
const MAX_FIELD_LENGTH = 2000;

const PRIORITIES = Array.from({ length: PRIORITY.maximum }, (_, index) => String(index + PRIORITY.minimum));

const checkName = (value: unknown): string | undefined => checkText(value, { maximum: MAX_NAME_LENGTH, blank: false });

type Check = (value: unknown) => string | undefined;

/** The errors of an object that maps names to texts: of all its names first, then of the values by name. */
const mapErrors =
  (checkKey: Check, checkValue: Check) =>
  (map: Readonly<Record<string, unknown>>): FieldMessages | undefined => {
    const names = Object.keys(map);
    if (names.length > MAX_MAP_ENTRIES) return [tooManyEntries(MAX_MAP_ENTRIES)];
    const wrongName = names.map(checkKey).find((error) => error !== undefined);
    if (wrongName !== undefined) return [wrongName];
    const errors: FieldErrors = Object.create(null) as FieldErrors;
    for (const [name, value] of Object.entries(map)) {
      const error = checkValue(value);
      if (error !== undefined) errors[name] = [error];
    }
    return Object.keys(errors).length ? errors : undefined;
  };

interface MapOptions {
  readonly description: string;
  readonly example: Readonly<Record<string, string>>;
}

const textMap = (checkKey: Check, checkValue: Check, options: MapOptions) =>
  jsonObject({ type: 'object', additionalProperties: { type: 'string' } }, mapErrors(checkKey, checkValue), {
    ...options,
    optional: true,
    default: {},
  });

const checkStatus: Check = (value) => checkChoice(value, TASK_STATUSES);

export const trackerConnectionFields = {
  connector: numericReference({ description: 'The connector to the tracker.', example: 1 }),
  project_key: line({
    maximum: MAX_NAME_LENGTH,
    description: 'The project of the tracker; `owner/name` for GitHub and GitLab.',
    example: 'SHOP',
  }),
  issue_type: line({
    maximum: MAX_NAME_LENGTH,
    blank: true,
    optional: true,
    default: '',
    description: 'The type of new issues; empty: the default of the tracker.',
    example: 'Task',
  }),
  frequency: choice(FREQUENCIES, {
    optional: true,
    default: 'manually',
    description: 'How often a run starts. `manually`: only if someone asks for it.',
    example: 'hourly',
  }),
  conflict_policy: choice(CONFLICT_POLICIES, {
    optional: true,
    default: 'tracker',
    description: 'Which status counts if both sides have changed since the last run.',
  }),
  min_priority: integer({
    ...PRIORITY,
    optional: true,
    default: PRIORITY.minimum,
    description: 'The lowest priority that is in scope.',
  }),
  phases: references('phase', { optional: true, description: 'The phases in scope; empty: all.', example: ['X3'] }),
  statuses_in_scope: choiceList(TASK_STATUSES, {
    optional: true,
    distinct: true,
    description:
      'A countermeasure gets an issue while it has one of these statuses; an issue then follows all statuses.',
    example: DEFAULT_STATUSES,
  }),
  only_risk_relevant: boolean({
    optional: true,
    default: false,
    description: 'Whether only countermeasures that the risk policy of the project includes are in scope.',
  }),
  title_format: line({
    maximum: MAX_NAME_LENGTH,
    optional: true,
    default: DEFAULT_TITLE_FORMAT,
    description: 'The title of issues. `$task_id` and `$title` stand for those of the countermeasure.',
  }),
  labels: stringList({
    maximum: MAX_LABEL_LENGTH,
    blank: false,
    longest: MAX_LABELS,
    optional: true,
    description: 'Labels of new issues, besides those by which Merlon finds them.',
    example: ['security'],
  }),
  fields: textMap(checkName, (value) => checkText(value, { maximum: MAX_FIELD_LENGTH, blank: true }), {
    description: 'Values of further fields of new issues, by the name that the test of the connection reports.',
    example: { customfield_10010: 'Security' },
  }),
  priority_map: textMap((name) => checkChoice(name, PRIORITIES), checkName, {
    description:
      'Priorities of the tracker by priority. The others are 10 `Blocker`, 7-9 `Critical`, 5-6 `Major`, 3-4 `Minor` ' +
      'and 1-2 `Trivial`, if the tracker has those.',
    example: { '10': 'Highest' },
  }),
  status_to_tracker: textMap(checkStatus, checkName, {
    description: 'Statuses of the tracker by status. A status that is absent does not change the issue.',
    example: { TS1: 'Closed', TS2: 'New' },
  }),
  tracker_to_status: textMap(checkName, checkStatus, {
    description: 'Statuses by status of the tracker. A status that is absent does not change the countermeasure.',
    example: { Closed: 'TS1' },
  }),
  close_out_of_scope: boolean({
    optional: true,
    default: false,
    description: 'Whether the issue of a countermeasure that is no longer in scope is closed.',
  }),
};

export type TrackerConnectionInput = InputOf<typeof trackerConnectionFields>;
