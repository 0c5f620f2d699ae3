import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';

/** Something secret that an answer has once. */
export interface Secret {
  /** Such as `The key of ann`. */
  readonly title: string;
  readonly value: string;
  /** What it is for, and where it belongs. */
  readonly text: string;
}

/** Shows a secret until somebody says that they have it. */
export function ShownOnce({
  secret,
  stored,
}: {
  readonly secret: Secret | null;
  readonly stored: () => void;
}): ReactElement {
  return (
    <Modal
      opened={secret !== null}
      onClose={stored}
      title={secret?.title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {secret && (
        <Stack gap="sm">
          <Text size="sm">{secret.text} It is shown only once.</Text>
          <Code
            block
            tabIndex={0}
            role="region"
            aria-label={secret.title}
            className="wraps"
            style={{ whiteSpace: 'pre-wrap' }}
          >
            {secret.value}
          </Code>
          <Group justify="flex-end">
            <CopyButton value={secret.value} timeout={2_000}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy} data-autofocus>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
            <Button onClick={stored}>I have stored it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
