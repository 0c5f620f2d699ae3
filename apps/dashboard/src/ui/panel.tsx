import { Card, Group, Title } from '@mantine/core';
import { useId, type ReactElement, type ReactNode } from 'react';

/** A part of a page, with its title and what can be done with it. */
export function Panel({
  title,
  actions,
  children,
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <Card withBorder component="section" aria-labelledby={id} padding="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} id={id} className="wraps">
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Card>
  );
}
