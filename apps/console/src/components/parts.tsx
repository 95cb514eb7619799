import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { HtmlText } from './html-text.tsx';
import { strings } from '../strings.ts';

interface Part {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Texts that belong to an item, each with its title, and with what can be done with it. */
export function Parts({
  parts,
  none,
  actions,
}: {
  readonly parts: readonly Part[];
  readonly none?: string;
  readonly actions?: (part: Part) => ReactNode;
}) {
  if (parts.length === 0) return <Text c="dimmed">{none}</Text>;
  return (
    <Stack>
      {parts.map(({ id, title, text }) => (
        <section key={id}>
          <Group justify="space-between" align="flex-start" wrap="nowrap" mb={6}>
            <Title order={3} size="h5">
              {title}
            </Title>
            {actions?.({ id, title, text })}
          </Group>
          <HtmlText html={text} />
        </section>
      ))}
    </Stack>
  );
}

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/.test(text);

/** The sources of an item. */
export function References({ references }: { readonly references: readonly string[] | undefined }) {
  if (!references?.length) return null;
  return (
    <section>
      <Title order={3} size="h5" mb={6}>
        {strings.references}
      </Title>
      <ul className="prose">
        {references.map((reference) => (
          <li key={reference}>
            {isAddress(reference) ? (
              <a href={reference} rel="noreferrer">
                {reference}
              </a>
            ) : (
              reference
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
