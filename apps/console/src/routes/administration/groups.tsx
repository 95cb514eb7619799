import { getRouteApi } from '@tanstack/react-router';
import { administrationStrings as texts } from '../../administration-strings.ts';
import { changeGroup, createGroup, groupQuery, groupsQuery, removeGroup, type UserGroup } from '../../api/users.ts';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { useSaved } from '../use-change.ts';
import { useList } from '../use-list.ts';
import { AdminPage } from './admin-page.tsx';
import { EditForm } from '../edit-form.tsx';
import { roleName, useRoles, useUsers } from './options.ts';
import { idOf } from '../../components/formats.tsx';
import { RemoveButton } from './remove-button.tsx';

const route = getRouteApi('/administration/$section');

type GroupFields = {
  readonly name: string;
  readonly description: string;
  readonly role: string;
  readonly users: readonly string[];
};

const EMPTY: GroupFields = { name: '', description: '', role: '', users: [] };

const valuesOf = ({ name, description, role, users }: UserGroup): GroupFields => ({
  name,
  description,
  role: idOf(role),
  users: users.map(String),
});

const bodyOf = <Fields extends Partial<GroupFields>>({ role, users, ...fields }: Fields) => ({
  ...fields,
  ...(role !== undefined && { role: role === '' ? null : role }),
  ...(users && { users: users.map(Number) }),
});

function useFields(): FieldsOf<GroupFields> {
  return {
    name: { kind: 'text', label: texts.name, isRequired: true },
    description: { kind: 'long', label: texts.description },
    role: { kind: 'choice', label: texts.role, description: texts.groupRoleHint, options: useRoles() },
    users: { kind: 'choices', label: texts.members, options: useUsers() },
  };
}

function NewGroup({ onCreated }: { readonly onCreated: (id: string) => void }) {
  const saved = useSaved(['groups', 'users']);
  return (
    <Form
      label={texts.newGroup}
      initial={EMPTY}
      fields={useFields()}
      submit={texts.create}
      save={(values) => createGroup(bodyOf(values))}
      onSaved={({ id }) => {
        saved();
        onCreated(id);
      }}
    />
  );
}

function GroupDetails({ group, onClose }: { readonly group: UserGroup; readonly onClose: () => void }) {
  return (
    <>
      <EditForm
        label={group.name}
        query={groupQuery(group.id)}
        fields={useFields()}
        valuesOf={valuesOf}
        change={(changed, etag) => changeGroup(group.id, bodyOf(changed), etag)}
        concerned={['groups', 'users']}
      />
      <RemoveButton
        question={texts.removeGroupAsk(group.name)}
        remove={() => removeGroup(group.id)}
        concerned={['groups', 'users']}
        onClose={onClose}
      />
    </>
  );
}

/** Groups of users. */
export function Groups() {
  const { q } = route.useSearch();
  return (
    <AdminPage
      section="groups"
      list={useList(groupsQuery({ q }))}
      titleOf={({ name }) => name}
      create={texts.newGroup}
      empty={{ title: texts.noGroups, text: texts.noGroupsText }}
      renderRow={({ name, role, users }) => (
        <>
          <span className="row-title">{name}</span>
          <span className="row-side row-wide">
            <span className="row-fixed">{roleName(role)}</span>
          </span>
          <span className="row-side">{texts.membersOf(users.length)}</span>
        </>
      )}
      renderNew={(open) => <NewGroup onCreated={open} />}
      renderItem={(group, close) => <GroupDetails group={group} onClose={close} />}
    />
  );
}
