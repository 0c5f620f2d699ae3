import { Alert, Badge, Button, Stack, Text } from '@mantine/core';
import { eventCatalogue, eventGroups, eventTypes } from '@muster/contracts';
import type { FollowedEvent } from '@muster/sdk';
import { useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { ChoiceFilter, FilterBar } from '../ui/filters.js';
import { IdLinks } from '../ui/links/id-link.js';
import { idsIn } from '../ui/links/ids.js';
import { Panel } from '../ui/panel.js';
import { DataTable, type Column } from '../ui/table.js';
import { At } from '../ui/values/time.js';
import { Details } from '../ui/details.js';
import { mostEvents, useEvents } from './use-events.js';

const linksOfEvent = 4;
const filters = [...eventGroups, ...eventTypes].filter((each) => !each.startsWith('webhook.'));

/** Events as they happen, the newest first. */
export function EventStream(): ReactElement {
  const { type = '' } = useSearch({ from: '/webhooks' });
  const [isHeld, setHeld] = useState(false);
  const { events, trouble, isOpen } = useEvents(type, isHeld);
  return (
    <Panel
      title="Events as they happen"
      actions={
        <>
          <Badge color={isOpen ? 'green' : 'gray'} variant="light" role="status">
            {isHeld ? 'paused' : isOpen ? 'live' : 'connecting'}
          </Badge>
          <Button size="xs" variant="default" onClick={() => setHeld(!isHeld)}>
            {isHeld ? 'Resume' : 'Pause'}
          </Button>
        </>
      }
    >
      <Stack gap="sm">
        <FilterBar>
          <ChoiceFilter name="type" label="Type" any="all" choices={filters} />
        </FilterBar>
        {trouble !== null && (
          <Alert color="red" role="alert" title="The stream is interrupted">
            {trouble}
          </Alert>
        )}
        {type.startsWith('ticket.') && (
          <Text size="sm" c="dimmed">
            Ticket events are off by default. They need <code>TICKET_EVENTS=on</code> in the queue service.
          </Text>
        )}
        <DataTable
          caption={`The newest ${mostEvents} events since you opened this page`}
          rows={events}
          columns={columns}
          keyOf={({ id }) => id}
          empty="No events since you opened this page. New events appear here as they happen."
        />
      </Stack>
    </Panel>
  );
}

function meaningOf(type: string): string {
  const kind = eventTypes.find((each) => each === type);
  return kind ? eventCatalogue[kind].summary : '';
}

const columns: readonly Column<FollowedEvent>[] = [
  { header: 'Time', cell: ({ timestamp }) => <At at={Date.parse(timestamp)} /> },
  { header: 'Type', cell: ({ type }) => <span title={meaningOf(type)}>{type}</span> },
  { header: 'About', cell: ({ data }) => <IdLinks ids={idsIn(data, linksOfEvent)} /> },
  {
    header: 'Details',
    cell: ({ id, type, data }) => <Details label="Data" title={`${type} ${id}`} document={data} />,
  },
];
