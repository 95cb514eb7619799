import { AskButton } from '../../components/ask-button.tsx';
import { libraryStrings as texts } from '../../library-strings.ts';
import { useChange } from '../use-change.ts';

/** Everything that shows the library, or what projects have of it. */
export const CONCERNED = ['library', 'countermeasures', 'countermeasure', 'my-countermeasures'];

export const isCustomized = ({ type }: { readonly type: string }): boolean => type === 'Built-in Modified';

/** Gives up the changes of a built-in item. */
export function Restore({
  restore,
  onRestored,
}: {
  readonly restore: () => Promise<unknown>;
  readonly onRestored: () => void;
}) {
  const restoring = useChange(async () => {
    await restore();
    onRestored();
  }, CONCERNED);
  return (
    <AskButton size="xs" loading={restoring.isPending} question={texts.restoreAsk} onConfirm={() => restoring.mutate()}>
      {texts.restore}
    </AskButton>
  );
}
