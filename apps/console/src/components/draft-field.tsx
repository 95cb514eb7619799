import { Button, Group, Text, Textarea } from '@mantine/core';
import { strings } from '../strings.ts';
import type { Draft } from './draft.ts';

/** Says that what someone typed before is back, and drops it if asked. */
export function DraftRestored({ onDiscard }: { readonly onDiscard: () => void }) {
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {strings.draftRestored}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onDiscard}>
        {strings.draftDiscard}
      </Button>
    </Group>
  );
}

/** A field for a text of several lines that is kept until it is saved. */
export function DraftField({
  label,
  minRows,
  draft,
}: {
  readonly label: string;
  readonly minRows: number;
  readonly draft: Draft<string>;
}) {
  return (
    <>
      <Textarea
        label={label}
        autosize
        minRows={minRows}
        value={draft.value}
        onChange={({ currentTarget: { value } }) => draft.set(() => value)}
      />
      {draft.isRestored && <DraftRestored onDiscard={draft.clear} />}
    </>
  );
}
