import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { basePath, bodyOf, client, type DataOf, ifUnchanged, taggedBodyOf } from './client.ts';
import { listQuery } from './lists.ts';
import type { components } from './openapi.d.ts';

type Schemas = components['schemas'];

/** How often work that goes on is looked at. */
const WATCH_MILLISECONDS = 1500;

export const providersQuery = ({ q }: { readonly q?: string | undefined }) =>
  listQuery({
    queryKey: ['identity-providers', q],
    read: (options) =>
      client.GET('/api/v2/identity-providers/', { params: { query: { search: q, ordering: ['name'] } }, ...options }),
    placeholderData: keepPreviousData,
  });

export type Provider = DataOf<typeof providersQuery>['results'][number];

export const providerQuery = (id: number) =>
  queryOptions({
    queryKey: ['identity-providers', 'one', id],
    queryFn: ({ signal }) =>
      taggedBodyOf(client.GET('/api/v2/identity-providers/{id}/', { params: { path: { id } }, signal })),
  });

export const createProvider = (body: Schemas['CreateIdentityProvider']) =>
  bodyOf(client.POST('/api/v2/identity-providers/', { body }));

export const changeProvider = (id: number, body: Schemas['ChangeIdentityProvider'], etag: string) =>
  taggedBodyOf(
    client.PATCH('/api/v2/identity-providers/{id}/', { params: { path: { id }, header: ifUnchanged(etag) }, body }),
  );

export const removeProvider = (id: number) =>
  bodyOf(client.DELETE('/api/v2/identity-providers/{id}/', { params: { path: { id } } }));

/** The address that a provider sends people back to; it must be registered there. */
export const redirectAddress = new URL(`${basePath}auth/oidc/callback`, location.origin).href;

export const flagsQuery = queryOptions({
  queryKey: ['flags'],
  queryFn: ({ signal }) => bodyOf(client.GET('/api/v2/flags/', { params: { query: { ordering: ['name'] } }, signal })),
});

export const turnFlagOn = (name: string) => bodyOf(client.POST('/api/v2/flags/', { body: { name } }));

export const turnFlagOff = (id: string) => bodyOf(client.DELETE('/api/v2/flags/{id}/', { params: { path: { id } } }));

export const webhooksQuery = listQuery({
  queryKey: ['webhooks'],
  read: (options) => client.GET('/api/v2/webhooks/', { ...options }),
});

export type Webhook = NonNullable<Awaited<ReturnType<typeof createWebhook>>>;

export const webhookQuery = (id: number) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => taggedBodyOf(client.GET('/api/v2/webhooks/{id}/', { params: { path: { id } }, signal })),
  });

export const createWebhook = (body: Schemas['CreateWebhook']) => bodyOf(client.POST('/api/v2/webhooks/', { body }));

export const changeWebhook = (id: number, body: Schemas['ChangeWebhook'], etag: string) =>
  taggedBodyOf(client.PATCH('/api/v2/webhooks/{id}/', { params: { path: { id }, header: ifUnchanged(etag) }, body }));

export const rotateSecret = (id: number) =>
  bodyOf(client.POST('/api/v2/webhooks/{id}/rotate-secret/', { params: { path: { id } } }));

export const removeWebhook = (id: number) =>
  bodyOf(client.DELETE('/api/v2/webhooks/{id}/', { params: { path: { id } } }));

export const testWebhook = (id: number) =>
  bodyOf(client.POST('/api/v2/webhooks/{id}/test/', { params: { path: { id } } }));

export const webhookEventsQuery = (webhook: number) =>
  queryOptions({
    queryKey: ['webhook-events', webhook],
    queryFn: ({ signal }) =>
      bodyOf(client.GET('/api/v2/webhooks/{webhook}/configs/', { params: { path: { webhook } }, signal })),
  });

export type WebhookEvent = Schemas['CreateWebhookConfig']['event_source'];

export const addWebhookEvent = (webhook: number, event_source: WebhookEvent) =>
  bodyOf(client.POST('/api/v2/webhooks/{webhook}/configs/', { params: { path: { webhook } }, body: { event_source } }));

export const removeWebhookEvent = (webhook: number, id: number) =>
  bodyOf(client.DELETE('/api/v2/webhooks/{webhook}/configs/{id}/', { params: { path: { webhook, id } } }));

export const deliveriesQuery = (webhook: number) =>
  listQuery({
    queryKey: ['deliveries', webhook],
    read: (options) =>
      client.GET('/api/v2/webhooks/{webhook}/deliveries/', { params: { path: { webhook } }, ...options }),
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ status }) => status === 'pending') ? WATCH_MILLISECONDS : false,
  });

export const redeliver = (webhook: number, id: number) =>
  bodyOf(client.POST('/api/v2/webhooks/{webhook}/deliveries/{id}/redeliver/', { params: { path: { webhook, id } } }));
