import { Badge, Box, Stack, Text } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';
import type { CallRequest } from '@muster/sdk';
import { useCall } from '../live/use-call.js';
import { useCalls } from '../live/use-calls.js';
import { ChoiceFilter, FilterBar, Pager, TextFilter, useFilters, type FilterValues } from '../ui/filters.js';
import { MatchLink, PlayerLinks, QueueLink, TicketLink } from '../ui/links/links.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Since } from '../ui/values/time.js';
import { waitsForWords } from '../ui/values/words.js';
import { CancelTicket } from './cancel-ticket.js';
import { ticketColour, ticketWords, type Ticket } from './ticket.js';

const everyMs = 5_000;
/** Each waiting ticket of a page is asked why it waits. */
const [perPage, whyEveryMs] = [25, 15_000];

/** Tickets by queue, state, player and age, with why they wait. */
export function TicketsPage(): ReactElement {
  const { filters } = useFilters();
  const tickets = useCall('listTickets', { query: queryOf(filters) }, { everyMs });
  return (
    <Page title="Tickets">
      <Filters />
      <Panel title={filters['state'] === undefined ? 'Tickets that are not closed' : 'Tickets'}>
        <Shown of={tickets}>
          {(answer) => (
            <Stack gap="sm">
              <List tickets={answer.tickets} hasMore={answer.next !== null} />
              <Pager next={answer.next} />
            </Stack>
          )}
        </Shown>
      </Panel>
      <Text size="xs" c="dimmed">
        Waiting tickets of one queue stand in its order, the longest waiting first; others have no order.
        Closed tickets are known for an hour: after that, look for the match of their player.
      </Text>
    </Page>
  );
}

const queryOf = (filters: FilterValues): CallRequest<'listTickets'>['query'] => {
  const { queue, state, playerId, olderThanSeconds, cursor } = filters;
  return { limit: perPage, queue, state: state as Ticket['state'], playerId, olderThanSeconds, cursor };
};

function Filters(): ReactElement {
  const queues = useCall('listQueues', {});
  return (
    <FilterBar>
      <ChoiceFilter name="queue" label="Queue" choices={queues.data?.queues.map(({ name }) => name) ?? []} />
      <ChoiceFilter
        name="state"
        label="State"
        any="not closed"
        choices={Object.entries(ticketWords).map(([value, label]) => ({ value, label }))}
      />
      <TextFilter name="playerId" label="Player" placeholder="id" />
      <ChoiceFilter
        name="olderThanSeconds"
        label="Queued"
        any="at any time"
        choices={[
          { value: '30', label: '30 s ago or more' },
          { value: '60', label: '1 min ago or more' },
          { value: '300', label: '5 min ago or more' },
          { value: '900', label: '15 min ago or more' },
          { value: '3600', label: '1 h ago or more' },
        ]}
      />
    </FilterBar>
  );
}

function List({
  tickets,
  hasMore,
}: {
  readonly tickets: readonly Ticket[];
  readonly hasMore: boolean;
}): ReactElement {
  const waiting = tickets.filter(({ state }) => state === 'waiting');
  const { answers } = useCalls(
    'readTicket',
    waiting.map(({ ticketId }) => ({ params: { ticketId }, query: {} })),
    { everyMs: whyEveryMs },
  );
  const columns = useMemo(() => {
    const why = new Map(answers.flatMap((answer) => (answer ? [[answer.ticketId, answer.waiting]] : [])));
    return columnsOf((ticketId) => why.get(ticketId));
  }, [answers]);
  return (
    <DataTable
      caption="Tickets"
      rows={tickets}
      columns={columns}
      keyOf={({ ticketId }) => ticketId}
      empty={
        hasMore
          ? 'No ticket of this page fits these filters; go to the next one.'
          : 'No ticket fits these filters. A ticket stands here from the moment at which its players queue.'
      }
    />
  );
}

const columnsOf = (whyOf: (ticketId: string) => Ticket['waiting']): readonly Column<Ticket>[] => [
  {
    header: 'Ticket',
    cell: ({ ticketId }) => (
      <span className="one-line">
        <TicketLink id={ticketId} />
      </span>
    ),
  },
  {
    header: 'Players',
    cell: ({ players }) => (
      <Box miw={150}>
        <PlayerLinks ids={players} />
      </Box>
    ),
  },
  {
    header: 'State',
    cell: ({ state }) => (
      <Badge color={ticketColour[state]} variant="light">
        {ticketWords[state]}
      </Badge>
    ),
    by: ({ state }) => state,
  },
  { header: 'Queue', cell: ({ queue }) => <QueueLink id={queue} />, by: ({ queue }) => queue },
  {
    header: 'Age',
    isNumber: true,
    cell: ({ enqueuedAt }) => <Since at={enqueuedAt} />,
    by: ({ enqueuedAt }) => -enqueuedAt,
  },
  {
    header: 'Why',
    cell: (ticket) => <Why ticket={ticket} waiting={whyOf(ticket.ticketId)} />,
    by: ({ ticketId }) => whyOf(ticketId)?.rule ?? '',
  },
  {
    header: 'Match or change',
    cell: (ticket) =>
      ticket.matchId === undefined ? (
        <CancelTicket ticket={ticket} />
      ) : (
        <span className="one-line">
          <MatchLink id={ticket.matchId} />
        </span>
      ),
  },
];

function Why({
  ticket: { paused, reason },
  waiting,
}: {
  readonly ticket: Ticket;
  readonly waiting: Ticket['waiting'];
}): ReactElement {
  return (
    <Box miw={260}>
      {waiting && <b>Waits for {waitsForWords(waiting.rule)}. </b>}
      {paused ? 'The queue is paused.' : (waiting?.why ?? reason)}
    </Box>
  );
}
