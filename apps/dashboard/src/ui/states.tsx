import { MusterProblem } from '@muster/sdk';
import { Alert, Button, Center, Group, Loader, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';

/** What an error means for the person who looks. */
export function wordsOfError(error: unknown): string {
  if (error instanceof MusterProblem) return error.problem.detail ?? error.message;
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return 'The coordinator did not answer in time. It may be busy: try again.';
  if (error instanceof TypeError) return 'The coordinator cannot be reached. Trying again.';
  return error instanceof Error ? error.message : String(error);
}

/** Says what went wrong, and offers to try again. */
export function Failed({
  error,
  again,
}: {
  readonly error: unknown;
  readonly again?: () => void;
}): ReactElement {
  return (
    <Alert color="red" role="alert" title="Could not be loaded">
      <Group justify="space-between">
        <Text size="sm">{wordsOfError(error)}</Text>
        {again && (
          <Button size="xs" variant="default" onClick={again}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** Says that there is nothing, and what would be here. */
export function Empty({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <Text c="dimmed" size="sm" py="sm">
      {children}
    </Text>
  );
}

/** A sign of work before the first answer. */
export function Reading(): ReactElement {
  return (
    <Center py="xl">
      <Loader role="progressbar" aria-label="Reading" />
    </Center>
  );
}

/** Shows an answer; before it a sign of work, and what went wrong. An answer that could not be renewed stays, with a word about it. */
export function Shown<T>({
  of,
  children,
}: {
  readonly of: UseQueryResult<T>;
  readonly children: (answer: T) => ReactNode;
}): ReactElement {
  const { data, error, isPending, refetch } = of;
  const again = (): void => void refetch();
  if (data !== undefined)
    return (
      <Stack gap="sm">
        {error && <Failed error={error} again={again} />}
        {children(data)}
      </Stack>
    );
  if (error) return <Failed error={error} again={again} />;
  return isPending ? <Reading /> : <></>;
}
