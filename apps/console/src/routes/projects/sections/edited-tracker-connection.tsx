import { useQuery } from '@tanstack/react-query';
import { phasesQuery } from '../../../api/countermeasures.ts';
import { changeTrackerConnection, trackerConnectionQuery } from '../../../api/tracker-connections.ts';
import { projectStrings as texts } from '../../../project-strings.ts';
import { EditForm } from '../../edit-form.tsx';
import { bodyOf, editedTrackerFields, valuesOf } from './tracker-fields.ts';

/** A form that changes a connection to an issue tracker. */
export function EditedTrackerConnection({
  project,
  connection: { id, project_key: key },
  onSaved,
}: {
  readonly project: number;
  readonly connection: { readonly id: number; readonly project_key: string };
  readonly onSaved: () => void;
}) {
  const phases = useQuery(phasesQuery);
  const options = (phases.data?.results ?? []).map((phase) => ({ value: phase.id, label: phase.name }));
  return (
    <EditForm
      label={texts.editConnection(key)}
      query={trackerConnectionQuery(project, id)}
      fields={editedTrackerFields(options)}
      valuesOf={valuesOf}
      change={(changed, etag) => changeTrackerConnection(project, id, bodyOf(changed), etag)}
      concerned={['tracker-connections']}
      onSaved={onSaved}
    />
  );
}
