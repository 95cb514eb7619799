import { useQuery } from '@tanstack/react-query';
import {
  createTrackerConnection,
  type TrackerConnection,
  trackerConnectorsQuery,
} from '../../../api/tracker-connections.ts';
import { Text } from '../../../components/controls.ts';
import { choicesOf } from '../../../components/filters.tsx';
import type { Option } from '../../../components/options.tsx';
import { type FieldsOf, Form } from '../../../components/form.tsx';
import { Loaded } from '../../../components/states.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';
import { useSaved } from '../../use-change.ts';

type Fields = {
  readonly connector: string;
  readonly project_key: string;
  readonly issue_type: string;
  readonly frequency: string;
  readonly min_priority: string;
  readonly TS1: string;
  readonly TS2: string;
  readonly TS3: string;
};

const STATUSES = ['TS1', 'TS2', 'TS3'] as const;

const EMPTY = {
  project_key: '',
  issue_type: '',
  frequency: 'manually',
  min_priority: '1',
  TS1: '',
  TS2: '',
  TS3: '',
} as const;

const fieldsOf = (connectors: readonly Option[]): FieldsOf<Fields> => ({
  connector: { kind: 'choice', label: texts.connector, options: connectors, isRequired: true },
  project_key: { kind: 'text', label: texts.trackerProject, description: texts.trackerProjectHint, isRequired: true },
  issue_type: { kind: 'text', label: texts.issueType, description: texts.issueTypeHint },
  frequency: { kind: 'choice', label: texts.frequency, options: choicesOf(texts.frequencies), isRequired: true },
  min_priority: { kind: 'number', label: texts.minPriority, description: texts.minPriorityHint, isRequired: true },
  TS1: { kind: 'text', label: texts.statusIn(strings.statuses.TS1) },
  TS2: { kind: 'text', label: texts.statusIn(strings.statuses.TS2) },
  TS3: { kind: 'text', label: texts.statusIn(strings.statuses.TS3) },
});

const isFrequency = (value: string): value is TrackerConnection['frequency'] => Object.hasOwn(texts.frequencies, value);

/** A form that connects a project to an issue tracker. The service checks that the tracker has what it names. */
export function NewTrackerConnection({
  project,
  onConnected,
}: {
  readonly project: number;
  readonly onConnected: () => void;
}) {
  const connectors = useQuery(trackerConnectorsQuery());
  const saved = useSaved(['tracker-connections']);
  return (
    <Loaded query={connectors}>
      {({ results }) => {
        if (results.length === 0) return <Text c="dimmed">{texts.noConnectors}</Text>;
        const options = results.map(({ id, name, system }) => ({ value: String(id), label: `${name} (${system.id})` }));
        return (
          <Form
            label={texts.connectTracker}
            initial={{ ...EMPTY, connector: options[0]?.value ?? '' }}
            fields={fieldsOf(options)}
            submit={texts.connect}
            save={({ connector, frequency, min_priority: priority, project_key: key, issue_type: type, ...statuses }) =>
              createTrackerConnection(project, {
                connector: Number(connector),
                project_key: key,
                issue_type: type,
                frequency: isFrequency(frequency) ? frequency : 'manually',
                min_priority: Number(priority),
                statuses: Object.fromEntries(
                  STATUSES.flatMap((status) => (statuses[status] === '' ? [] : [[status, statuses[status]]])),
                ),
              })
            }
            onSaved={() => {
              saved();
              onConnected();
            }}
          />
        );
      }}
    </Loaded>
  );
}
