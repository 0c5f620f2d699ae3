import { Card, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

/** One number that is read at a glance, with its unit and what it is. */
export function Figure({
  label,
  value,
  unit,
  note,
}: {
  readonly label: string;
  readonly value: ReactNode;
  readonly unit?: string;
  readonly note?: ReactNode;
}): ReactElement {
  return (
    <Card withBorder padding="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={600} lh={1.2} component="div">
        {value}
        {unit !== undefined && (
          <Text span size="sm" c="dimmed">
            {' '}
            {unit}
          </Text>
        )}
      </Text>
      {note !== undefined && (
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </Card>
  );
}
