import { Group, Stack, Title } from '@mantine/core';
import { useEffect, type ReactElement, type ReactNode } from 'react';

/** A page: its title, also of the tab, what can be done, and its parts below each other. */
export function Page({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  useEffect(() => {
    document.title = `${title} · Muster`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1} className="wraps">
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
