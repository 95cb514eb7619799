import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { strings } from '../strings.ts';

/** A button for what cannot be undone: it asks first. */
export function AskButton({
  question,
  onConfirm,
  children,
  ...button
}: Pick<ButtonProps, 'size' | 'variant' | 'loading' | 'disabled'> & {
  readonly question: string;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" {...button} onClick={() => setAsking(true)}>
        {children}
      </Button>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={children}
        centered
        closeButtonProps={{ 'aria-label': strings.close }}
      >
        <Stack>
          <Text>{question}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
              {strings.cancel}
            </Button>
            <Button
              color="red"
              onClick={() => {
                setAsking(false);
                onConfirm();
              }}
            >
              {children}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
