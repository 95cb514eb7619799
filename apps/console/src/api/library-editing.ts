import { queryOptions } from '@tanstack/react-query';
import { bodyOf, client, type DataOf, ifUnchanged, taggedBodyOf } from './client.ts';
import { fileOf } from './lists.ts';
import type { components } from './openapi.d.ts';

type Schemas = components['schemas'];

/** The texts of a countermeasure that have pages of their own. */
export type PartKind = 'amendments' | 'how-tos';

/** The kind in an address. */
export const partKindOf = (text: string): PartKind => (text === 'how-tos' ? 'how-tos' : 'amendments');

const COUNTERMEASURE = {
  include: ['tags' as const, 'level' as const, 'references' as const, 'match_conditions' as const],
};

/** A countermeasure as it is edited: with its Markdown. */
export const editedCountermeasureQuery = (id: string) =>
  queryOptions({
    queryKey: ['library', 'edited', id],
    queryFn: ({ signal }) =>
      taggedBodyOf(
        client.GET('/api/v2/library/tasks/{id}/', { params: { path: { id }, query: COUNTERMEASURE }, signal }),
      ),
  });

export type EditedCountermeasure = DataOf<typeof editedCountermeasureQuery>['item'];

export type MatchConditions = NonNullable<EditedCountermeasure['match_conditions']>;

/** Changes a countermeasure of the library, if it is still as the tag says: otherwise, the error is a 412. */
export const changeLibraryCountermeasure = (id: string, body: Schemas['ChangeCountermeasure'], etag: string) =>
  taggedBodyOf(
    client.PATCH('/api/v2/library/tasks/{id}/', {
      params: { path: { id }, query: COUNTERMEASURE, header: ifUnchanged(etag) },
      body,
    }),
  );

export const removeLibraryCountermeasure = (id: string, etag: string) =>
  bodyOf(client.DELETE('/api/v2/library/tasks/{id}/', { params: { path: { id }, header: ifUnchanged(etag) } }));

const AMENDMENT = '/api/v2/library/tasks/{task}/amendments/{id}/';
const HOW_TO = '/api/v2/library/tasks/{task}/implementations/{id}/';

export interface Part {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly active: boolean;
  readonly type: string;
  /** Only how-tos have it. */
  readonly versions?: string;
  readonly references?: readonly string[];
  readonly match_conditions?: MatchConditions;
}

export const editedPartQuery = (task: string, kind: PartKind, id: string) =>
  queryOptions({
    queryKey: ['library', 'edited', task, kind, id],
    queryFn: async ({ signal }): Promise<{ readonly item: Part; readonly etag: string }> => {
      const params = { path: { task, id } };
      return kind === 'how-tos'
        ? taggedBodyOf(client.GET(HOW_TO, { params, signal }))
        : taggedBodyOf(client.GET(AMENDMENT, { params, signal }));
    },
  });

/** An item as it is, and its original. The tag is that of the item. */
export interface ItemVersions<Item> {
  readonly own: Item;
  readonly original: Item;
  readonly etag: string;
}

const versionsOf = async <Item>(
  read: (isOriginal: boolean) => Promise<{ readonly item: Item; readonly etag: string }>,
): Promise<ItemVersions<Item>> => {
  const [{ item: own, etag }, { item: original }] = await Promise.all([read(false), read(true)]);
  return { own, original, etag };
};

export const countermeasureVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['library', 'versions', id],
    queryFn: ({ signal }) =>
      versionsOf((isOriginal) =>
        taggedBodyOf(
          client.GET('/api/v2/library/tasks/{id}/', {
            params: {
              path: { id },
              query: { ...COUNTERMEASURE, expand: ['phase', 'problem', 'answers'], show_original: isOriginal },
            },
            signal,
          }),
        ),
      ),
  });

export const partVersionsQuery = (task: string, kind: PartKind, id: string) =>
  queryOptions({
    queryKey: ['library', 'versions', task, kind, id],
    queryFn: ({ signal }) =>
      versionsOf<Part>((isOriginal) => {
        const query = {
          include: ['match_conditions' as const, 'references' as const],
          expand: ['answers' as const],
          show_original: isOriginal,
        };
        const params = { path: { task, id }, query };
        return kind === 'how-tos'
          ? taggedBodyOf(client.GET(HOW_TO, { params, signal }))
          : taggedBodyOf(client.GET(AMENDMENT, { params, signal }));
      }),
  });

/** The ids of additional requirements or how-tos that the organization has changed. */
export const customizedPartsQuery = (task: string, kind: PartKind) =>
  queryOptions({
    queryKey: ['library', 'customized', task, kind],
    queryFn: async ({ signal }) => {
      const query = { type: 'Built-in Modified' as const, exclude: ['text' as const] };
      const params = { path: { task }, query };
      const { results } = await (kind === 'how-tos'
        ? bodyOf(client.GET('/api/v2/library/tasks/{task}/implementations/', { params, signal }))
        : bodyOf(client.GET('/api/v2/library/tasks/{task}/amendments/', { params, signal })));
      return new Set<string>(results.map(({ id }) => id));
    },
  });

/** All additional requirements or how-tos of a countermeasure. */
export const partsFile = (task: string, kind: PartKind) => ({
  readFile: () =>
    fileOf((options) => {
      const exclude = ['created_by' as const, 'last_updated_by' as const];
      const params = { path: { task }, query: { active: true, exclude } };
      return kind === 'how-tos'
        ? client.GET('/api/v2/library/tasks/{task}/implementations/', { params, ...options })
        : client.GET('/api/v2/library/tasks/{task}/amendments/', { params, ...options });
    }),
});

/** The place of the countermeasure's own text in the order of its additional requirements. */
const OWN_TEXT = 'SP';

/**
 * Moves an additional requirement past the next or the previous active one. The order is read first, so that what
 * others have moved meanwhile stays there.
 */
export async function moveRequirement(task: string, id: string, step: -1 | 1): Promise<void> {
  const params = { path: { task } };
  const query = { ordering: ['ordinal' as const], exclude: ['text' as const] };
  const { results } = await bodyOf(
    client.GET('/api/v2/library/tasks/{task}/amendments/', { params: { ...params, query } }),
  );
  const active = results.filter((one) => one.active).map((one) => one.id);
  const passed = active[active.indexOf(id) + step];
  if (!active.includes(id) || passed === undefined) return;
  const before = results.filter(({ ordinal }) => ordinal < 0).length;
  const others = results
    .map((one) => one.id)
    .toSpliced(before, 0, OWN_TEXT)
    .filter((one) => one !== id);
  const order = others.toSpliced(others.indexOf(passed) + (step > 0 ? 1 : 0), 0, id);
  await bodyOf(client.PATCH('/api/v2/library/tasks/{task}/amendments/order/', { params, body: { order } }));
}

/** Creates an additional requirement or a how-to. Without conditions, it applies where its countermeasure does. */
export const createPart = (task: string, kind: PartKind, body: Schemas['CreateHowTo']): Promise<{ id: string }> => {
  const params = { path: { task } };
  return kind === 'how-tos'
    ? bodyOf(client.POST('/api/v2/library/tasks/{task}/implementations/', { params, body }))
    : bodyOf(client.POST('/api/v2/library/tasks/{task}/amendments/', { params, body }));
};

export async function changePart(
  task: string,
  kind: PartKind,
  id: string,
  body: Schemas['ChangeHowTo'],
  etag: string,
): Promise<{ readonly item: Part; readonly etag: string }> {
  const params = { path: { task, id }, header: ifUnchanged(etag) };
  return kind === 'how-tos'
    ? taggedBodyOf(client.PATCH(HOW_TO, { params, body }))
    : taggedBodyOf(client.PATCH(AMENDMENT, { params, body }));
}

export const removePart = (task: string, kind: PartKind, id: string, etag: string) => {
  const params = { path: { task, id }, header: ifUnchanged(etag) };
  return kind === 'how-tos' ? bodyOf(client.DELETE(HOW_TO, { params })) : bodyOf(client.DELETE(AMENDMENT, { params }));
};

/** The projects that a change of a countermeasure's texts reaches: those that keep it with its present conditions. */
export const reachedProjectsQuery = (id: string, conditions: EditedCountermeasure['match_conditions']) =>
  queryOptions({
    queryKey: ['library', 'reached', id],
    queryFn: async ({ signal }) => {
      const { kept } = await bodyOf(
        client.POST('/api/v2/library/tasks/{id}/impact/', {
          params: { path: { id } },
          // What is read can be written: answers and attributes are ids unless they are expanded.
          body: { match_conditions: (conditions ?? []) as Schemas['MatchConditionBody'][] },
          signal,
        }),
      );
      return kept;
    },
  });

/** Renders Markdown that is not saved to safe HTML. */
export const renderMarkdown = async (text: string): Promise<string> =>
  (await bodyOf(client.POST('/api/v2/library/preview/', { body: { text } }))).html;
