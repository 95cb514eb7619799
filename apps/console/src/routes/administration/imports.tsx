import { useQuery } from '@tanstack/react-query';
import { administrationStrings as texts } from '../../administration-strings.ts';
import {
  changeImport,
  createImport,
  differenceQuery,
  type ImportJob,
  importsQuery,
  isRunning,
} from '../../api/jobs.ts';
import { Button, Group, Stack, Text, Title } from '../../components/controls.ts';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { Tag } from '../../components/formats.tsx';
import { Loaded } from '../../components/states.tsx';
import { useChange, useSaved } from '../use-change.ts';
import { useList } from '../use-list.ts';
import { AdminPage } from './admin-page.tsx';
import { JobRow, JobState, PART_OPTIONS, partName, titleOf } from './job-parts.tsx';

type ImportFields = { readonly file: File | null; readonly model: string };

const FIELDS: FieldsOf<ImportFields> = {
  file: { kind: 'file', label: texts.file, description: texts.fileHint, isRequired: true },
  model: { kind: 'choice', label: texts.model, description: texts.modelHint, options: PART_OPTIONS },
};

const EMPTY: ImportFields = { file: null, model: '' };

function NewImport({ onCreated }: { readonly onCreated: (id: number) => void }) {
  const saved = useSaved(['imports']);
  return (
    <Form
      label={texts.newImport}
      initial={EMPTY}
      fields={FIELDS}
      submit={texts.upload}
      save={({ file, model }) => {
        if (!file) throw new TypeError('The form requires a file.');
        return createImport(file, model);
      }}
      onSaved={({ id }) => {
        saved();
        onCreated(id);
      }}
    />
  );
}

/** What accepting an import would change. */
function Difference({ id }: { readonly id: number }) {
  return (
    <Loaded query={useQuery(differenceQuery(id))}>
      {({ summary, results, count }) => (
        <Stack gap="xs">
          <Title order={3} size="h5">
            {texts.difference}
          </Title>
          <ul className="prose">
            {Object.entries(summary).map(([model, { created, updated, deactivated, unchanged }]) => (
              <li key={model}>{texts.changesOf(partName(model), { created, updated, deactivated, unchanged })}</li>
            ))}
          </ul>
          {results.length > 0 && (
            <ul className="plain-list" aria-label={texts.difference}>
              {results.map(({ model, id: item, row, action, changes }) => (
                <li key={`${model} ${row} ${item}`}>
                  <Group gap="xs">
                    <Tag>{texts.actions[action]}</Tag>
                    <span>
                      {partName(model)} {item ?? texts.rowOf(row)}
                    </span>
                    <Text size="sm" c="dimmed">
                      {Object.keys(changes).join(', ')}
                    </Text>
                  </Group>
                </li>
              ))}
            </ul>
          )}
          {count !== undefined && count > results.length && (
            <Text size="sm" c="dimmed">
              {texts.moreChanges(count - results.length)}
            </Text>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function ImportDetails({ job }: { readonly job: ImportJob }) {
  const { id, status, can_retry: canRetry } = job;
  const changing = useChange(
    (next: 'accept' | 'cancel' | 'retry') => changeImport(id, next),
    ['imports', 'import-difference', 'library'],
  );
  const isReady = status === 'ready_for_review';
  return (
    <Stack>
      <JobState job={job} />
      {isReady && <Difference id={id} />}
      <Group gap="xs">
        {isReady && (
          <Button size="xs" loading={changing.isPending} onClick={() => changing.mutate('accept')}>
            {texts.accept}
          </Button>
        )}
        {(isReady || (isRunning(job) && status !== 'applying_changes')) && (
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

/** Imports into the library: each is reviewed before it changes anything. */
export function Imports() {
  return (
    <AdminPage
      section="imports"
      list={useList(importsQuery)}
      hasSearch={false}
      titleOf={titleOf}
      create={texts.newImport}
      empty={{ title: texts.noImports, text: texts.noImportsText }}
      renderRow={(job) => <JobRow job={job} />}
      renderNew={(open) => <NewImport onCreated={open} />}
      renderItem={(job) => <ImportDetails job={job} />}
    />
  );
}
