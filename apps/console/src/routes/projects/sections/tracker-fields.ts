import type { Option } from '../../../components/options.tsx';
import { choicesOf } from '../../../components/filters.tsx';
import type { FieldsOf } from '../../../components/form.tsx';
import { mapOf, type Pair, pairsOf } from '../../../components/pairs.ts';
import type { TrackerConnection } from '../../../api/tracker-connections.ts';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';

/** What a form for a connection to an issue tracker contains, by the names of the API. */
export type TrackerFields = {
  readonly connector: string;
  readonly project_key: string;
  readonly issue_type: string;
  readonly labels: readonly string[];
  readonly fields: readonly Pair[];
  readonly frequency: string;
  readonly min_priority: string;
  readonly priority_map: readonly Pair[];
  readonly status_to_tracker: readonly Pair[];
  readonly tracker_to_status: readonly Pair[];
  readonly conflict_policy: string;
  readonly phases: readonly string[];
  readonly statuses_in_scope: readonly string[];
  readonly only_risk_relevant: boolean;
  readonly title_format: string;
  readonly close_out_of_scope: boolean;
};

export type NewTrackerFields = Omit<
  TrackerFields,
  | 'tracker_to_status'
  | 'conflict_policy'
  | 'phases'
  | 'statuses_in_scope'
  | 'only_risk_relevant'
  | 'title_format'
  | 'close_out_of_scope'
>;

const PRIORITIES: readonly Option[] = Array.from({ length: 10 }, (_, index) => String(10 - index)).map((value) => ({
  value,
  label: value,
}));

const STATUSES = choicesOf(strings.statuses);

/** Where issues are. */
const placeFields = {
  project_key: { kind: 'text', label: texts.trackerProject, description: texts.trackerProjectHint, isRequired: true },
} as const satisfies FieldsOf<TrackerFields>;

/** What new issues have, and when runs start. */
const issueFields = {
  issue_type: { kind: 'text', label: texts.issueType, description: texts.issueTypeHint },
  labels: { kind: 'tags', label: texts.labels },
  fields: {
    kind: 'pairs',
    label: texts.trackerFields,
    description: texts.trackerFieldsHint,
    nameLabel: texts.fieldName,
    valueLabel: texts.fieldValue,
  },
  frequency: { kind: 'choice', label: texts.frequency, options: choicesOf(texts.frequencies), isRequired: true },
  min_priority: { kind: 'number', label: texts.minPriority, description: texts.minPriorityHint, isRequired: true },
  priority_map: {
    kind: 'pairs',
    label: texts.priorities,
    description: texts.prioritiesHint,
    nameLabel: texts.priorityName,
    valueLabel: texts.trackerPriority,
    names: PRIORITIES,
  },
} as const satisfies FieldsOf<TrackerFields>;

const statusesOut = (description: string) =>
  ({
    kind: 'pairs',
    label: texts.statusesOut,
    description,
    nameLabel: texts.countermeasureStatus,
    valueLabel: texts.trackerStatus,
    names: STATUSES,
    hasAllNames: true,
  }) as const;

const connectorField = (connectors: readonly Option[]) =>
  ({ kind: 'choice', label: texts.connector, options: connectors, isRequired: true }) as const;

export const newTrackerFields = (connectors: readonly Option[]): FieldsOf<NewTrackerFields> => ({
  connector: connectorField(connectors),
  ...placeFields,
  ...issueFields,
  status_to_tracker: statusesOut(texts.statusesBothHint),
});

export const editedTrackerFields = (phases: readonly Option[]): FieldsOf<TrackerFields> => ({
  ...placeFields,
  ...issueFields,
  status_to_tracker: statusesOut(texts.statusesOutHint),
  tracker_to_status: {
    kind: 'pairs',
    label: texts.statusesIn,
    description: texts.statusesInHint,
    nameLabel: texts.trackerStatus,
    valueLabel: texts.countermeasureStatus,
    values: STATUSES,
  },
  conflict_policy: {
    kind: 'choice',
    label: texts.conflictPolicy,
    options: choicesOf(texts.conflictPolicies),
    isRequired: true,
  },
  statuses_in_scope: { kind: 'choices', label: texts.statusesInScope, options: STATUSES },
  phases: { kind: 'choices', label: texts.phasesInScope, options: phases },
  only_risk_relevant: { kind: 'switch', label: texts.riskRelevantOnly },
  title_format: { kind: 'text', label: texts.titleFormat, description: texts.titleFormatHint, isRequired: true },
  close_out_of_scope: { kind: 'switch', label: texts.closeOutOfScope },
});

export const NEW_TRACKER: Omit<NewTrackerFields, 'connector'> = {
  project_key: '',
  issue_type: '',
  labels: [],
  fields: [],
  frequency: 'manually',
  min_priority: '1',
  priority_map: [],
  status_to_tracker: [],
};

export const valuesOf = (connection: TrackerConnection): TrackerFields => ({
  connector: String(connection.connector),
  project_key: connection.project_key,
  issue_type: connection.issue_type,
  labels: connection.labels,
  fields: pairsOf(connection.fields),
  frequency: connection.frequency,
  min_priority: String(connection.min_priority),
  priority_map: pairsOf(connection.priority_map),
  status_to_tracker: pairsOf(connection.status_to_tracker),
  tracker_to_status: pairsOf(connection.tracker_to_status),
  conflict_policy: connection.conflict_policy,
  phases: connection.phases,
  statuses_in_scope: connection.statuses_in_scope,
  only_risk_relevant: connection.only_risk_relevant,
  title_format: connection.title_format,
  close_out_of_scope: connection.close_out_of_scope,
});

const isOneOf = <Name extends string>(names: Readonly<Record<Name, string>>, value: string): value is Name =>
  Object.hasOwn(names, value);

const isStatus = (value: string): value is keyof typeof strings.statuses => isOneOf(strings.statuses, value);

/** The fields of a request, of those that are given. */
export const bodyOf = ({
  connector,
  project_key: key,
  issue_type: type,
  labels,
  fields,
  frequency,
  min_priority: priority,
  priority_map: priorities,
  status_to_tracker: statusesOutward,
  tracker_to_status: statusesInward,
  conflict_policy: policy,
  phases,
  statuses_in_scope: statuses,
  only_risk_relevant: isRiskRelevant,
  title_format: format,
  close_out_of_scope: closes,
}: Partial<TrackerFields>) => ({
  ...(connector !== undefined && { connector: Number(connector) }),
  ...(key !== undefined && { project_key: key }),
  ...(type !== undefined && { issue_type: type }),
  ...(labels && { labels: [...labels] }),
  ...(fields && { fields: mapOf(fields) }),
  ...(frequency !== undefined && isOneOf(texts.frequencies, frequency) && { frequency }),
  ...(priority !== undefined && { min_priority: Number(priority) }),
  ...(priorities && { priority_map: mapOf(priorities) }),
  ...(statusesOutward && { status_to_tracker: mapOf(statusesOutward) }),
  ...(statusesInward && { tracker_to_status: mapOf(statusesInward) }),
  ...(policy !== undefined && isOneOf(texts.conflictPolicies, policy) && { conflict_policy: policy }),
  ...(phases && { phases: [...phases] }),
  ...(statuses && { statuses_in_scope: statuses.filter(isStatus) }),
  ...(isRiskRelevant !== undefined && { only_risk_relevant: isRiskRelevant }),
  ...(format !== undefined && { title_format: format }),
  ...(closes !== undefined && { close_out_of_scope: closes }),
});
