import { Checkbox } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { strings } from '../strings.ts';

const ROW_HEIGHT = 42;

/** What items have in common that are listed together. Two groups can have the same label. */
export interface ItemGroup {
  readonly key: string;
  readonly label: string;
  /** Where the group is. By default, groups are in the order of their first items. */
  readonly place?: number;
}

/** A heading, or an item with its place among the items. */
type Row<Item> =
  | { readonly heading: ItemGroup; readonly size: number }
  | { readonly item: Item; readonly place: number };

const rowsOf = <Item,>(items: readonly Item[], groupOf: ((item: Item) => ItemGroup) | undefined): Row<Item>[] => {
  if (!groupOf) return items.map((item, place) => ({ item, place }));
  const groups = new Map<string, { readonly heading: ItemGroup; readonly members: Item[] }>();
  for (const item of items) {
    const heading = groupOf(item);
    const group = groups.get(heading.key);
    if (group) group.members.push(item);
    else groups.set(heading.key, { heading, members: [item] });
  }
  let place = 0;
  return [...groups.values()]
    .toSorted((a, b) => (a.heading.place ?? 0) - (b.heading.place ?? 0))
    .flatMap(({ heading, members }) => [
      { heading, size: members.length },
      ...members.map((item) => ({ item, place: place++ })),
    ]);
};

const isHeading = (row: object | undefined): boolean => row !== undefined && 'heading' in row;

/** Which items are selected. */
export interface Selection<Item> {
  readonly keys: ReadonlySet<string>;
  readonly labelOf: (item: Item) => string;
  readonly onChange: (keys: ReadonlySet<string>) => void;
}

export interface ItemListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly groupOf?: ((item: Item) => ItemGroup) | undefined;
  /** The item that is open next to the list. */
  readonly openKey?: string | undefined;
  /** A link with the class `row`. */
  readonly renderRow: (item: Item, isOpen: boolean) => ReactNode;
  /** Without it, items have no checkboxes. */
  readonly selection?: Selection<Item> | undefined;
}

/**
 * A list of any length, of which the page contains the visible part. `j` and `k` go to the next and previous row, `x`
 * selects a row, and a click with Shift selects all rows from the last one.
 */
export function ItemList<Item>({ label, items, keyOf, groupOf, openKey, renderRow, selection }: ItemListProps<Item>) {
  const scrolling = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(items, groupOf), [items, groupOf]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrolling.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });

  const indexOf = (key: string | undefined): number =>
    key === undefined ? -1 : rows.findIndex((row) => 'item' in row && keyOf(row.item) === key);
  // The row that gets the focus once it is in the page. Keys that follow fast continue from it.
  const next = useRef<number>(undefined);
  const focusRow = (index: number): void => {
    next.current = index;
    virtual.scrollToIndex(index);
    requestAnimationFrame(() => {
      if (next.current !== index) return;
      next.current = undefined;
      scrolling.current?.querySelector<HTMLElement>(`[data-index="${index}"] .row`)?.focus();
    });
  };

  // A link can open an item far down the list. When it closes, the focus returns to its row.
  const lastOpen = useRef<string>(undefined);
  const openIndex = indexOf(openKey);
  useEffect(() => {
    if (openKey === undefined) {
      const index = indexOf(lastOpen.current);
      if (index >= 0) focusRow(index);
    } else if (openIndex >= 0) virtual.scrollToIndex(openIndex);
    lastOpen.current = openKey;
    // Only another item that is open matters here.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [openKey, openIndex >= 0]);

  const lastSelected = useRef<number>(undefined);
  const select = (index: number, isRange: boolean): void => {
    const row = rows[index];
    if (!selection || !row || !('item' in row)) return;
    const isSelected = !selection.keys.has(keyOf(row.item));
    const from = isRange ? (lastSelected.current ?? index) : index;
    const keys = new Set(selection.keys);
    for (const each of rows.slice(Math.min(from, index), Math.max(from, index) + 1)) {
      if (!('item' in each)) continue;
      if (isSelected) keys.add(keyOf(each.item));
      else keys.delete(keyOf(each.item));
    }
    lastSelected.current = index;
    selection.onChange(keys);
  };

  const move = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index'];
    if (event.key === 'x' && focused !== undefined) select(Number(focused), false);
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    let index = (next.current ?? Number(focused ?? -1)) + step;
    while (isHeading(rows[index])) index += step;
    if (!rows[index]) return;
    event.preventDefault();
    focusRow(index);
  };

  return (
    // The keys only move the focus between links, which work without them too.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="page-scroll" ref={scrolling} onKeyDown={move}>
      <ul className="rows" aria-label={label} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const style = { transform: `translateY(${start}px)` };
          if ('heading' in row)
            return (
              <li key={`heading ${row.heading.key}`} style={style}>
                <h2 className="row-group" style={{ margin: 0 }}>
                  <span className="row-title" title={row.heading.label}>
                    {row.heading.label}
                  </span>{' '}
                  <span className="row-group-size">{strings.shown(row.size)}</span>
                </h2>
              </li>
            );
          const key = keyOf(row.item);
          return (
            <li key={key} data-index={index} style={style} aria-setsize={items.length} aria-posinset={row.place + 1}>
              {selection && (
                <Checkbox
                  className="row-check"
                  size="xs"
                  aria-label={strings.selectItem(selection.labelOf(row.item))}
                  checked={selection.keys.has(key)}
                  onChange={({ nativeEvent }) => select(index, (nativeEvent as MouseEvent).shiftKey)}
                />
              )}
              {renderRow(row.item, key === openKey)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
