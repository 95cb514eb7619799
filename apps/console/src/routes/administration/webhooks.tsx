import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { administrationStrings as texts } from '../../administration-strings.ts';
import {
  addWebhookEvent,
  changeWebhook,
  createWebhook,
  removeWebhook,
  removeWebhookEvent,
  rotateSecret,
  testWebhook,
  type Webhook,
  type WebhookEvent,
  webhookEventsQuery,
  webhookQuery,
  webhooksQuery,
} from '../../api/administration.ts';
import { AskButton } from '../../components/ask-button.tsx';
import { Button, Group, Stack, Switch, Tabs, Title } from '../../components/controls.ts';
import { choicesOf } from '../../components/filters.tsx';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { Tag } from '../../components/formats.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { Loaded } from '../../components/states.tsx';
import { toast } from '../../components/toasts.tsx';
import { useChange, useSaved } from '../use-change.ts';
import { useList } from '../use-list.ts';
import { AdminPage } from './admin-page.tsx';
import { EditForm } from '../edit-form.tsx';
import { Deliveries } from './deliveries.tsx';
import { RemoveButton } from './remove-button.tsx';

type WebhookFields = {
  readonly name: string;
  readonly url: string;
  readonly description: string;
  readonly active: boolean;
};

const EMPTY: WebhookFields = { name: '', url: '', description: '', active: true };

type NewFields = WebhookFields & { readonly format: string };

type Format = Webhook['format'];

const isFormat = (format: string): format is Format => Object.hasOwn(texts.formatNames, format);

const FIELDS: FieldsOf<WebhookFields> = {
  name: { kind: 'text', label: texts.name, isRequired: true },
  url: { kind: 'url', label: texts.address, description: texts.addressHint, isRequired: true },
  description: { kind: 'long', label: texts.description },
  active: { kind: 'switch', label: texts.active },
};

const NEW_FIELDS: FieldsOf<NewFields> = {
  name: FIELDS.name,
  format: {
    kind: 'choice',
    label: texts.format,
    description: texts.formatHint,
    options: choicesOf(texts.formatNames),
    isRequired: true,
  },
  url: FIELDS.url,
  description: FIELDS.description,
  active: FIELDS.active,
};

const valuesOf = ({ name, url, description, active }: Webhook): WebhookFields => ({ name, url, description, active });

const EVENTS = Object.keys(texts.eventNames) as WebhookEvent[];

/** Slack gets messages about new projects only. */
const eventsOf = (format: Format): WebhookEvent[] => (format === 'slack' ? ['CreatedProjectActivity'] : EVENTS);

const Secret = ({ secret }: { readonly secret: string }) => (
  <ShownOnce label={texts.webhookSecret} secret={secret} hint={texts.webhookSecretHint} />
);

/** A form for a new webhook. If it has a secret, the page stays until the user has seen it. */
function NewWebhook({ onCreated }: { readonly onCreated: (id: number) => void }) {
  const saved = useSaved(['webhooks']);
  const [created, setCreated] = useState<{ readonly id: number; readonly secret: string }>();
  if (created)
    return (
      <Stack align="stretch">
        <Secret secret={created.secret} />
        <Group>
          <Button size="xs" variant="default" onClick={() => onCreated(created.id)}>
            {texts.events}
          </Button>
        </Group>
      </Stack>
    );
  return (
    <Form
      label={texts.newWebhook}
      initial={{ ...EMPTY, format: 'slack' }}
      fields={NEW_FIELDS}
      submit={texts.create}
      save={({ format, ...others }) => createWebhook({ ...others, ...(isFormat(format) && { format }) })}
      onSaved={({ id, secret }) => {
        saved();
        if (secret === undefined) onCreated(id);
        else setCreated({ id, secret });
      }}
    />
  );
}

/** Replaces the secret of a webhook, and shows the new one once. */
function NewSecret({ webhook }: { readonly webhook: number }) {
  const rotating = useChange(() => rotateSecret(webhook), ['webhooks']);
  return (
    <Stack gap="xs">
      {rotating.data && <Secret secret={rotating.data.secret} />}
      <Group>
        <AskButton
          size="xs"
          loading={rotating.isPending}
          question={texts.newSecretAsk}
          onConfirm={() => rotating.mutate(undefined)}
        >
          {texts.newSecret}
        </AskButton>
      </Group>
    </Stack>
  );
}

/** What a webhook sends messages about. */
function Events({ webhook, format }: { readonly webhook: number; readonly format: Format }) {
  const events = useQuery(webhookEventsQuery(webhook));
  const turning = useChange(
    async ({ name, id }: { readonly name: WebhookEvent; readonly id: number | undefined }) => {
      if (id === undefined) await addWebhookEvent(webhook, name);
      else await removeWebhookEvent(webhook, id);
    },
    ['webhook-events'],
  );
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {texts.events}
      </Title>
      <Loaded query={events}>
        {({ results }) =>
          eventsOf(format).map((name) => {
            const id = results.find(({ event_source }) => event_source === name)?.id;
            return (
              <Switch
                key={name}
                label={texts.eventNames[name]}
                checked={id !== undefined}
                disabled={turning.isPending}
                onChange={() => turning.mutate({ name, id })}
              />
            );
          })
        }
      </Loaded>
    </Stack>
  );
}

function WebhookDetails({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const { id, name, format } = webhook;
  const testing = useChange(async () => {
    const { success, response_status: status, error } = await testWebhook(id);
    if (success) toast(texts.testWorked(status));
    else toast(texts.testFailed(error ?? String(status ?? '')), { isError: true });
  }, []);
  return (
    <Tabs defaultValue="settings" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="settings">{texts.settings}</Tabs.Tab>
        <Tabs.Tab value="deliveries">{texts.deliveries}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="settings" pt="md">
        <Stack>
          <EditForm
            label={name}
            query={webhookQuery(id)}
            fields={FIELDS}
            valuesOf={valuesOf}
            change={(changed, etag) => changeWebhook(id, changed, etag)}
            concerned={['webhooks']}
          />
          <Events webhook={id} format={format} />
          {format === 'standard' && <NewSecret webhook={id} />}
          <Group gap="xs">
            <Button size="xs" variant="default" loading={testing.isPending} onClick={() => testing.mutate()}>
              {texts.test}
            </Button>
            <RemoveButton
              question={texts.removeWebhookAsk(name)}
              remove={() => removeWebhook(id)}
              concerned={['webhooks']}
              onClose={onClose}
            />
          </Group>
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="deliveries" pt="md">
        <Deliveries webhook={id} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** Messages to chat services and programs. */
export function Webhooks() {
  return (
    <AdminPage
      section="webhooks"
      list={useList(webhooksQuery)}
      hasSearch={false}
      titleOf={({ name }) => name}
      create={texts.newWebhook}
      empty={{ title: texts.noWebhooks, text: texts.noWebhooksText }}
      renderRow={({ name, description, format, active }) => (
        <>
          <span className="row-title">{name}</span>
          <span className="row-side row-wide">
            <span className="row-fixed place">{description}</span>
          </span>
          <span className="row-side">
            {!active && <Tag>{texts.inactive}</Tag>}
            <Tag>{texts.formatNames[format]}</Tag>
          </span>
        </>
      )}
      renderNew={(open) => <NewWebhook onCreated={open} />}
      renderItem={(webhook, close) => <WebhookDetails webhook={webhook} onClose={close} />}
    />
  );
}
