import { ActionIcon, Group } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { strings } from '../strings.ts';

export type Step = -1 | 1;

/** Buttons that move an item of a list by one place. At an end, the focus stays on a button that does nothing. */
export function MoveButtons({
  title,
  place,
  count,
  onMove,
}: {
  readonly title: string;
  /** That of the item, from 0. */
  readonly place: number;
  readonly count: number;
  readonly onMove: (step: Step) => void;
}) {
  const button = (step: Step) => {
    const isEnd = place + step < 0 || place + step >= count;
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={step < 0 ? strings.moveUp(title) : strings.moveDown(title)}
        aria-disabled={isEnd}
        data-disabled={isEnd || undefined}
        onClick={() => {
          if (!isEnd) onMove(step);
        }}
      >
        {step < 0 ? <IconArrowUp size={16} /> : <IconArrowDown size={16} />}
      </ActionIcon>
    );
  };
  return (
    <Group gap={2} wrap="nowrap">
      {button(-1)}
      {button(1)}
    </Group>
  );
}
