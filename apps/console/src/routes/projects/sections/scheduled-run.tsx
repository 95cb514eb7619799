import { Button } from '../../../components/controls.ts';
import { Time } from '../../../components/formats.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';

/** When the next run of a connection is due; nothing if only a request starts it. */
export function NextRun({ at }: { readonly at: string | null }) {
  if (at === null) return null;
  return (
    <>
      {' '}
      · {texts.nextRun} <Time at={at} />
    </>
  );
}

/** A button that starts a run of the connection to a project of another system. */
export function RunNow({
  projectKey,
  running,
}: {
  readonly projectKey: string;
  readonly running: { readonly isPending: boolean; readonly mutate: (input: undefined) => void };
}) {
  return (
    <Button
      size="sm"
      variant="default"
      loading={running.isPending}
      aria-label={texts.runNowOf(projectKey)}
      onClick={() => running.mutate(undefined)}
    >
      {texts.runNow}
    </Button>
  );
}
