import { Button, Code, Modal } from '@mantine/core';
import { useState, type ReactElement } from 'react';

/** A button that shows a document of the API as it is. */
export function Details({
  label,
  title,
  document,
}: {
  readonly label: string;
  readonly title: string;
  readonly document: unknown;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={title}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Code block tabIndex={0} role="region" aria-label={title} mah="70vh" style={{ overflow: 'auto' }}>
          {JSON.stringify(document, null, 2)}
        </Code>
      </Modal>
    </>
  );
}
