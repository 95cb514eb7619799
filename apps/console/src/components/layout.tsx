import { ActionIcon, Group, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { DownloadCsv, type ListFile } from './download-csv.tsx';
import { strings } from '../strings.ts';

/** A page: its heading with filters, its content, and a panel next to it. */
export function Page({
  title,
  above,
  count,
  file,
  actions,
  filters,
  children,
  panel,
}: {
  readonly title: string;
  readonly above?: ReactNode;
  readonly count?: string | undefined;
  /** The list of the page. */
  readonly file?: { readonly list: ListFile; readonly name: string } | undefined;
  readonly actions?: ReactNode;
  readonly filters?: ReactNode;
  readonly children: ReactNode;
  readonly panel?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} – Merlon`;
  }, [title]);
  return (
    <div className="page">
      <div className="page-main">
        <header className="page-head">
          {above}
          <Group justify="space-between" gap="xs">
            <Group gap="sm" align="baseline">
              <Title order={1} size="h3">
                {title}
              </Title>
              {count !== undefined && (
                <Text c="dimmed" role="status">
                  {count}
                </Text>
              )}
            </Group>
            <Group gap="sm">
              {actions}
              {file && <DownloadCsv {...file} />}
            </Group>
          </Group>
          {filters}
        </header>
        {children}
      </div>
      {panel}
    </div>
  );
}

/** Details next to a list, or over it on a small screen. Escape closes it. */
export function Panel({
  label,
  onClose,
  children,
}: {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isElsewhere = document.querySelector('[role=dialog]') !== null;
      if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onClose]);
  return (
    <section className="panel" aria-label={label} ref={heading} tabIndex={-1}>
      <div className="panel-body">
        <Group justify="flex-end" mb={-40}>
          <ActionIcon variant="subtle" color="gray" aria-label={strings.close} onClick={onClose}>
            <IconX size={18} />
          </ActionIcon>
        </Group>
        {children}
      </div>
    </section>
  );
}

/** The content of a page that scrolls. Who uses keys must be able to scroll what contains no links. */
export function ScrollRegion({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="page-scroll" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

/** A part of a page with its heading. */
export function Section({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" mb="sm" id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}
