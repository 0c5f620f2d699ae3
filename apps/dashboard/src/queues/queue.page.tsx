import { Alert, Button, SimpleGrid, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { Figure } from '../ui/values/figure.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Empty, Failed, Reading } from '../ui/states.js';
import { Ago, Took } from '../ui/values/time.js';
import { numberWords, percentWords } from '../ui/values/words.js';
import { RulesTable } from '../rules/rules-table.js';
import { PauseAction, ResumeAction } from './pause-actions.js';
import { isInForce, pauseWords, type Pause } from './pause-words.js';
import { QueueStatistics, spanOf, spans } from './statistics.js';
import { useWaiting, type WaitingList } from './use-waiting.js';
import { WaitFairness } from './wait-fairness-chart.js';
import { Waiting } from './waiting.js';
import { medianOf } from './waiting-rules.js';

const stepMs = 60_000;

/** A queue: who waits for what, how it did, its rules. */
export function QueuePage(): ReactElement {
  const { queue } = useParams({ from: '/queues/$queue' });
  const search = useSearch({ from: '/queues/$queue' });
  const navigate = useNavigate({ from: '/queues/$queue' });
  const span = spanOf(search['span']);
  const queues = useCall('listQueues', {}, { everyMs: 10_000 });
  const waiting = useWaiting(queue);
  const from = Math.floor((Date.now() - spans[span].ms) / stepMs) * stepMs;
  const statistics = useCall('readStatistics', { query: { queue, from } }, { everyMs: 30_000 });
  const inForce = queues.data?.queues.find(({ name }) => name === queue);
  const maintenance = queues.data?.maintenance;
  const paused = inForce?.paused ?? (isInForce(maintenance) ? maintenance : undefined);
  if (queues.data && !inForce)
    return (
      <Page title={`Queue ${queue}`}>
        <Empty>
          There is no queue {queue}. <Link to="/queues">The queues that there are</Link>
        </Empty>
      </Page>
    );
  return (
    <Page
      title={`Queue ${queue}`}
      actions={
        inForce && (
          <>
            <Button size="xs" variant="default" component={Link} to={`/queues/${queue}/rules`}>
              Rules, version {inForce.version}
            </Button>
            <PauseAction queue={queue} paused={inForce.paused} />
            <ResumeAction queue={queue} paused={inForce.paused} />
          </>
        )
      }
    >
      {paused && <Paused pause={paused} isOfAll={inForce?.paused === undefined} />}
      {waiting.error && <Failed error={waiting.error} again={waiting.again} />}
      {waiting.tickets ? (
        <>
          <Figures waiting={waiting} lately={statistics.data?.queues[0]?.total} time={spans[span].words} />
          <Waiting queue={queue} list={waiting} rule={search['rule']} isPaused={paused !== undefined} />
        </>
      ) : (
        !waiting.error && <Reading />
      )}
      <WaitFairness queue={queue} />
      <QueueStatistics
        statistics={statistics}
        span={span}
        select={(chosen) => void navigate({ search: (before) => ({ ...before, span: chosen }) })}
      />
      {inForce && (
        <Panel title={`Rules in force, version ${inForce.version}`}>
          <RulesTable rules={inForce} />
        </Panel>
      )}
    </Page>
  );
}

function Paused({
  pause,
  isOfAll,
}: {
  readonly pause: Pause;
  /** Maintenance of all queues. */
  readonly isOfAll: boolean;
}): ReactElement {
  return (
    <Alert color="yellow" title={isOfAll ? 'Maintenance: all queues are paused' : 'This queue is paused'}>
      <Text size="sm" component="div" className="wraps">
        “{pause.message}” Since <Ago at={pause.startsAt} />. {pauseWords(pause)}{' '}
        {isOfAll && <Link to="/queues">End it on the page of queues.</Link>}
      </Text>
    </Alert>
  );
}

function Figures({
  waiting: { tickets = [], total },
  lately,
  time,
}: {
  readonly waiting: WaitingList;
  readonly lately: AnswerOf<'readStatistics'>['queues'][number]['total'] | undefined;
  /** What the figures are of. */
  readonly time: string;
}): ReactElement {
  const waits = tickets.map(({ waitedMs }) => waitedMs);
  const longest = waits.reduce((most, each) => Math.max(most, each), 0);
  const players = tickets.reduce((sum, ticket) => sum + ticket.players.length, 0);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
      <Figure
        label="Waiting now"
        value={numberWords(total)}
        unit="tickets"
        note={tickets.length < total ? 'still being read' : `${numberWords(players)} players`}
      />
      <Figure label="Median wait so far" value={<Took ms={medianOf(waits)} />} />
      <Figure label="Longest wait" value={<Took ms={longest} />} />
      <Figure label="Time to match, p50" value={<Took ms={lately?.matchMs?.p50} />} note={time} />
      <Figure label="Time to match, p95" value={<Took ms={lately?.matchMs?.p95} />} note={time} />
      <Figure
        label="Favourite’s lead, p50"
        value={percentWords(lately?.favouriteLead?.p50, 1)}
        note={`${numberWords(lately?.matches)} matches ${time}`}
      />
    </SimpleGrid>
  );
}
