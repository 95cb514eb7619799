import { administrationStrings } from '../../administration-strings.ts';
import { AskButton } from '../../components/ask-button.tsx';
import { Group } from '../../components/controls.ts';
import { useChange } from '../use-change.ts';

/** Deletes an item, after asking, and closes its panel. */
export function RemoveButton({
  question,
  remove,
  concerned,
  onClose,
}: {
  readonly question: string;
  readonly remove: () => Promise<unknown>;
  readonly concerned: readonly string[];
  readonly onClose: () => void;
}) {
  const removing = useChange(async () => {
    await remove();
    onClose();
  }, concerned);
  return (
    <Group>
      <AskButton size="xs" loading={removing.isPending} question={question} onConfirm={() => removing.mutate()}>
        {administrationStrings.remove}
      </AskButton>
    </Group>
  );
}
