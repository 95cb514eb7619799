import { queryOptions } from '@tanstack/react-query';
import { basePath, bodyOf, client } from './client.ts';
import { listQuery } from './lists.ts';
import type { components } from './openapi.d.ts';

type Schemas = components['schemas'];

/** How often jobs that run are looked at. */
const WATCH_MILLISECONDS = 1500;

const ENDED = ['success', 'fail', 'cancel', 'ready_for_review'];

/** Whether a job goes on without its user. */
export const isRunning = ({ status }: { readonly status: string }): boolean => !ENDED.includes(status);

export const exportsQuery = listQuery({
  queryKey: ['exports'],
  read: (options) => client.GET('/api/v2/library/export/', { params: { query: { ordering: ['-id'] } }, ...options }),
  refetchInterval: ({ state }) => (state.data?.results.some(isRunning) ? WATCH_MILLISECONDS : false),
});

export type ExportInput = Schemas['CreateExport'];
export type ExportJob = Schemas['ExportJob'];

/** What can be exported. */
export const CONTENT_MODELS: readonly ExportInput['content_models'][number][] = [
  'standard',
  'amendment',
  'implementation',
  'weakness',
  'threat',
  'threat_framework',
  'regulation',
  'regulation_section',
  'section',
  'subsection',
  'question',
  'subquestion',
  'answer',
  'attribute',
  'profile',
  'phase',
  'component',
  'component_question',
  'glossary_term',
  'workflow_prompt',
  'training_module',
  'rule_mapping',
];

export const createExport = (body: ExportInput) => bodyOf(client.POST('/api/v2/library/export/', { body }));

export const changeExport = (id: number, status: Schemas['ChangeExport']['status']) =>
  bodyOf(client.PATCH('/api/v2/library/export/{id}/', { params: { path: { id } }, body: { status } }));

export const exportAddress = (id: number): string => `${basePath}api/v2/library/export/${id}/file/`;

export const importsQuery = listQuery({
  queryKey: ['imports'],
  read: (options) => client.GET('/api/v2/library/import/', { params: { query: { ordering: ['-id'] } }, ...options }),
  refetchInterval: ({ state }) => (state.data?.results.some(isRunning) ? WATCH_MILLISECONDS : false),
});

export type ImportJob = Schemas['ImportJob'];

/** Uploads an archive of an export, or a file of one model. */
export function createImport(file: File, model: string) {
  const form = new FormData();
  form.append('file', file);
  if (model !== '') form.append('model', model);
  return bodyOf(
    client.POST('/api/v2/library/import/', {
      body: { file: file.name },
      bodySerializer: () => form,
    }),
  );
}

export const changeImport = (id: number, status: Schemas['ChangeImport']['status']) =>
  bodyOf(client.PATCH('/api/v2/library/import/{id}/', { params: { path: { id } }, body: { status } }));

/** What an import would change: the numbers by model, and the first changes. */
export const differenceQuery = (id: number) =>
  queryOptions({
    queryKey: ['import-difference', id],
    queryFn: ({ signal }) =>
      bodyOf(
        client.GET('/api/v2/library/import/{id}/diff/', {
          params: { path: { id }, query: { page_size: 50 } },
          signal,
        }),
      ),
  });
