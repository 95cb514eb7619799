import type { ReactNode } from 'react';
import { Group, Text } from '../components/controls.ts';
import { DownloadCsv, type ListFile } from '../components/download-csv.tsx';

/** Items with what identifies each, facts about it, and what can be done with it. */
export function FactsList<Item extends { readonly id: number }>({
  label,
  items,
  none,
  file,
  renderTitle,
  renderFacts,
  renderAction,
}: {
  readonly label: string;
  readonly items: readonly Item[];
  readonly none: string;
  /** The same items as a file. */
  readonly file: ListFile;
  readonly renderTitle: (item: Item) => ReactNode;
  readonly renderFacts: (item: Item) => ReactNode;
  readonly renderAction: (item: Item) => ReactNode;
}) {
  if (items.length === 0) return <Text c="dimmed">{none}</Text>;
  return (
    <>
      <Group justify="flex-end">
        <DownloadCsv list={file} name={label} />
      </Group>
      <ul className="plain-list" aria-label={label} style={{ gap: 0 }}>
        {items.map((item) => (
          <li key={item.id} style={{ borderBottom: '1px solid var(--console-line)', padding: '10px 0' }}>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                <Group gap="xs">{renderTitle(item)}</Group>
                <Text size="sm" c="dimmed" component="div">
                  {renderFacts(item)}
                </Text>
              </div>
              <div style={{ flexShrink: 0 }}>{renderAction(item)}</div>
            </Group>
          </li>
        ))}
      </ul>
    </>
  );
}
