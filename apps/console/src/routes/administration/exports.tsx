import { administrationStrings as texts } from '../../administration-strings.ts';
import {
  changeExport,
  createExport,
  exportAddress,
  type ExportInput,
  type ExportJob,
  exportsQuery,
  isRunning,
} from '../../api/jobs.ts';
import { Button, Group, Stack } from '../../components/controls.ts';
import { choicesOf } from '../../components/filters.tsx';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { useChange, useSaved } from '../use-change.ts';
import { useList } from '../use-list.ts';
import { AdminPage } from './admin-page.tsx';
import { JobRow, JobState, PART_OPTIONS, titleOf } from './job-parts.tsx';

type ExportFields = {
  readonly type: string;
  readonly file_format: string;
  readonly content_models: readonly string[];
};

const EMPTY: ExportFields = { type: 'content', file_format: 'xlsx', content_models: ['standard', 'weakness'] };

const FIELDS: FieldsOf<ExportFields> = {
  type: { kind: 'choice', label: texts.exportType, options: choicesOf(texts.exportTypes), isRequired: true },
  file_format: {
    kind: 'choice',
    label: texts.fileFormat,
    options: choicesOf({ csv: 'CSV', json: 'JSON', yaml: 'YAML', xlsx: 'XLSX' }),
    isRequired: true,
  },
  content_models: {
    kind: 'choices',
    label: texts.contentModels,
    options: PART_OPTIONS,
    isRequired: true,
  },
};

function NewExport({ onCreated }: { readonly onCreated: (id: number) => void }) {
  const saved = useSaved(['exports']);
  return (
    <Form
      label={texts.newExport}
      initial={EMPTY}
      fields={FIELDS}
      submit={texts.create}
      save={(values) => createExport(values as unknown as ExportInput)}
      onSaved={({ id }) => {
        saved();
        onCreated(id);
      }}
    />
  );
}

function ExportDetails({ job }: { readonly job: ExportJob }) {
  const { id, status, can_retry: canRetry } = job;
  const changing = useChange((next: 'cancel' | 'retry') => changeExport(id, next), ['exports']);
  return (
    <Stack>
      <JobState job={job} />
      <Group gap="xs">
        {status === 'success' && (
          <Button component="a" href={exportAddress(id)} download="" size="xs">
            {texts.download}
          </Button>
        )}
        {isRunning(job) && (
          <Button size="xs" variant="default" onClick={() => changing.mutate('cancel')}>
            {texts.stop}
          </Button>
        )}
        {canRetry && (
          <Button size="xs" variant="default" onClick={() => changing.mutate('retry')}>
            {texts.retry}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Exports of the library, with their progress and files. */
export function Exports() {
  return (
    <AdminPage
      section="exports"
      list={useList(exportsQuery)}
      hasSearch={false}
      titleOf={titleOf}
      create={texts.newExport}
      empty={{ title: texts.noExports, text: texts.noExportsText }}
      renderRow={(job) => <JobRow job={job} />}
      renderNew={(open) => <NewExport onCreated={open} />}
      renderItem={(job) => <ExportDetails job={job} />}
    />
  );
}
