import { Badge, Button, CopyButton, Grid, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { attemptsOf } from '../tickets/ticket.js';
import { useEventsOf } from '../tickets/use-events.js';
import { Facts } from '../ui/values/facts.js';
import { PoolLink, QueueLink, ServerLink } from '../ui/links/links.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { Story } from '../ui/story.js';
import { Ago, Took } from '../ui/values/time.js';
import { BalancePanel } from './balance.panel.js';
import { ConductPanel } from './result/conduct.panel.js';
import { ConflictsPanel } from './result/conflicts.panel.js';
import { FairnessPanel } from './fairness/fairness.panel.js';
import { MatchActions } from './match-actions.js';
import { knownTicketOf, type Match } from './match.js';
import { resultWords, stateColour, stateWords } from './match-words.js';
import { ResultPanel } from './result/result.panel.js';
import { SplitPanel } from './teams/split.panel.js';
import { storyOf } from './story.js';
import { TeamsPanel } from './teams/teams.panel.js';
import { useConductOf, useConflictsOf, useRulesOf } from './fairness/use-around.js';

const everyMs = 15_000;

/** A match from the first player who queued to what it did to ratings: the answer to “unfair match last night”. */
export function MatchPage(): ReactElement {
  const { matchId } = useParams({ from: '/matches/$matchId' });
  const match = useCall('readMatch', { params: { matchId } }, { everyMs });
  return (
    <Page
      title={`Match ${matchId}`}
      actions={
        <>
          <CopyButton value={window.location.href}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy link'}
              </Button>
            )}
          </CopyButton>
          {match.data && <MatchActions match={match.data} />}
        </>
      }
    >
      <Shown of={match}>{(answer) => <Whole match={answer} />}</Shown>
    </Page>
  );
}

function Whole({ match }: { readonly match: Match }): ReactElement {
  const rules = useRulesOf(match);
  const conduct = useConductOf(match);
  const conflicts = useConflictsOf(match);
  const { penalties, reports } = conduct;
  const attempts = attemptsOf(useEventsOf(knownTicketOf(match, Date.now())).data ?? [], match.matchId);
  const sides = rules.data?.rules.sides;
  return (
    <Stack gap="md">
      <Overview match={match} rulesVersion={rules.data?.version} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <FairnessPanel match={match} rules={rules} penalties={penalties} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Panel title="What happened">
            <Story steps={storyOf(match, { penalties, reports, conflicts, attempts })} />
          </Panel>
        </Grid.Col>
      </Grid>
      <TeamsPanel match={match} sides={sides} penalties={penalties} />
      <ResultPanel match={match} />
      <SplitPanel match={match} hasSides={sides !== undefined} />
      <BalancePanel match={match} />
      <ConductPanel match={match} conduct={conduct} />
      <ConflictsPanel conflicts={conflicts} />
    </Stack>
  );
}

function Overview({
  match,
  rulesVersion,
}: {
  readonly match: Match;
  readonly rulesVersion: number | undefined;
}): ReactElement {
  const { state, queue, pool, map, region, serverId, build, placedAt, endedAt, closedAt } = match;
  const from = match.formedAt ?? match.proposedAt;
  return (
    <Panel title="At a glance">
      <Facts
        of={[
          [
            'State',
            <Badge key="state" color={stateColour[state]} variant="light">
              {stateWords[state]}
            </Badge>,
          ],
          ['Result', resultWords(match) || null],
          ['Why it ended so', match.closeReason],
          ['Queue', queue !== null && <QueueLink key="queue" id={queue} />],
          ['Rules', rulesVersion !== undefined && `version ${rulesVersion}`],
          ['Pool', <PoolLink key="pool" id={pool} />],
          ['Map', map],
          ['Region', region],
          ['Server', serverId !== null && <ServerLink key="server" id={serverId} />],
          ['Build', build],
          ['Formed', from !== null && <Ago key="formed" at={from} />],
          [
            'Played for',
            placedAt !== null && <Took key="played" ms={(endedAt ?? closedAt ?? Date.now()) - placedAt} />,
          ],
          ['Ended', endedAt !== null && <Ago key="ended" at={endedAt} />],
          ['Session', match.sessionId],
          ['Trace', match.traceId],
          ['Played elsewhere as', match.externalId],
        ]}
      />
    </Panel>
  );
}
