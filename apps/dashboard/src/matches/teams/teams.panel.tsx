import { Badge, Card, Group, SimpleGrid, Text, Title } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { PlayerLink, TicketLink } from '../../ui/links/links.js';
import { Panel } from '../../ui/panel.js';
import { DataTable, type Column } from '../../ui/table.js';
import { At, Took } from '../../ui/values/time.js';
import { numberWords, percentWords } from '../../ui/values/words.js';
import { partiesOf, teamsOf, type Match, type MatchPlayer, type Penalty, type Rules } from '../match.js';
import { penaltyWords, pointsWords, teamWords } from '../match-words.js';

/** The teams side by side: who was in them, how strong, how long they had waited. */
export function TeamsPanel({
  match,
  sides,
  penalties,
}: {
  readonly match: Match;
  readonly sides: Rules['sides'];
  readonly penalties: readonly Penalty[];
}): ReactElement {
  const teams = teamsOf(match);
  const columns = columnsOf(match, penalties);
  return (
    <Panel title="Teams">
      <SimpleGrid cols={{ base: 1, lg: Math.min(2, teams.length), xl: Math.min(3, teams.length) }}>
        {teams.map((players, team) => (
          <Team key={team} match={match} team={team} title={teamWords(team, sides)}>
            <DataTable
              caption={`Players of ${teamWords(team, sides)}`}
              rows={players}
              columns={columns}
              keyOf={({ playerId }) => playerId}
              empty="Nobody is in this team."
            />
          </Team>
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt="xs">
        Level: what the player counted for the teams, in rating points, with its uncertainty (one standard
        deviation). Players with the same letter queued together.
      </Text>
    </Panel>
  );
}

function Team({
  match: { prediction, ranks, scores, split, bots },
  team,
  title,
  children,
}: {
  readonly match: Match;
  readonly team: number;
  readonly title: string;
  readonly children: ReactNode;
}): ReactElement {
  const isFirst = ranks.length > 0 && ranks[team] === Math.min(...ranks);
  const facts = [
    prediction[team] !== undefined && `chance ${percentWords(prediction[team])}`,
    split?.sums[team] !== undefined && `${pointsWords(split.sums[team])} rating points together`,
    scores?.[team] !== undefined && `score ${numberWords(scores[team])}`,
    (bots[team] ?? 0) > 0 && `${bots[team]} bots`,
  ].filter((fact) => fact !== false);
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={3}>{title}</Title>
        {ranks[team] !== undefined && (
          <Badge variant="light" color={isFirst ? 'green' : 'gray'}>
            {isFirst ? 'rank 1' : `rank ${ranks[team]}`}
          </Badge>
        )}
      </Group>
      <Text size="sm" mb="xs">
        {facts.join(' · ')}
      </Text>
      {children}
    </Card>
  );
}

function columnsOf(match: Match, penalties: readonly Penalty[]): readonly Column<MatchPlayer>[] {
  const parties = partiesOf(match);
  const hasRoles = match.players.some(({ role }) => role !== null);
  return [
    {
      header: 'Player',
      cell: ({ playerId, name }) => (
        <span className="one-line">
          <PlayerLink id={playerId} name={name} />
        </span>
      ),
      by: ({ playerId, name }) => name ?? playerId,
    },
    {
      header: 'Level',
      isNumber: true,
      cell: ({ level, before }) =>
        level === null ? '–' : `${pointsWords(level)}${before ? ` ± ${pointsWords(before.sigma)}` : ''}`,
      by: ({ level }) => level ?? 0,
    },
    ...(hasRoles
      ? [
          {
            header: 'Role',
            cell: ({ role }: MatchPlayer) => role ?? '–',
            by: ({ role }: MatchPlayer) => role ?? '',
          },
        ]
      : []),
    {
      header: 'Party',
      cell: ({ ticketId }) =>
        ticketId === null ? '–' : <TicketLink id={ticketId} name={parties.get(ticketId) ?? 'alone'} />,
      by: ({ ticketId }) => parties.get(ticketId ?? '') ?? '',
    },
    {
      header: 'Waited',
      isNumber: true,
      cell: ({ waitedMs }) => <Took ms={waitedMs} />,
      by: ({ waitedMs }) => waitedMs ?? 0,
    },
    { header: 'Notes', cell: (player) => <Notes player={player} penalties={penalties} /> },
  ];
}

function Notes({
  player: { playerId, booster, joinedAt, leftAt },
  penalties,
}: {
  readonly player: MatchPlayer;
  readonly penalties: readonly Penalty[];
}): ReactElement {
  const blamed = penalties.filter((penalty) => penalty.playerId === playerId && leftAt === null);
  return (
    <>
      {booster && (
        <div>
          Booster: {booster.higher ? 'up' : 'down'} in {booster.division}
        </div>
      )}
      {joinedAt !== null && (
        <div>
          Joined <At at={joinedAt} />
        </div>
      )}
      {leftAt !== null && (
        <div>
          Left for good <At at={leftAt} />
        </div>
      )}
      {blamed.map(({ penaltyId, kind }) => (
        <div key={penaltyId}>{penaltyWords[kind]}</div>
      ))}
    </>
  );
}
