import { Group, Text } from '@mantine/core';
import type { AnswerOf, JobQueue } from '@muster/contracts';
import { MusterProblem } from '@muster/sdk';
import { useCallback, type ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { useMay, useSession } from '../session/session.js';
import { Action } from '../ui/action.js';
import { IdLinks } from '../ui/links/id-link.js';
import { idsIn } from '../ui/links/ids.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago } from '../ui/values/time.js';
import { numberWords } from '../ui/values/words.js';
import { ActOnAll } from './act-on-all.js';
import { Details } from '../ui/details.js';
import { oneByOne, type Progress } from './one-by-one.js';

type DeadJob = AnswerOf<'listDeadJobs'>['jobs'][number];

const shownAtOnce = 100;
const pageOfAll = 500;
const linksOfPayload = 4;

/** The dead letters of a job queue, and what can be done about them. @param dead how many there are */
export function DeadLetters({
  jobQueue,
  dead,
}: {
  readonly jobQueue: JobQueue;
  readonly dead: number;
}): ReactElement {
  const letters = useCall(
    'listDeadJobs',
    { params: { jobQueue }, query: { limit: shownAtOnce } },
    { everyMs: 10_000 },
  );
  return (
    <Panel title={`Dead letters of ${jobQueue}`} actions={<AllOf jobQueue={jobQueue} dead={dead} />}>
      <Shown of={letters}>
        {({ jobs }) => (
          <>
            <DataTable
              caption={`Dead letters of ${jobQueue}, latest first`}
              rows={jobs}
              columns={columns}
              keyOf={({ jobId }) => jobId}
              empty={`No dead letters in ${jobQueue}. A job whose attempts have all failed is listed here with its error.`}
            />
            {dead > jobs.length && (
              <Text size="sm" c="dimmed">
                Showing the latest {numberWords(jobs.length)} of {numberWords(dead)}.
              </Text>
            )}
          </>
        )}
      </Shown>
    </Panel>
  );
}

const columns: readonly Column<DeadJob>[] = [
  { header: 'Last attempt', cell: ({ deadAt }) => <Ago at={deadAt} />, by: ({ deadAt }) => deadAt },
  {
    header: 'Job',
    cell: ({ jobId }) => (
      <div className="wraps" style={{ minWidth: 160 }}>
        {jobId}
      </div>
    ),
  },
  { header: 'About', cell: ({ payload }) => <IdLinks ids={idsIn(payload, linksOfPayload)} /> },
  {
    header: 'Attempts',
    cell: ({ attempts }) => numberWords(attempts),
    by: ({ attempts }) => attempts,
    isNumber: true,
  },
  {
    header: 'Error',
    cell: ({ reason }) => (
      <div className="wraps" style={{ minWidth: 220 }}>
        {reason}
      </div>
    ),
    by: ({ reason }) => reason,
  },
  { header: 'Actions', cell: (job) => <ActionsOf job={job} /> },
];

function ActionsOf({ job }: { readonly job: DeadJob }): ReactElement {
  const { operator } = useSession();
  const { jobId, payload } = job;
  const jobQueue = job.jobQueue as JobQueue;
  return (
    <Group gap={4} wrap="nowrap">
      <Details label="Payload" title={`Payload of ${jobId}`} document={payload} />
      <Action
        call="retryDeadJob"
        label="Retry"
        title={`Retry ${jobId}`}
        text="The job runs again with all its attempts. If they fail, it returns to this list. Fix the cause of its error first."
        send={() => operator.retryDeadJob(jobQueue, jobId)}
        done={`Retried ${jobId}.`}
      />
      <Action
        call="dropDeadJob"
        label="Drop"
        title={`Drop ${jobId}`}
        text="The job is deleted and its work is not done. This cannot be undone."
        isGrave
        send={() => operator.dropDeadJob(jobQueue, jobId)}
        done={`Dropped ${jobId}.`}
      />
    </Group>
  );
}

function AllOf({
  jobQueue,
  dead,
}: {
  readonly jobQueue: JobQueue;
  readonly dead: number;
}): ReactElement | null {
  const may = useMay();
  const { operator } = useSession();
  const run = useCallback(
    (act: 'retryDeadJob' | 'dropDeadJob'): AsyncIterable<Progress> =>
      oneByOne(
        async () => (await operator.deadJobs(jobQueue, { limit: pageOfAll })).jobs.map(({ jobId }) => jobId),
        async (jobId) => {
          try {
            await operator[act](jobQueue, jobId);
            return 'done';
          } catch (error) {
            if (error instanceof MusterProblem && error.code === 'job-not-found') return 'gone';
            throw error;
          }
        },
      ),
    [operator, jobQueue],
  );
  if (!may('retryDeadJob')) return null;
  const letters = dead === 1 ? 'the dead letter' : `all ${numberWords(dead)} dead letters`;
  return (
    <>
      <ActOnAll
        label="Retry all"
        title={`Retry ${letters} of ${jobQueue}`}
        text="Each job runs again with all its attempts, one after the other. Jobs that fail again return to this list."
        total={dead}
        acted="retried"
        run={() => run('retryDeadJob')}
      />
      <ActOnAll
        label="Drop all"
        title={`Drop ${letters} of ${jobQueue}`}
        text="The jobs are deleted one after the other, and their work is not done. This cannot be undone."
        total={dead}
        acted="dropped"
        isGrave
        run={() => run('dropDeadJob')}
      />
    </>
  );
}
