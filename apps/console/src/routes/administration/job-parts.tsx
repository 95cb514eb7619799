import { administrationStrings as texts } from '../../administration-strings.ts';
import { CONTENT_MODELS, type ExportJob, type ImportJob, isRunning } from '../../api/jobs.ts';
import { Group, Text } from '../../components/controls.ts';
import { JobProgress, nameOf, Tag, Time } from '../../components/formats.tsx';
import { inWords } from './options.ts';

type Job = ExportJob | ImportJob;

/** The models in the words of the product; the API keeps older names of some. */
export function partName(model: string): string {
  const names: Readonly<Record<string, string>> = texts.modelNames;
  return names[model] ?? inWords(model);
}

export const PART_OPTIONS = CONTENT_MODELS.map((value) => ({ value, label: partName(value) }));

export const titleOf = ({ id, file_format, content_models }: Job): string =>
  texts.jobTitle(id, file_format, content_models.length);

function Progress({ job }: { readonly job: Job }) {
  const { progress } = job;
  if (!progress || !isRunning(job)) return null;
  return <JobProgress label={texts.progressOf(progress.done, progress.total)} {...progress} />;
}

/** A job in a list. */
export function JobRow({ job }: { readonly job: Job }) {
  return (
    <>
      <span className="row-title">{titleOf(job)}</span>
      <span className="row-side row-wide">
        {texts.startedBy(nameOf(job.triggered_by))} · <Time at={job.triggered} />
      </span>
      <span className="row-side">
        <Progress job={job} />
        <Tag>{texts.states[job.status]}</Tag>
      </span>
    </>
  );
}

/** The state of a job, with its parts, its progress and why it failed. */
export function JobState({ job }: { readonly job: Job }) {
  const { status, triggered_by: by, completed, triggered, content_models: models, errors } = job;
  return (
    <>
      <Group gap="xs">
        <Tag>{texts.states[status]}</Tag>
        <Text size="sm" c="dimmed">
          {texts.startedBy(nameOf(by))} · <Time at={completed ?? triggered} />
        </Text>
      </Group>
      <Progress job={job} />
      {models.length > 0 && <Text size="sm">{models.map(partName).join(', ')}</Text>}
      {errors && errors.length > 0 && (
        <ul className="prose" aria-label={texts.errors}>
          {errors.map(({ details, file, row, field }) => (
            <li key={`${file} ${row} ${field} ${details}`}>
              {[file, row === null ? null : texts.rowOf(row), field].filter(Boolean).join(', ')} {details}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
