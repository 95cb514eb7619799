import { type ReactNode, useState } from 'react';
import { Button, Group } from '../../../components/controls.ts';
import { hasFormDraft } from '../../../components/form.tsx';
import { Section } from '../../../components/layout.tsx';

/** A button that opens the form for a new connection, which has the same title. */
export function Connect({
  title,
  children,
}: {
  readonly title: string;
  readonly children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setOpen] = useState(() => hasFormDraft(title));
  if (!isOpen)
    return (
      <Group>
        <Button onClick={() => setOpen(true)}>{title}</Button>
      </Group>
    );
  return (
    <Section id="connect" title={title}>
      {children(() => setOpen(false))}
    </Section>
  );
}
