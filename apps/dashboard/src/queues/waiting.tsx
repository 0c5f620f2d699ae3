import { Anchor, Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { Empty } from '../ui/states.js';
import { PlayerLink, TicketLink } from '../ui/links/links.js';
import { Panel } from '../ui/panel.js';
import { DataTable, type Column } from '../ui/table.js';
import { Since } from '../ui/values/time.js';
import { durationWords, numberWords, percentWords, waitsForWords } from '../ui/values/words.js';
import type { WaitingList } from './use-waiting.js';
import { sharesOf, type WaitingTicket } from './waiting-rules.js';

/** Who waits, and for what. */
export function Waiting({
  queue,
  list: { tickets: waiting = [], total, isWhole, readAt },
  rule,
  isPaused,
}: {
  readonly queue: string;
  readonly list: WaitingList;
  /** Only tickets that wait for this rule. */
  readonly rule: string | undefined;
  readonly isPaused: boolean;
}): ReactElement {
  const columns = useMemo(() => columnsAt(readAt), [readAt]);
  const rows = useMemo(
    () =>
      waiting
        .filter((ticket) => rule === undefined || ticket.rule === rule)
        .toSorted((a, b) => b.waitedMs - a.waitedMs),
    [waiting, rule],
  );
  return (
    <>
      <Panel title="What they wait for">
        {isPaused && waiting.length > 0 && (
          <Text size="sm" mb="xs">
            No match is formed while the queue is paused. Without the pause they would wait for:
          </Text>
        )}
        <Rules waiting={waiting} />
      </Panel>
      <Panel
        title={`Waiting tickets: ${numberWords(rows.length)}${rule === undefined && isWhole ? '' : ` of ${numberWords(total)}`}${isWhole ? '' : ' read so far'}`}
        actions={
          rule !== undefined && (
            <Button
              size="xs"
              variant="default"
              renderRoot={(props) => (
                <Link {...props} from="/queues/$queue" search={(now) => ({ ...now, rule: undefined })} />
              )}
            >
              Show all
            </Button>
          )
        }
      >
        <DataTable
          caption={`Tickets that wait in ${queue}, the longest waiting first`}
          rows={rows}
          columns={columns}
          keyOf={({ ticketId }) => ticketId}
          empty="No tickets are waiting. A ticket is listed here from when a player queues until a match is formed."
        />
      </Panel>
    </>
  );
}

function Rules({ waiting }: { readonly waiting: readonly WaitingTicket[] }): ReactElement {
  const shares = useMemo(() => sharesOf(waiting), [waiting]);
  if (shares.length === 0)
    return <Empty>No tickets are waiting. The rules that keep tickets waiting are counted here.</Empty>;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
      {shares.map(({ rule, tickets, medianMs, share }) => (
        <Stack key={rule} gap={4}>
          <Group justify="space-between" gap="xs">
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link {...props} from="/queues/$queue" search={(now) => ({ ...now, rule })} />
              )}
            >
              {waitsForWords(rule)}
            </Anchor>
            <Text size="sm">
              {numberWords(tickets)} ({percentWords(share)}), half for {durationWords(medianMs)} or more
            </Text>
          </Group>
          <Progress value={100 * share} aria-label={`Tickets that wait for ${waitsForWords(rule)}`} />
        </Stack>
      ))}
    </SimpleGrid>
  );
}

const columnsAt = (readAt: number): readonly Column<WaitingTicket>[] => [
  {
    header: 'Ticket',
    cell: ({ ticketId }) => <TicketLink id={ticketId} />,
  },
  {
    header: 'Players',
    by: ({ players }) => players.length,
    cell: ({ players: [first = '', ...others] }) => (
      <Text size="sm" span style={{ whiteSpace: 'nowrap' }}>
        <PlayerLink id={first} />
        {others.length > 0 && ` and ${others.length} more`}
      </Text>
    ),
  },
  {
    header: 'Waited',
    isNumber: true,
    by: ({ waitedMs }) => waitedMs,
    cell: ({ waitedMs }) => <Since at={readAt - waitedMs} />,
  },
  {
    header: 'Waits for',
    by: ({ rule }) => waitsForWords(rule),
    cell: ({ rule, why }) => (
      <Text size="sm" span style={{ whiteSpace: 'nowrap' }} title={why}>
        {waitsForWords(rule)}
      </Text>
    ),
  },
  {
    header: 'Widens in',
    isNumber: true,
    by: ({ widensInSeconds }) => widensInSeconds ?? Infinity,
    cell: ({ rule, widensInSeconds }) => (rule === 'none' ? '–' : widensWords(widensInSeconds)),
  },
  {
    header: 'Estimate',
    isNumber: true,
    by: ({ estimate }) => estimate?.fromSeconds ?? Infinity,
    cell: ({ estimate }) => (
      <Text
        size="sm"
        span
        style={{ whiteSpace: 'nowrap' }}
        title={
          estimate
            ? `The middle half of the remaining waits of ${estimate.basedOn} similar tickets`
            : 'Too few similar tickets were matched recently.'
        }
      >
        {estimateWords(estimate)}
      </Text>
    ),
  },
  {
    header: 'Skill',
    isNumber: true,
    by: ({ skill }) => skill,
    cell: ({ skill }) => numberWords(skill),
  },
  {
    header: 'Skill window',
    isNumber: true,
    by: ({ window }) => window ?? Infinity,
    cell: ({ window }) => (window === null ? 'no limit' : numberWords(window)),
  },
  { header: 'Build', by: ({ build }) => build, cell: ({ build }) => build },
];

const estimateWords = (estimate: WaitingTicket['estimate']): string => {
  if (!estimate) return '–';
  const from = durationWords(1_000 * Math.round(estimate.fromSeconds));
  return estimate.toSeconds === null
    ? `over ${from}`
    : `${from} to ${durationWords(1_000 * Math.round(estimate.toSeconds))}`;
};

const widensWords = (seconds: number | null): string => {
  if (seconds === null) return 'not by time';
  return seconds <= 0 ? 'now' : durationWords(1_000 * Math.ceil(seconds));
};
