import { getRouteApi } from '@tanstack/react-router';
import { administrationStrings as texts } from '../../administration-strings.ts';
import {
  changeProvider,
  createProvider,
  type Provider,
  providerQuery,
  providersQuery,
  redirectAddress,
  removeProvider,
} from '../../api/administration.ts';
import { startOf } from '../../api/session.ts';
import { Anchor, Stack, Tabs, Text } from '../../components/controls.ts';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { Tag } from '../../components/formats.tsx';
import { useSaved } from '../use-change.ts';
import { useSession } from '../use-session.ts';
import { useList } from '../use-list.ts';
import { AdminPage } from './admin-page.tsx';
import { EditForm } from '../edit-form.tsx';
import { MappingRules } from './mapping-rules.tsx';
import { useRoles } from './options.ts';
import { RemoveButton } from './remove-button.tsx';

const route = getRouteApi('/administration/$section');

type ProviderFields = {
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly scopes: readonly string[];
  readonly domains: readonly string[];
  readonly create_users: boolean;
  readonly default_role: string;
  readonly active: boolean;
};

const EMPTY: ProviderFields = {
  name: '',
  issuer: '',
  client_id: '',
  client_secret: '',
  scopes: ['openid', 'profile', 'email'],
  domains: [],
  create_users: false,
  default_role: '',
  active: true,
};

function useFields(isNew: boolean): FieldsOf<ProviderFields> {
  return {
    name: { kind: 'text', label: texts.name, isRequired: true },
    issuer: { kind: 'url', label: texts.issuer, description: texts.issuerHint, isRequired: true },
    client_id: { kind: 'text', label: texts.clientId, isRequired: true },
    client_secret: {
      kind: 'password',
      label: texts.clientSecret,
      description: isNew ? texts.clientSecretHint : texts.keepSecretHint,
      autoComplete: 'new-password',
    },
    scopes: { kind: 'words', label: texts.providerScopes },
    domains: { kind: 'words', label: texts.domains, description: texts.domainsHint },
    create_users: { kind: 'switch', label: texts.createUsers },
    default_role: { kind: 'choice', label: texts.defaultRole, options: useRoles(), isRequired: !isNew },
    active: { kind: 'switch', label: texts.active },
  };
}

const valuesOf = (provider: Provider): ProviderFields => {
  const { name, issuer, client_id, scopes, domains, create_users, default_role, active } = provider;
  return { name, issuer, client_id, client_secret: '', scopes, domains, create_users, default_role, active };
};

const bodyOf = <Fields extends Partial<ProviderFields>>({
  client_secret,
  default_role,
  scopes,
  domains,
  ...fields
}: Fields) => ({
  ...fields,
  ...(client_secret && { client_secret }),
  ...(default_role && { default_role }),
  ...(scopes && { scopes: [...scopes] }),
  ...(domains && { domains: [...domains] }),
});

function NewProvider({ onCreated }: { readonly onCreated: (id: number) => void }) {
  const saved = useSaved(['identity-providers', 'session']);
  return (
    <>
      <RedirectAddress />
      <Form
        label={texts.newProvider}
        initial={EMPTY}
        fields={useFields(true)}
        submit={texts.create}
        save={(values) => createProvider(bodyOf(values))}
        onSaved={({ id }) => {
          saved();
          onCreated(id);
        }}
      />
    </>
  );
}

function RedirectAddress() {
  return (
    <Stack gap={2}>
      <Text size="sm" fw={500}>
        {texts.redirectUri}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <code>{redirectAddress}</code>
      </Text>
      <Text size="sm" c="dimmed">
        {texts.redirectUriHint}
      </Text>
    </Stack>
  );
}

function ProviderDetails({ provider, onClose }: { readonly provider: Provider; readonly onClose: () => void }) {
  const { id, name } = provider;
  const method = useSession().methods.oidc.find((one) => one.id === String(id));
  const fields = useFields(false);
  return (
    <Tabs defaultValue="provider" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="provider">{texts.settings}</Tabs.Tab>
        <Tabs.Tab value="rules">{texts.rules}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="provider" pt="md">
        <Stack>
          <RedirectAddress />
          {method && (
            <Text size="sm" c="dimmed" component="div">
              <Anchor href={startOf(method.start)}>{texts.tryIt}</Anchor>
              <br />
              {texts.tryItHint}
            </Text>
          )}
          <EditForm
            label={name}
            query={providerQuery(id)}
            fields={fields}
            valuesOf={valuesOf}
            change={(changed, etag) => changeProvider(id, bodyOf(changed), etag)}
            concerned={['identity-providers', 'session']}
          />
          <RemoveButton
            question={texts.removeProviderAsk(name)}
            remove={() => removeProvider(id)}
            concerned={['identity-providers', 'session']}
            onClose={onClose}
          />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="rules" pt="md">
        <MappingRules id={id} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** The providers with which people sign in. */
export function IdentityProviders() {
  const { q } = route.useSearch();
  return (
    <AdminPage
      section="identity-providers"
      list={useList(providersQuery({ q }))}
      titleOf={({ name }) => name}
      create={texts.newProvider}
      empty={{ title: texts.noProviders, text: texts.noProvidersText }}
      renderRow={({ name, issuer, active }) => (
        <>
          <span className="row-title">{name}</span>
          <span className="row-side row-wide">{issuer}</span>
          <span className="row-side">{!active && <Tag>{texts.inactive}</Tag>}</span>
        </>
      )}
      renderNew={(open) => <NewProvider onCreated={open} />}
      renderItem={(provider, close) => <ProviderDetails provider={provider} onClose={close} />}
    />
  );
}
