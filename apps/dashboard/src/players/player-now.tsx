import { Alert, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import type { PlayerOverview } from '@muster/sdk';
import { Fragment, type ReactElement } from 'react';
import { Figure } from '../ui/values/figure.js';
import { MatchLink, PlayerLink, QueueLink, TicketLink } from '../ui/links/links.js';
import { Ago, At, Since } from '../ui/values/time.js';
import { numberWords } from '../ui/values/words.js';
import { BanAction, LiftBan } from './player-actions.js';

/** What holds a player now: a ban, a ticket, a party. */
export function PlayerNow({ player }: { readonly player: PlayerOverview }): ReactElement {
  const { ticket, party, penalties, behaviour, ratings } = player;
  const counting = penalties.penalties.filter(
    ({ forgivenAt, liftedAt }) => forgivenAt === null && (liftedAt ?? null) === null,
  );
  return (
    <Stack gap="sm">
      {penalties.ban && <Banned playerId={player.playerId} ban={penalties.ban} />}
      <SimpleGrid cols={{ base: 2, lg: 4 }}>
        <Figure label="Now" value={ticketWords(ticket)} note={<TicketNote ticket={ticket} />} />
        <Figure
          label="Party"
          value={party === null ? 'none' : `${party.members.length} players`}
          note={party === null ? 'Not in a party.' : <Party party={party} />}
        />
        <Figure
          label="Can queue"
          value={penalties.ban ? 'no, banned' : penalties.mayQueueAt === null ? 'yes' : 'no, cooling down'}
          note={
            penalties.mayQueueAt === null || penalties.ban ? (
              `${counting.length} ${counting.length === 1 ? 'penalty counts' : 'penalties count'}`
            ) : (
              <>
                again <Ago at={penalties.mayQueueAt} />
              </>
            )
          }
        />
        <Figure
          label="Behaviour"
          value={behaviour.word}
          note={`score ${numberWords(behaviour.score)} of 1, ${behaviour.reports.length} reports`}
        />
      </SimpleGrid>
      {ratings.length === 0 && player.matches.length === 0 && ticket === null && (
        <Text size="sm" c="dimmed">
          No data for this id: no rating, no match, no ticket. Ids are those of the game’s login, and
          case-sensitive.
        </Text>
      )}
    </Stack>
  );
}

type Ticket = NonNullable<PlayerOverview['ticket']>;
const states: Readonly<Record<Ticket['state'], string>> = {
  waiting: 'waiting',
  proposed: 'a match is being made',
  accepting: 'asked to accept',
  placing: 'waits for a server',
  assigned: 'in a match',
  cancelled: 'not queued',
  expired: 'not queued',
  failed: 'not queued',
};

function ticketWords(ticket: Ticket | null): string {
  if (ticket === null || ticket.closed) return 'not queued';
  return states[ticket.state];
}

function TicketNote({ ticket }: { readonly ticket: Ticket | null }): ReactElement {
  if (ticket === null) return <>No open ticket.</>;
  const { ticketId, queue, matchId, at, enqueuedAt, closed, reason } = ticket;
  return (
    <>
      {closed ? (
        <>
          last ticket <TicketLink id={ticketId} />, ended <Ago at={at} />
        </>
      ) : (
        <>
          <TicketLink id={ticketId} /> in <QueueLink id={queue} />, for <Since at={enqueuedAt} />
        </>
      )}
      {matchId !== undefined && (
        <>
          , match <MatchLink id={matchId} />
        </>
      )}
      <br />
      {reason}
    </>
  );
}

function Party({ party }: { readonly party: NonNullable<PlayerOverview['party']> }): ReactElement {
  return (
    <>
      led by <PlayerLink id={party.leader} />
      {party.members
        .filter(({ playerId }) => playerId !== party.leader)
        .map(({ playerId }) => (
          <Fragment key={playerId}>
            , <PlayerLink id={playerId} />
          </Fragment>
        ))}
    </>
  );
}

function Banned({
  playerId,
  ban,
}: {
  readonly playerId: string;
  readonly ban: NonNullable<AnswerOf<'readPenalties'>['ban']>;
}): ReactElement {
  return (
    <Alert color="red" title="Banned from every queue">
      <Group justify="space-between">
        <Text size="sm">
          Until <At at={ban.until} /> (<Ago at={ban.until} />
          ), since <Ago at={ban.since} />, by {ban.by}: {ban.reason}
        </Text>
        <Group gap="xs">
          <BanAction playerId={playerId} ban={ban} />
          <LiftBan playerId={playerId} />
        </Group>
      </Group>
    </Alert>
  );
}
