import { SimpleGrid, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

/** Facts with their names, in columns. A fact that is null or false is left out. */
export function Facts({
  of,
}: {
  readonly of: readonly (readonly [label: string, value: ReactNode])[];
}): ReactElement {
  return (
    <SimpleGrid
      component="dl"
      cols={{ base: 1, xs: 2, md: 3, xl: 4 }}
      spacing="md"
      verticalSpacing="xs"
      m={0}
    >
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== false)
        .map(([label, value]) => (
          <div key={label}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Text component="dd" size="sm" m={0} className="wraps">
              {value}
            </Text>
          </div>
        ))}
    </SimpleGrid>
  );
}
