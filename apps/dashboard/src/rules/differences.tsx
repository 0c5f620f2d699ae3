import { Table, Text } from '@mantine/core';
import { differencesBetween, differingText, type QueueRules } from '@muster/contracts';
import type { ReactElement } from 'react';
import { Empty } from '../ui/states.js';

/** Two sets of rules side by side: a row for each value that differs. */
export function Differences({
  before,
  after,
  names: [old, fresh],
  none,
}: {
  readonly before: QueueRules;
  readonly after: QueueRules;
  readonly names: readonly [before: string, after: string];
  /** What is said when nothing differs. */
  readonly none: string;
}): ReactElement {
  const differences = differencesBetween(before, after);
  if (differences.length === 0) return <Empty>{none}</Empty>;
  return (
    <div role="region" tabIndex={0} aria-label="Differences" style={{ overflow: 'auto' }}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>{old}</Table.Th>
            <Table.Th>{fresh}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map((each) => (
            <Table.Tr key={each.path}>
              <Table.Th scope="row" fw={500} ff="monospace">
                {each.path.slice(after.name.length + 1)}
              </Table.Th>
              <Table.Td className="wraps">
                <Text span size="sm" ff="monospace">
                  {differingText(each.before)}
                </Text>
              </Table.Td>
              <Table.Td className="wraps">
                <Text span size="sm" fw={600} ff="monospace">
                  {differingText(each.after)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
