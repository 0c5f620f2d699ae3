import { Alert, Badge, Code, Grid, Stack, Text } from '@mantine/core';
import { MusterProblem } from '@muster/sdk';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { Facts } from '../ui/values/facts.js';
import { MatchLink, PlayerLinks, QueueLink, ServerLink } from '../ui/links/links.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';
import { Story } from '../ui/story.js';
import { Ago, Since, Took } from '../ui/values/time.js';
import { durationWords, numberWords, waitsForWords } from '../ui/values/words.js';
import { CancelTicket } from './cancel-ticket.js';
import { storyOf, ticketColour, ticketWords, type Ticket } from './ticket.js';
import { useEventsOf } from './use-events.js';

const everyMs = 3_000;
/** The API forgets a ticket an hour after it ended. */
const forgotten = ['ticket-not-found', 'ticket-lost'];

/** A ticket from its queueing to its end. */
export function TicketPage(): ReactElement {
  const { ticketId } = useParams({ from: '/tickets/$ticketId' });
  const ticket = useCall('readTicket', { params: { ticketId }, query: {} }, { everyMs });
  const { data, error } = ticket;
  if (!data && error instanceof MusterProblem && forgotten.includes(error.code))
    return (
      <Page title={`Ticket ${ticketId}`}>
        <Alert title="This ticket is not known">
          Tickets are known until an hour after they end. Their match is kept: look for it by its player on{' '}
          <Link to="/matches">Matches</Link>.
        </Alert>
      </Page>
    );
  return (
    <Page title={`Ticket ${ticketId}`} actions={data && <CancelTicket ticket={data} />}>
      <Shown of={ticket}>{(answer) => <Whole ticket={answer} />}</Shown>
    </Page>
  );
}

function Whole({ ticket }: { readonly ticket: Ticket }): ReactElement {
  return (
    <Stack gap="md">
      <Overview ticket={ticket} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Happened ticket={ticket} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack gap="md">
            {ticket.state === 'waiting' && <Waiting ticket={ticket} />}
            <Wishes ticket={ticket} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function Overview({ ticket }: { readonly ticket: Ticket }): ReactElement {
  const { state, reason, queue, build, players, enqueuedAt, at, closed, expiresAt, matchId, assignment } =
    ticket;
  const { rulesVersion, acceptBy, accepted = [] } = ticket;
  return (
    <Panel title="At a glance">
      <Facts
        of={[
          [
            'State',
            <Badge key="state" color={ticketColour[state]} variant="light">
              {ticketWords[state]}
            </Badge>,
          ],
          ['Why', reason],
          [
            players.length === 1 ? 'Player' : `Players, the leader first`,
            <PlayerLinks key="players" ids={players} />,
          ],
          ['Queue', <QueueLink key="queue" id={queue} />],
          ['Rules', rulesVersion !== undefined && `version ${rulesVersion}`],
          ['Build', build],
          ['Queued', <Ago key="queued" at={enqueuedAt} />],
          [
            closed ? 'Closed after' : 'Age',
            closed ? <Took key="age" ms={at - enqueuedAt} /> : <Since key="age" at={enqueuedAt} />,
          ],
          ['Expires', state === 'waiting' && <Ago key="expires" at={expiresAt} />],
          ['Accept by', acceptBy !== undefined && <Ago key="accept" at={acceptBy} />],
          ['Accepted', acceptBy !== undefined && `${accepted.length} of ${players.length} players`],
          ['Match', matchId !== undefined && <MatchLink key="match" id={matchId} />],
          ['Server', assignment && <ServerLink key="server" id={assignment.serverId} />],
          ['Region', assignment?.region],
          ['Team', assignment && `Team ${assignment.team + 1}`],
        ]}
      />
    </Panel>
  );
}

/** Why it waits, when that changes, and how long similar tickets waited. */
function Waiting({ ticket: { waiting, paused } }: { readonly ticket: Ticket }): ReactElement {
  return (
    <Panel title="Why it waits">
      <Stack gap="sm">
        {paused && (
          <Alert color="orange" title="The queue is paused">
            No match is formed: {paused.message}
          </Alert>
        )}
        {waiting ? (
          <>
            <Text size="sm">{waiting.why}</Text>
            <Facts
              of={[
                ['It waits for', waitsForWords(waiting.rule)],
                [
                  'It relaxes',
                  waiting.widensInSeconds === null
                    ? 'not with time alone'
                    : `in ${durationWords(1_000 * waiting.widensInSeconds)}`,
                ],
                ['Estimate', estimateWords(waiting.estimate)],
              ]}
            />
          </>
        ) : (
          <Empty>It is not known yet: the matcher looks at it within a second.</Empty>
        )}
      </Stack>
    </Panel>
  );
}

function estimateWords(estimate: NonNullable<Ticket['waiting']>['estimate']): string {
  if (!estimate) return 'none: too few similar tickets were matched lately';
  const { fromSeconds, toSeconds, basedOn } = estimate;
  const to = toSeconds === null ? 'no known end' : durationWords(1_000 * toSeconds);
  return `${durationWords(1_000 * fromSeconds)} to ${to} more, by ${numberWords(basedOn)} similar tickets`;
}

/** Every state with its time and reason. */
function Happened({ ticket: { ticketId, seq } }: { readonly ticket: Ticket }): ReactElement {
  const events = useEventsOf(ticketId, seq);
  return (
    <Panel title="What happened">
      <Shown of={events}>
        {(all) =>
          all.length === 0 ? <Empty>Its events are not kept any more.</Empty> : <Story steps={storyOf(all)} />
        }
      </Shown>
    </Panel>
  );
}

/** What its players wished for, and what they told of themselves. */
function Wishes({ ticket }: { readonly ticket: Ticket }): ReactElement {
  const { maps, canPlay, platforms, crossPlay, booster, attributes } = ticket;
  const byPlayer = (of: Readonly<Record<string, string | readonly string[]>>): string =>
    Object.entries(of)
      .map(([playerId, value]) => `${playerId}: ${typeof value === 'string' ? value : value.join(', ')}`)
      .join('; ');
  return (
    <Panel title="Wishes">
      <Facts
        of={[
          ['Maps', maps?.join(', ') ?? 'any'],
          ['Can play', canPlay ? byPlayer(canPlay) : 'no roles named'],
          ['Platforms', platforms ? byPlayer(platforms) : 'none named'],
          ['Cross-play', crossPlay === false ? 'refused' : 'allowed'],
          ['Booster', booster && `${booster.division}${booster.higher ? ', above the own division' : ''}`],
          [
            'For the server',
            attributes && (
              <Code key="for" block>
                {JSON.stringify(attributes, null, 2)}
              </Code>
            ),
          ],
        ]}
      />
    </Panel>
  );
}
