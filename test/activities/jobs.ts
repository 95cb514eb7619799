import { bodyOf } from '../support/client.js';
import { EXPORT, makeExport } from '../support/exports.js';
import { formOf, importRows, makeReadyImport, patchImport, upload } from '../support/imports.js';
import { addCountermeasures, makeEmptyProject } from '../support/project-content.js';
import { expectingActivities, type Writing } from './writing.js';

const job = expectingActivities('download', 'user', 'job');
const note = expectingActivities('note', 'user', 'business_unit', 'application', 'project', 'task', 'standard');

/** Writing operations of jobs and uploads, with the activities that each must record. */
export const JOB_WRITINGS: readonly Writing[] = [
  {
    operation: 'POST /library/export/',
    activities: [job('CreatedExportJobActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/library/export/', EXPORT),
  },
  {
    operation: 'PATCH /library/export/{id}/',
    when: 'cancel',
    activities: [job('CancelledExportJobActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeExport(api);
      return () => api.patch(`/library/export/${id}/`, { status: 'cancel' });
    },
  },
  {
    operation: 'PATCH /library/export/{id}/',
    when: 'retry',
    activities: [job('RetriedExportJobActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeExport(api);
      await bodyOf(api.patch(`/library/export/${id}/`, { status: 'cancel' }));
      return () => api.patch(`/library/export/${id}/`, { status: 'retry' });
    },
  },
  {
    operation: 'POST /library/import/',
    activities: [job('CreatedImportJobActivity')],
    prepare: async ({ api }) => {
      const content = JSON.stringify({ model: 'standard', rows: [] });
      return () =>
        upload(api, { name: 'file', fileName: 'standard.json', content }, { name: 'model', content: 'standard' });
    },
  },
  {
    operation: 'PATCH /library/import/{id}/',
    when: 'cancel',
    activities: [job('CancelledImportJobActivity')],
    prepare: async ({ api }) => {
      const upload = await importRows(api, 'standard');
      return () => patchImport(api, upload, 'cancel');
    },
  },
  {
    operation: 'PATCH /library/import/{id}/',
    when: 'retry',
    activities: [job('RetriedImportJobActivity')],
    prepare: async ({ api }) => {
      const upload = await importRows(api, 'standard');
      await bodyOf(patchImport(api, upload, 'cancel'));
      return () => patchImport(api, upload, 'retry');
    },
  },
  {
    operation: 'PATCH /library/import/{id}/',
    when: 'accept',
    activities: [job('AcceptedImportJobActivity')],
    prepare: async (test) => {
      const created = await makeReadyImport(test);
      return () => patchImport(test.api, created, 'accept');
    },
  },
  {
    operation: 'POST /jobs/analysis-file/',
    activities: [note('AddedNoteActivity')],
    prepare: async (test) => {
      const project = await makeEmptyProject(test);
      await addCountermeasures(test, project, ['T1']);
      const form = formOf([
        { name: 'project', content: String(project.id) },
        { name: 'system', content: 'junit' },
        {
          name: 'report_file',
          fileName: 'report.xml',
          content: '<testsuite><testcase name="T1 works"/></testsuite>',
        },
      ]);
      return () => test.api.post('/jobs/analysis-file/', undefined, form);
    },
  },
];
