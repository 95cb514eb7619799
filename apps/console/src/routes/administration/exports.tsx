import { useQuery } from '@tanstack/react-query';
import { administrationStrings as texts } from '../../administration-strings.ts';
import {
  changeExport,
  createExport,
  CONTENT_MODELS,
  exportAddress,
  type ExportInput,
  type ExportJob,
  exportsQuery,
} from '../../api/administration.ts';
import { Button, Group, Stack, Text } from '../../components/controls.ts';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { JobProgress, nameOf, Tag, Time } from '../../components/formats.tsx';
import { useChange, useSaved } from '../use-change.ts';
import { AdminPage } from './admin-page.tsx';
import { choicesOf, inWords } from './options.ts';

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
    options: CONTENT_MODELS.map((value) => ({ value, label: partName(value) })),
    isRequired: true,
  },
};

/** The models in the words of the product; the API keeps older names of some. */
function partName(model: string): string {
  const names: Readonly<Record<string, string>> = texts.modelNames;
  return names[model] ?? inWords(model);
}

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

const titleOf = ({ file_format, content_models }: ExportJob): string =>
  texts.exportTitle(file_format, content_models.length);

function ExportDetails({ job }: { readonly job: ExportJob }) {
  const { id, status, progress, errors, can_retry: canRetry, completed, triggered, triggered_by: by } = job;
  const changing = useChange((next: 'cancel' | 'retry') => changeExport(id, next), ['exports']);
  const isRunning = status === 'pending' || status === 'in_progress';
  return (
    <Stack>
      <Group gap="xs">
        <Tag>{texts.states[status]}</Tag>
        <Text size="sm" c="dimmed">
          {texts.startedBy(nameOf(by))} · <Time at={completed ?? triggered} />
        </Text>
      </Group>
      {isRunning && progress && <JobProgress label={texts.progressOf(progress.done, progress.total)} {...progress} />}
      <Text size="sm">{job.content_models.map(partName).join(', ')}</Text>
      {errors?.map(({ details, file, row }) => (
        <Text key={`${file} ${row} ${details}`} size="sm" c="red">
          {details}
        </Text>
      ))}
      <Group gap="xs">
        {status === 'success' && (
          <Button component="a" href={exportAddress(id)} download="" size="xs">
            {texts.download}
          </Button>
        )}
        {isRunning && (
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
      list={useQuery(exportsQuery)}
      hasSearch={false}
      titleOf={titleOf}
      create={texts.newExport}
      empty={{ title: texts.noExports, text: texts.noExportsText }}
      renderRow={(job) => (
        <>
          <span className="row-title">{titleOf(job)}</span>
          <span className="row-side row-wide">
            {texts.startedBy(nameOf(job.triggered_by))} · <Time at={job.triggered} />
          </span>
          <span className="row-side">
            {job.progress && job.status === 'in_progress' && (
              <JobProgress label={texts.progressOf(job.progress.done, job.progress.total)} {...job.progress} />
            )}
            <Tag>{texts.states[job.status]}</Tag>
          </span>
        </>
      )}
      renderNew={(open) => <NewExport onCreated={open} />}
      renderItem={(job) => <ExportDetails job={job} />}
    />
  );
}
