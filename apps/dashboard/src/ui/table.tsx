import { Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useMemo, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { Empty } from './states.js';

/** A column of a table. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** What rows are sorted by when the header is pressed; without it they cannot be. */
  readonly by?: (row: Row) => number | string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
}

/** More rows than this are drawn where one looks alone. */
const drawnAtOnce = 100;
const rowHeight = 37;
const height = 560;

/** A table that can be sorted, and stays quick with ten thousand rows. */
export function DataTable<Row>({
  caption,
  rows,
  columns,
  keyOf,
  empty,
}: {
  /** What the table is of, for screen readers. */
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** What is said without rows: what would fill them. */
  readonly empty: ReactNode;
}): ReactElement {
  const [order, setOrder] = useState<{ readonly column: number; readonly isDown: boolean } | null>(null);
  const sorted = useMemo(() => {
    const by = order === null ? undefined : columns[order.column]?.by;
    if (!by || !order) return rows;
    const sign = order.isDown ? -1 : 1;
    return rows.toSorted((a, b) => sign * compare(by(a), by(b)));
  }, [rows, columns, order]);
  const scroller = useRef<HTMLDivElement>(null);
  const isLong = sorted.length > drawnAtOnce;
  const virtual = useVirtualizer({
    count: sorted.length,
    enabled: isLong,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  const items = isLong ? virtual.getVirtualItems() : null;
  const first = items?.[0]?.start ?? 0;
  const last = items ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const shown = items ? items.map(({ index }) => [index, sorted[index]] as const) : [...sorted.entries()];
  const press = (column: number): void =>
    setOrder((now) => ({ column, isDown: now?.column === column ? !now.isDown : false }));
  return (
    <div
      ref={scroller}
      // It scrolls by keys as well.
      role="region"
      tabIndex={0}
      aria-label={caption}
      style={{ overflow: 'auto', ...(isLong ? { height, whiteSpace: 'nowrap' } : {}) }}
    >
      <Table stickyHeader={isLong} aria-rowcount={sorted.length + 1} verticalSpacing={6} highlightOnHover>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, by, isNumber }, i) => (
              <Table.Th
                key={header}
                className={isNumber ? 'number' : undefined}
                aria-sort={order?.column !== i ? undefined : order.isDown ? 'descending' : 'ascending'}
              >
                {by ? (
                  <UnstyledButton fz="sm" fw={700} onClick={() => press(i)}>
                    {header}
                    {order?.column === i ? (order.isDown ? ' ↓' : ' ↑') : ''}
                  </UnstyledButton>
                ) : (
                  header
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {first > 0 && <Gap height={first} columns={columns.length} />}
          {shown.map(([index, row]) =>
            row === undefined ? null : (
              <OneRow key={keyOf(row)} row={row} columns={columns as Column<unknown>[]} index={index} />
            ),
          )}
          {last > 0 && <Gap height={last} columns={columns.length} />}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** A row is drawn again when it changes, and not while the table scrolls. */
const OneRow = memo(function OneRow({
  row,
  columns,
  index,
}: {
  readonly row: unknown;
  readonly columns: readonly Column<unknown>[];
  readonly index: number;
}): ReactElement {
  return (
    <Table.Tr aria-rowindex={index + 2}>
      {columns.map(({ header, cell, isNumber }) => (
        <Table.Td key={header} className={isNumber ? 'number' : undefined}>
          {cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
});

function Gap({ height: px, columns }: { readonly height: number; readonly columns: number }): ReactElement {
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height: px, padding: 0 }} />
    </tr>
  );
}

// One for all: `localeCompare` with options makes one for each comparison, and ten thousand rows need many.
const collator = new Intl.Collator(undefined, { numeric: true });
const compare = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
