import { getRouteApi } from '@tanstack/react-router';
import { administrationStrings as texts } from '../../administration-strings.ts';
import { changeUser, createUser, inviteUser, type User, userQuery, usersQuery } from '../../api/users.ts';
import { AskButton } from '../../components/ask-button.tsx';
import { Button, Group, Tabs, Text } from '../../components/controls.ts';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { idOf, nameOf, Tag, Time } from '../../components/formats.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { strings } from '../../strings.ts';
import { Sessions } from '../account/sessions.tsx';
import { Tokens } from '../account/tokens.tsx';
import { useChange, useSaved } from '../use-change.ts';
import { useSession } from '../use-session.ts';
import { useList } from '../use-list.ts';
import { AdminPage } from './admin-page.tsx';
import { EditForm } from '../edit-form.tsx';
import { roleName, useGroups, useRoles } from './options.ts';

const route = getRouteApi('/administration/$section');

type Profile = {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly role: string;
  readonly groups: readonly string[];
  readonly is_superuser: boolean;
};

type NewProfile = Profile & { readonly is_service_account: boolean };

const EMPTY: NewProfile = {
  first_name: '',
  last_name: '',
  email: '',
  role: '',
  groups: [],
  is_superuser: false,
  is_service_account: false,
};

/** The fields of a user. Only super-users decide who is one. New users have the default role if none is chosen. */
function useFields(isNew: boolean): FieldsOf<Profile> {
  const roles = useRoles();
  const groups = useGroups();
  const isSuperUser = useSession().user.is_superuser === true;
  return {
    first_name: { kind: 'text', label: texts.firstName, isRequired: true },
    last_name: { kind: 'text', label: texts.lastName, isRequired: true },
    email: { kind: 'email', label: strings.email, isRequired: true },
    role: { kind: 'choice', label: texts.role, options: roles, isRequired: !isNew },
    groups: { kind: 'choices', label: texts.groups, options: groups },
    ...(isSuperUser && {
      is_superuser: { kind: 'switch', label: texts.superUser, description: texts.superUserHint },
    }),
  };
}

const profileOf = ({ first_name, last_name, email, role, groups, is_superuser }: User): Profile => ({
  first_name,
  last_name,
  email,
  role: idOf(role),
  groups: groups ?? [],
  is_superuser: is_superuser ?? false,
});

/** What the API expects: the default role if none is chosen. */
const bodyOf = <Fields extends Partial<Profile>>({ role, groups, ...fields }: Fields) => ({
  ...fields,
  ...(role && { role }),
  ...(groups && { groups: [...groups] }),
});

function NewUser({ onCreated }: { readonly onCreated: (id: number) => void }) {
  const fields = useFields(true);
  const saved = useSaved(['users']);
  return (
    <Form
      label={texts.newUser}
      initial={EMPTY}
      fields={{
        ...fields,
        is_service_account: { kind: 'switch', label: texts.serviceAccount, description: texts.serviceAccountHint },
      }}
      submit={texts.create}
      save={(values) => createUser(bodyOf(values))}
      onSaved={({ id }) => {
        saved();
        onCreated(id);
      }}
    />
  );
}

/** What is done with a user besides changing the profile. */
function Actions({ user }: { readonly user: User }) {
  const inviting = useChange(inviteUser, []);
  const activating = useChange((is_active: boolean) => changeUser(user.id, { is_active }), ['users']);
  const name = nameOf(user);
  return (
    <>
      <Group gap="xs">
        {user.is_active && !user.is_service_account && (
          <Button size="xs" variant="default" loading={inviting.isPending} onClick={() => inviting.mutate(user.id)}>
            {texts.invite}
          </Button>
        )}
        {user.is_active ? (
          <AskButton
            size="xs"
            loading={activating.isPending}
            question={texts.deactivateAsk(name)}
            onConfirm={() => activating.mutate(false)}
          >
            {texts.deactivate}
          </AskButton>
        ) : (
          <Button size="xs" variant="default" loading={activating.isPending} onClick={() => activating.mutate(true)}>
            {texts.activate}
          </Button>
        )}
      </Group>
      {inviting.data && (
        <ShownOnce
          label={texts.invitation}
          secret={inviting.data.url}
          hint={texts.invitationHints(inviting.data, user.email)}
        />
      )}
    </>
  );
}

function UserDetails({ user }: { readonly user: User }) {
  const isSuperUser = useSession().user.is_superuser === true;
  const fields = useFields(false);
  return (
    <>
      <Group gap="xs">
        <Text c="dimmed" size="sm">
          {user.email}
        </Text>
        <UserTags user={user} />
      </Group>
      <Actions user={user} />
      <Tabs defaultValue="profile" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="profile">{texts.userTabs.profile}</Tabs.Tab>
          <Tabs.Tab value="tokens">{texts.userTabs.tokens}</Tabs.Tab>
          {!user.is_service_account && <Tabs.Tab value="sessions">{texts.userTabs.sessions}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="profile" pt="md">
          <EditForm
            label={texts.userTabs.profile}
            query={userQuery(user.id)}
            fields={fields}
            valuesOf={profileOf}
            change={(changed, etag) => changeUser(user.id, bodyOf(changed), etag)}
            concerned={['users', 'groups']}
          />
        </Tabs.Panel>
        <Tabs.Panel value="tokens" pt="md">
          <Tokens owner={user.id} mayCreate={user.is_service_account || isSuperUser} />
        </Tabs.Panel>
        <Tabs.Panel value="sessions" pt="md">
          <Sessions owner={user.id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function UserTags({ user }: { readonly user: User }) {
  return (
    <>
      {user.is_superuser && <Tag>{texts.superUser}</Tag>}
      {user.is_service_account && <Tag>{texts.serviceAccount}</Tag>}
      {!user.is_active && <Tag>{texts.deactivated}</Tag>}
    </>
  );
}

/** The users of the organization. */
export function Users() {
  const { q } = route.useSearch();
  return (
    <AdminPage
      section="users"
      list={useList(usersQuery({ q }))}
      titleOf={nameOf}
      create={texts.newUser}
      empty={{ title: texts.noUsers }}
      renderRow={(user) => (
        <>
          <span className="row-title">{nameOf(user)}</span>
          <span className="row-side">
            <UserTags user={user} />
          </span>
          <span className="row-side row-wide">
            <span className="row-fixed place">{user.email}</span>
            <span className="row-fixed">{roleName(user.role)}</span>
            <span className="row-fixed">{user.last_login ? <Time at={user.last_login} /> : texts.never}</span>
          </span>
        </>
      )}
      renderNew={(open) => <NewUser onCreated={open} />}
      renderItem={(user) => <UserDetails user={user} />}
    />
  );
}
