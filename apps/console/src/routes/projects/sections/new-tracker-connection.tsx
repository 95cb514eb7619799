import { useQuery } from '@tanstack/react-query';
import { createTrackerConnection, trackerConnectorsQuery } from '../../../api/tracker-connections.ts';
import { Text } from '../../../components/controls.ts';
import { Form } from '../../../components/form.tsx';
import { mapOf } from '../../../components/pairs.ts';
import { Loaded } from '../../../components/states.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { useSaved } from '../../use-change.ts';
import { bodyOf, NEW_TRACKER, newTrackerFields, type NewTrackerFields } from './tracker-fields.ts';

/** A connection to begin with: statuses count in both directions. */
const newBodyOf = (values: NewTrackerFields) => ({
  ...bodyOf(values),
  connector: Number(values.connector),
  project_key: values.project_key,
  tracker_to_status: Object.fromEntries(
    Object.entries(mapOf(values.status_to_tracker)).map(([own, theirs]) => [theirs, own]),
  ),
});

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
            initial={{ ...NEW_TRACKER, connector: options[0]?.value ?? '' }}
            fields={newTrackerFields(options)}
            submit={texts.connect}
            save={(values) => createTrackerConnection(project, newBodyOf(values))}
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
