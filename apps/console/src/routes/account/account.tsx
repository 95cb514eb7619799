import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { administrationStrings as texts } from '../../administration-strings.ts';
import { changePassword, changePreferences } from '../../api/credentials.ts';
import { changeUser, userQuery } from '../../api/users.ts';
import { SegmentedControl, Stack, Tabs, Text } from '../../components/controls.ts';
import { choicesOf } from '../../components/filters.tsx';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { nameOf } from '../../components/formats.tsx';
import { Page } from '../../components/layout.tsx';
import { useColorScheme } from '../../components/theme.tsx';
import { strings } from '../../strings.ts';
import { EditForm } from '../edit-form.tsx';
import { useChange, useSaved } from '../use-change.ts';
import { useSession } from '../use-session.ts';
import { Sessions } from './sessions.tsx';
import { Tokens } from './tokens.tsx';

const route = getRouteApi('/account');

type Names = { readonly first_name: string; readonly last_name: string };

const NAMES: FieldsOf<Names> = {
  first_name: { kind: 'text', label: texts.firstName, isRequired: true },
  last_name: { kind: 'text', label: texts.lastName, isRequired: true },
};

/** The name, which users change themselves only if they manage users. */
function Profile() {
  const { user, permissions } = useSession();
  if (!permissions.includes('manage_users'))
    return (
      <Stack gap={4}>
        <Text fw={500}>{nameOf(user)}</Text>
        <Text>{user.email}</Text>
        <Text c="dimmed" size="sm">
          {texts.profileReadOnly}
        </Text>
      </Stack>
    );
  return (
    <EditForm
      label={texts.accountTabs.profile}
      query={userQuery(user.id)}
      fields={NAMES}
      valuesOf={({ first_name, last_name }): Names => ({ first_name, last_name })}
      change={(changed, etag) => changeUser(user.id, changed, etag)}
      concerned={['users', 'session']}
    />
  );
}

type Passwords = { readonly current_password: string; readonly new_password: string; readonly keep_tokens: boolean };

const PASSWORDS: FieldsOf<Passwords> = {
  current_password: {
    kind: 'password',
    label: texts.currentPassword,
    autoComplete: 'current-password',
    isRequired: true,
  },
  new_password: { kind: 'password', label: texts.newPassword, autoComplete: 'new-password', isRequired: true },
  keep_tokens: { kind: 'switch', label: texts.keepTokens, description: texts.keepTokensHint },
};

function Password() {
  const [count, setCount] = useState(0);
  const saved = useSaved(['sessions', 'tokens'], texts.passwordChanged);
  return (
    <Form
      key={count}
      label={texts.accountTabs.password}
      initial={{ current_password: '', new_password: '', keep_tokens: true }}
      fields={PASSWORDS}
      submit={texts.changePassword}
      save={changePassword}
      onSaved={() => {
        saved();
        setCount(count + 1);
      }}
    />
  );
}

type ColorScheme = ReturnType<typeof useColorScheme>['colorScheme'];

const SCHEMES = choicesOf(strings.schemes);

/** How the console looks: at once here, and where the user signs in for the first time. */
function Preferences() {
  const { colorScheme, setColorScheme } = useColorScheme();
  const saving = useChange((theme: ColorScheme) => changePreferences({ theme }), ['preferences']);
  return (
    <Stack gap="xs" align="flex-start">
      <Text fw={500} id="colors">
        {texts.colors}
      </Text>
      <SegmentedControl
        aria-labelledby="colors"
        data={SCHEMES}
        value={colorScheme}
        onChange={(value) => {
          setColorScheme(value as ColorScheme);
          saving.mutate(value as ColorScheme);
        }}
      />
      <Text size="sm" c="dimmed">
        {texts.colorsHint}
      </Text>
    </Stack>
  );
}

const TABS = {
  profile: Profile,
  password: Password,
  preferences: Preferences,
  sessions: () => <Sessions owner="me" />,
  tokens: () => <Tokens owner="me" />,
} as const;

type Tab = keyof typeof TABS;

/** What users manage about themselves. */
export function Account() {
  const { tab = 'profile' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={strings.myAccount}>
      <div className="page-scroll">
        <div className="page-text">
          <Tabs
            value={tab}
            onChange={(chosen) => void navigate({ search: { tab: chosen as Tab }, replace: true })}
            keepMounted={false}
          >
            <Tabs.List mb="lg">
              {(Object.keys(TABS) as Tab[]).map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {texts.accountTabs[name]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {(Object.keys(TABS) as Tab[]).map((name) => {
              const Content = TABS[name];
              return (
                <Tabs.Panel key={name} value={name}>
                  <Content />
                </Tabs.Panel>
              );
            })}
          </Tabs>
        </div>
      </div>
    </Page>
  );
}
