import { Button, Text } from '@mantine/core';
import type { EndpointName } from '@muster/contracts';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMay } from '../session/session.js';
import { wordsOfError } from './states.js';

/** A button that saves an answer as a file. The call carries the key, so that no address does. */
export function Download({
  call,
  label,
  fileName,
  read,
}: {
  readonly call: EndpointName;
  readonly label: string;
  readonly fileName: string;
  readonly read: () => Promise<Blob>;
}): ReactElement | null {
  const may = useMay();
  const reading = useMutation({ mutationFn: read, onSuccess: (file) => save(file, fileName) });
  if (!may(call)) return null;
  return (
    <>
      <Button size="xs" variant="default" loading={reading.isPending} onClick={() => reading.mutate()}>
        {label}
      </Button>
      {reading.error && (
        <Text size="sm" c="red" role="alert">
          {wordsOfError(reading.error)}
        </Text>
      )}
    </>
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
