import { getRouteApi } from '@tanstack/react-router';
import { administrationStrings as texts } from '../../administration-strings.ts';
import { ALL_PERMISSIONS } from '../../api/access.ts';
import { changeRole, createRole, removeRole, type Role, roleQuery, rolesQuery } from '../../api/users.ts';
import { Text } from '../../components/controls.ts';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { Tag } from '../../components/formats.tsx';
import { useSaved } from '../use-change.ts';
import { useList } from '../use-list.ts';
import { AdminPage } from './admin-page.tsx';
import { EditForm } from '../edit-form.tsx';
import { inWords } from './options.ts';
import { RemoveButton } from './remove-button.tsx';

const route = getRouteApi('/administration/$section');

type RoleFields = {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly string[];
};

const EMPTY: RoleFields = { name: '', description: '', permissions: [] };

const FIELDS: FieldsOf<RoleFields> = {
  name: { kind: 'text', label: texts.name, isRequired: true },
  description: { kind: 'long', label: texts.description },
  permissions: {
    kind: 'choices',
    label: texts.permissions,
    options: ALL_PERMISSIONS.map((value) => ({ value, label: inWords(value) })),
  },
};

const valuesOf = ({ name, description, permissions }: Role): RoleFields => ({ name, description, permissions });

const bodyOf = <Fields extends Partial<RoleFields>>({ permissions, ...fields }: Fields) => ({
  ...fields,
  ...(permissions && { permissions: ALL_PERMISSIONS.filter((name) => permissions.includes(name)) }),
});

function NewRole({ onCreated }: { readonly onCreated: (id: string) => void }) {
  const saved = useSaved(['roles']);
  return (
    <Form
      label={texts.newRole}
      initial={EMPTY}
      fields={FIELDS}
      submit={texts.create}
      save={(values) => createRole(bodyOf(values))}
      onSaved={({ id }) => {
        saved();
        onCreated(id);
      }}
    />
  );
}

function BuiltInRole({ role }: { readonly role: Role }) {
  return (
    <>
      <Text c="dimmed" size="sm">
        {texts.fixedRole}
      </Text>
      <Text>{role.description}</Text>
      <ul className="prose">
        {role.permissions.map((name) => (
          <li key={name}>{inWords(name)}</li>
        ))}
      </ul>
    </>
  );
}

function CustomRole({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  return (
    <>
      <EditForm
        label={role.name}
        query={roleQuery(role.id)}
        fields={FIELDS}
        valuesOf={valuesOf}
        change={(changed, etag) => changeRole(role.id, bodyOf(changed), etag)}
        concerned={['roles']}
      />
      <RemoveButton
        question={texts.removeRoleAsk(role.name)}
        remove={() => removeRole(role.id)}
        concerned={['roles']}
        onClose={onClose}
      />
    </>
  );
}

/** The roles that give users permissions in the whole organization. */
export function Roles() {
  const { q } = route.useSearch();
  return (
    <AdminPage
      section="roles"
      list={useList(rolesQuery({ q }))}
      titleOf={({ name }) => name}
      create={texts.newRole}
      empty={{ title: texts.noRoles }}
      renderRow={({ name, is_custom, permissions }) => (
        <>
          <span className="row-title">{name}</span>
          <span className="row-side">
            {!is_custom && <Tag>{texts.builtIn}</Tag>}
            {texts.permissionsOf(permissions.length)}
          </span>
        </>
      )}
      renderNew={(open) => <NewRole onCreated={open} />}
      renderItem={(role, close) =>
        role.is_custom ? <CustomRole role={role} onClose={close} /> : <BuiltInRole role={role} />
      }
    />
  );
}
