import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { strings } from '../strings.ts';

/** A secret that the API returns only once, with a button that copies it. */
export function ShownOnce({
  label,
  secret,
  hint,
}: {
  readonly label: string;
  readonly secret: string;
  readonly hint: string;
}) {
  const { copy, copied } = useClipboard();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Alert color="green" variant="outline" role="status">
      <Stack gap="xs">
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            ref={field}
            label={label}
            readOnly
            value={secret}
            flex={1}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <Button
            variant="default"
            leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            onClick={() => copy(secret)}
          >
            {copied ? strings.copied : strings.copy}
          </Button>
        </Group>
        <Text size="sm">{hint}</Text>
      </Stack>
    </Alert>
  );
}
