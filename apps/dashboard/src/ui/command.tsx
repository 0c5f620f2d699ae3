import { Button, Code, CopyButton, Group } from '@mantine/core';
import type { ReactElement } from 'react';

/** A command for a terminal, to be copied. */
export function Command({ children }: { readonly children: string }): ReactElement {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code block className="wraps" style={{ flexGrow: 1, whiteSpace: 'pre-wrap' }}>
        {children}
      </Code>
      <CopyButton value={children} timeout={2_000}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy} style={{ flexShrink: 0 }}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
