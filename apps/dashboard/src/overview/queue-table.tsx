import { Badge, Group } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { QueueLink } from '../ui/links/links.js';
import { DataTable, type Column } from '../ui/table.js';
import { Since } from '../ui/values/time.js';
import { durationWords, numberWords, waitsForWords } from '../ui/values/words.js';
import type { QueueLately } from './lately.js';
import type { Oldest } from './look.js';

type Rules = AnswerOf<'listQueues'>['queues'][number];

interface Row {
  readonly name: string;
  readonly rules: Rules | undefined;
  readonly lately: QueueLately | undefined;
  readonly oldest: Oldest | undefined;
}

/** The queues with what happens in each. Those of the statistics are there before the rules are. */
export function QueueTable({
  queues,
  lately,
  oldest,
}: {
  readonly queues: readonly Rules[] | undefined;
  readonly lately: readonly QueueLately[] | undefined;
  readonly oldest: ReadonlyMap<string, Oldest> | undefined;
}): ReactElement {
  const names = queues?.map(({ name }) => name) ?? lately?.map(({ queue }) => queue) ?? [];
  const rows = names.map((name): Row => ({
    name,
    rules: queues?.find((each) => each.name === name),
    lately: lately?.find(({ queue }) => queue === name),
    oldest: oldest?.get(name),
  }));
  return (
    <DataTable
      caption="Queues and what happens in them"
      rows={rows}
      columns={columns}
      keyOf={({ name }) => name}
      empty="No queues. Apply rules to create one."
    />
  );
}

const p95 = ({ lately }: Row): number | undefined => lately?.total.matchMs?.p95;

const columns: readonly Column<Row>[] = [
  {
    header: 'Queue',
    by: ({ name }) => name,
    cell: ({ name, rules }) => (
      <Group gap="xs" wrap="nowrap">
        <QueueLink id={name} />
        {rules?.paused && (
          <Badge color="blue" variant="dot" title={rules.paused.message}>
            paused
          </Badge>
        )}
      </Group>
    ),
  },
  {
    header: 'Waiting',
    isNumber: true,
    by: ({ lately }) => lately?.waiting ?? -1,
    cell: ({ lately }) => numberWords(lately?.waiting),
  },
  {
    header: 'Longest wait',
    isNumber: true,
    by: ({ oldest }) => (oldest ? -oldest.enqueuedAt : Number.NEGATIVE_INFINITY),
    cell: ({ oldest }) =>
      oldest ? (
        <Link to="/tickets/$ticketId" params={{ ticketId: oldest.ticketId }}>
          <Since at={oldest.enqueuedAt} />
        </Link>
      ) : (
        '–'
      ),
  },
  {
    header: 'It waits for',
    cell: ({ oldest }) => (
      <div title={oldest?.why} style={{ minWidth: 130 }}>
        {waitsForWords(oldest?.rule)}
      </div>
    ),
  },
  {
    header: 'Time to match, p50',
    isNumber: true,
    by: ({ lately }) => lately?.total.matchMs?.p50 ?? -1,
    cell: ({ lately }) => durationWords(lately?.total.matchMs?.p50 ?? NaN),
  },
  {
    header: 'p95',
    isNumber: true,
    by: (row) => p95(row) ?? -1,
    cell: (row) => durationWords(p95(row) ?? NaN),
  },
  {
    header: 'Matches a minute',
    isNumber: true,
    by: ({ lately }) => lately?.matches ?? -1,
    cell: ({ lately }) => numberWords(lately?.matches),
  },
  {
    header: 'Expired, failed',
    isNumber: true,
    by: ({ lately }) => (lately ? lately.total.expired + lately.total.failed : -1),
    cell: ({ lately }) =>
      lately ? `${numberWords(lately.total.expired)}, ${numberWords(lately.total.failed)}` : '–',
  },
];
