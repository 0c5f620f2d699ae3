import { SimpleGrid, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { Figure } from '../ui/values/figure.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { numberWords } from '../ui/values/words.js';
import { DeadLetters } from './dead-letters.js';
import { FailedJobs } from './failed-jobs.js';
import { purposeOf, shownQueue } from './job-queues.js';
import { Services } from './services.js';

type JobQueues = AnswerOf<'listJobQueues'>['queues'];

/** Jobs between the services, those that failed for good, and the replicas that do them. */
export function JobsPage(): ReactElement {
  const { queue } = useSearch({ from: '/jobs' });
  const jobQueues = useCall('listJobQueues', {}, { everyMs: 5_000 });
  return (
    <Page title="Jobs">
      <Shown of={jobQueues}>
        {({ queues }) => (
          <>
            <Sums queues={queues} />
            <Letters asked={queue} queues={queues} />
            <Panel title="Job queues">
              <DataTable
                caption="Job queues with their counts"
                rows={queues}
                columns={columns}
                keyOf={({ jobQueue }) => jobQueue}
                empty="No job queues are known."
              />
            </Panel>
          </>
        )}
      </Shown>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Services />
        <FailedJobs />
      </SimpleGrid>
    </Page>
  );
}

function Sums({ queues }: { readonly queues: JobQueues }): ReactElement {
  const sum = (state: 'waiting' | 'active' | 'delayed' | 'dead'): number =>
    queues.reduce((all, each) => all + each[state], 0);
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }}>
      <Figure label="Waiting" value={numberWords(sum('waiting'))} unit="jobs" note="Not started yet." />
      <Figure label="In progress" value={numberWords(sum('active'))} unit="jobs" />
      <Figure
        label="To be retried"
        value={numberWords(sum('delayed'))}
        unit="jobs"
        note="Failed; the next attempt is scheduled."
      />
      <Figure
        label="Dead letters"
        value={numberWords(sum('dead'))}
        unit="jobs"
        note="All attempts failed. Retry or drop them."
      />
    </SimpleGrid>
  );
}

function Letters({
  asked,
  queues,
}: {
  readonly asked: string | undefined;
  readonly queues: JobQueues;
}): ReactElement {
  const shown = shownQueue(asked, queues);
  if (shown === null)
    return (
      <Panel title="Dead letters">
        <Empty>
          No dead letters. A job whose attempts have all failed is listed here with its error and payload.
        </Empty>
      </Panel>
    );
  const { dead = 0 } = queues.find(({ jobQueue }) => jobQueue === shown) ?? {};
  return <DeadLetters key={shown} jobQueue={shown} dead={dead} />;
}

type JobQueueRow = JobQueues[number];

const count = (header: string, of: (queue: JobQueueRow) => number): Column<JobQueueRow> => ({
  header,
  cell: (queue) => numberWords(of(queue)),
  by: of,
  isNumber: true,
});

const columns: readonly Column<JobQueueRow>[] = [
  {
    header: 'Queue',
    cell: ({ jobQueue }) => (
      <Link to="/jobs" search={{ queue: jobQueue }}>
        {jobQueue}
      </Link>
    ),
    by: ({ jobQueue }) => jobQueue,
  },
  {
    header: 'Purpose',
    cell: ({ jobQueue }) => (
      <Text span size="sm" c="dimmed">
        {purposeOf(jobQueue)}
      </Text>
    ),
  },
  count('Waiting', ({ waiting }) => waiting),
  count('In progress', ({ active }) => active),
  count('To be retried', ({ delayed }) => delayed),
  count('Dead letters', ({ dead }) => dead),
];
