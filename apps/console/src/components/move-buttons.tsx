import { ActionIcon, Group } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import { strings } from '../strings.ts';

export type Step = -1 | 1;

/** Buttons that move an item of a list by one place. The focus stays on them when the item moves. */
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
  const used = useRef<HTMLButtonElement>(undefined);
  useLayoutEffect(() => {
    // A browser takes the focus from what moves in the page.
    if (document.activeElement === document.body) used.current?.focus();
    used.current = undefined;
  }, [place]);
  const button = (step: Step) => {
    const isEnd = place + step < 0 || place + step >= count;
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={step < 0 ? strings.moveUp(title) : strings.moveDown(title)}
        aria-disabled={isEnd}
        data-disabled={isEnd || undefined}
        onClick={({ currentTarget }) => {
          if (isEnd) return;
          used.current = currentTarget;
          onMove(step);
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
