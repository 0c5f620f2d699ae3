import { Alert, Button, Group, Text } from '@mantine/core';
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Page } from '../ui/page.js';
import { wordsOfError } from '../ui/states.js';

/** A page that cannot be shown. After an update of the coordinator, parts of the page before are gone: loading it again mends that. */
export function Broken({ error }: ErrorComponentProps): ReactElement {
  return (
    <Page title="This page cannot be shown">
      <Alert color="red" role="alert">
        <Group justify="space-between">
          <Text size="sm">{wordsOfError(error)}</Text>
          <Button size="xs" variant="default" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </Group>
      </Alert>
    </Page>
  );
}

export function NotFound(): ReactElement {
  return (
    <Page title="There is no such page">
      <Text>
        Go to the <Link to="/">overview</Link>, or search for a player, a match or a ticket above.
      </Text>
    </Page>
  );
}
