import { useQuery } from '@tanstack/react-query';
import {
  changeVerificationConnection,
  createVerificationConnection,
  toolConnectorsQuery,
  type VerificationConnection,
  verificationConnectionQuery,
} from '../../../api/verification-connections.ts';
import { Text } from '../../../components/controls.ts';
import { choicesOf } from '../../../components/filters.tsx';
import { type FieldsOf, Form } from '../../../components/form.tsx';
import { Loaded } from '../../../components/states.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { EditForm } from '../../edit-form.tsx';
import { useSaved } from '../../use-change.ts';

type Fields = {
  readonly project_key: string;
  readonly branch: string;
  readonly frequency: string;
  readonly merge: string;
  readonly update_status: boolean;
};

type NewFields = Fields & { readonly connector: string };

const NEW: Fields = {
  project_key: '',
  branch: '',
  frequency: 'daily',
  merge: 'replace_same_tool',
  update_status: false,
};

const FIELDS = {
  project_key: { kind: 'text', label: texts.sonarKey, description: texts.sonarKeyHint, isRequired: true },
  branch: { kind: 'text', label: texts.branch, description: texts.branchHint },
  frequency: { kind: 'choice', label: texts.frequency, options: choicesOf(texts.frequencies), isRequired: true },
  merge: { kind: 'choice', label: texts.merge, options: choicesOf(texts.merges), isRequired: true },
  update_status: { kind: 'switch', label: texts.updateStatus },
} as const satisfies FieldsOf<Fields>;

const isFrequency = (value: string): value is VerificationConnection['frequency'] =>
  Object.hasOwn(texts.frequencies, value);

const isMerge = (value: string): value is VerificationConnection['merge'] => Object.hasOwn(texts.merges, value);

const valuesOf = (connection: VerificationConnection): Fields => ({
  project_key: connection.project_key,
  branch: connection.branch,
  frequency: connection.frequency,
  merge: connection.merge,
  update_status: connection.update_status,
});

const bodyOf = ({ frequency, merge, ...others }: Partial<Fields>) => ({
  ...others,
  ...(frequency !== undefined && isFrequency(frequency) && { frequency }),
  ...(merge !== undefined && isMerge(merge) && { merge }),
});

/** A form that connects a project to a verification tool. */
export function NewToolConnection({
  project,
  onConnected,
}: {
  readonly project: number;
  readonly onConnected: () => void;
}) {
  const connectors = useQuery(toolConnectorsQuery());
  const saved = useSaved(['verification-connections']);
  return (
    <Loaded query={connectors}>
      {({ results }) => {
        if (results.length === 0) return <Text c="dimmed">{texts.noToolConnectors}</Text>;
        const options = results.map(({ id, name }) => ({ value: String(id), label: name }));
        const initial: NewFields = { connector: options[0]?.value ?? '', ...NEW };
        return (
          <Form
            label={texts.connectTool}
            initial={initial}
            fields={{
              connector: { kind: 'choice', label: texts.sonarConnector, options, isRequired: true },
              ...FIELDS,
            }}
            submit={texts.connect}
            save={({ connector, project_key: key, ...others }) =>
              createVerificationConnection(project, {
                ...bodyOf(others),
                connector: Number(connector),
                project_key: key,
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

/** A form that changes a connection to a verification tool. */
export function EditedToolConnection({
  project,
  connection: { id, project_key: key },
  onSaved,
}: {
  readonly project: number;
  readonly connection: Pick<VerificationConnection, 'id' | 'project_key'>;
  readonly onSaved: () => void;
}) {
  return (
    <EditForm
      label={texts.editConnection(key)}
      query={verificationConnectionQuery(project, id)}
      fields={FIELDS}
      valuesOf={valuesOf}
      change={(changed, etag) => changeVerificationConnection(project, id, bodyOf(changed), etag)}
      concerned={['verification-connections']}
      onSaved={onSaved}
    />
  );
}
