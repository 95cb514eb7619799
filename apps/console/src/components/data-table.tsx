import { Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useState } from 'react';
import { strings } from '../strings.ts';
import { formatNumber } from './formats.tsx';

type Value = string | boolean | null | undefined;

export interface DataColumn {
  readonly name: string;
  readonly title: string;
  readonly isNumber: boolean;
  readonly isPercent: boolean;
  readonly isTime: boolean;
}

/** More rows make a page slow. Files contain all of them. */
const MAX_ROWS = 500;

const textOf = (value: Value, { isNumber, isPercent, isTime }: DataColumn): string => {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? strings.yes : strings.no;
  if (isNumber) return `${formatNumber(Number(value))}${isPercent ? ' %' : ''}`;
  return isTime ? value.slice(0, 10) : value;
};

const compare = (a: Value, b: Value, isNumber: boolean): number =>
  isNumber ? Number(a ?? 0) - Number(b ?? 0) : String(a ?? '').localeCompare(String(b ?? ''));

/** Rows of a report. The titles of columns sort them. */
export function DataTable({
  label,
  columns,
  rows,
  filter = '',
}: {
  readonly label: string;
  readonly columns: readonly DataColumn[];
  readonly rows: readonly Readonly<Record<string, Value>>[];
  /** Only rows that contain this text are shown. */
  readonly filter?: string | undefined;
}) {
  const [order, setOrder] = useState<{ readonly name: string; readonly isDescending: boolean }>();
  const wanted = filter.toLowerCase();
  const found = rows.filter((row) =>
    columns.some((column) => textOf(row[column.name], column).toLowerCase().includes(wanted)),
  );
  const column = columns.find(({ name }) => name === order?.name);
  if (column) {
    const sign = order?.isDescending ? -1 : 1;
    found.sort((a, b) => sign * compare(a[column.name], b[column.name], column.isNumber));
  }
  const sortBy = ({ name, isNumber }: DataColumn): void =>
    setOrder((before) => ({ name, isDescending: before?.name === name ? !before.isDescending : isNumber }));
  return (
    <>
      {/* The table may be wider than a phone. Who uses keys must be able to scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div style={{ overflowX: 'auto' }} role="region" aria-label={label} tabIndex={0}>
        <Table striped stickyHeader highlightOnHover horizontalSpacing="lg" fz="sm" aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((one) => (
                <Table.Th
                  key={one.name}
                  ta={one.isNumber ? 'right' : 'left'}
                  aria-sort={order?.name !== one.name ? 'none' : order.isDescending ? 'descending' : 'ascending'}
                >
                  <UnstyledButton fz="sm" fw={600} onClick={() => sortBy(one)}>
                    {one.title}
                    {order?.name === one.name &&
                      (order.isDescending ? <IconArrowDown size={13} /> : <IconArrowUp size={13} />)}
                  </UnstyledButton>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.slice(0, MAX_ROWS).map((row, index) => (
              // Rows of a report have no id.
              // oxlint-disable-next-line react/no-array-index-key
              <Table.Tr key={index}>
                {columns.map((one) => (
                  <Table.Td key={one.name} ta={one.isNumber ? 'right' : 'left'}>
                    {textOf(row[one.name], one)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Text c="dimmed" size="sm" px="lg" py="sm" role="status">
        {strings.rowsShown(Math.min(MAX_ROWS, found.length), rows.length)}
      </Text>
    </>
  );
}
