import { AskButton } from '../../../components/ask-button.tsx';
import { Button } from '../../../components/controls.ts';
import { Time } from '../../../components/formats.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';

/** A change without input that is requested once at a time. */
interface Change {
  readonly isPending: boolean;
  readonly mutate: (input: undefined) => void;
}

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
export function RunNow({ projectKey, running }: { readonly projectKey: string; readonly running: Change }) {
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

/** Buttons that show the form of the connection to a project of another system, and that end the connection. */
export function EditOrDisconnect({
  projectKey,
  isEdited,
  onEdit,
  question,
  removing,
}: {
  readonly projectKey: string;
  readonly isEdited: boolean;
  readonly onEdit: (isEdited: boolean) => void;
  readonly question: string;
  readonly removing: Change;
}) {
  return (
    <>
      <Button
        size="sm"
        variant="default"
        aria-expanded={isEdited}
        aria-label={texts.editConnection(projectKey)}
        onClick={() => onEdit(!isEdited)}
      >
        {strings.edit}
      </Button>
      <AskButton
        size="sm"
        question={question}
        loading={removing.isPending}
        onConfirm={() => removing.mutate(undefined)}
      >
        {texts.disconnect}
      </AskButton>
    </>
  );
}
