import { Badge, Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { Facts } from '../../ui/values/facts.js';
import { PlayerLink } from '../../ui/links/links.js';
import { Panel } from '../../ui/panel.js';
import { numberWords } from '../../ui/values/words.js';
import { teamsOf, startersOf, type Match } from '../match.js';
import { pointsWords, proofWords, stoppedWords, teamWords } from '../match-words.js';
import { alternativeOf } from './rejected.js';

/** Finer rounding is that of the numbers of the machine. */
const leastQuantum = 1e-6;

/** How the teams were found, what is proven about them, and the best split that was rejected. */
export function SplitPanel({
  match,
  hasSides,
}: {
  readonly match: Match;
  readonly hasSides: boolean;
}): ReactElement | null {
  const { split, why } = match;
  if (!split && why.length === 0) return null;
  return (
    <Panel title="Why these teams">
      <Stack gap="md">
        {split && <Certificate split={split} bots={match.bots} />}
        {split && <Rejected match={match} hasSides={hasSides} />}
        <div>
          <Title order={3} mb={4}>
            The explanation that is kept with the match
          </Title>
          <List size="sm">
            {why.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        </div>
      </Stack>
    </Panel>
  );
}

function Certificate({
  split,
  bots,
}: {
  readonly split: NonNullable<Match['split']>;
  readonly bots: readonly number[];
}): ReactElement {
  const { certificate, method, because, difference, sums, ways, operations } = split;
  const { status, gap, lowerBound, reason, quantum, stopped } = certificate;
  // With bots the certificate is about a ratio.
  const isOfPoints = bots.every((count) => count === 0);
  return (
    <Facts
      of={[
        [
          'Proof',
          status === 'proven' ? (
            <>
              <Badge color="green" variant="light">
                proven
              </Badge>{' '}
              No other split is more even: {proofWords[reason]}.
            </>
          ) : (
            <>
              <Badge color="orange" variant="light">
                not proven
              </Badge>{' '}
              The best that was found: {stoppedWords(stopped)}.
            </>
          ),
        ],
        [
          'Gap',
          status === 'bounded' &&
            isOfPoints &&
            `No split differs by less than ${pointsWords(lowerBound)} rating points: a better one gains ${pointsWords(gap)} at most`,
        ],
        ['Difference', `${pointsWords(difference)} rating points (${sums.map(pointsWords).join(' to ')})`],
        ['Method', `${method}: ${because}`],
        ['Possible splits', ways !== null && `${numberWords(ways)}, with parties kept together`],
        ['Work', `${numberWords(operations)} steps of the solver`],
        ['Rounding', quantum >= leastQuantum && `levels in multiples of ${quantum}`],
      ]}
    />
  );
}

/** The split that was played and the best rejected one, side by side. */
function Rejected({ match, hasSides }: { readonly match: Match; readonly hasSides: boolean }): ReactElement {
  const other = alternativeOf(match, hasSides);
  const { split } = match;
  if (!other || !split)
    return (
      <Text size="sm" c="dimmed">
        There was no other split to reject.
      </Text>
    );
  const played = teamsOf({ ...match, players: startersOf(match) });
  const names = new Map(match.players.map(({ playerId, name }) => [playerId, name]));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Side
        title="Played"
        words={`${split.sums.map(pointsWords).join(' to ')}, a difference of ${pointsWords(split.difference)} rating points`}
        teams={played.map((team) => team.map(({ playerId }) => playerId))}
        moved={other.moved}
        names={names}
      />
      <Side
        title={split.ranked ? 'The best of all others, rejected' : 'The best other that was found, rejected'}
        words={`${other.sums.map(pointsWords).join(' to ')}, a difference of ${pointsWords(other.difference)} rating points`}
        teams={other.teams}
        moved={other.moved}
        names={names}
      />
    </SimpleGrid>
  );
}

function Side({
  title,
  words,
  teams,
  moved,
  names,
}: {
  readonly title: string;
  readonly words: string;
  readonly teams: readonly (readonly string[])[];
  readonly moved: ReadonlySet<string>;
  readonly names: ReadonlyMap<string, string | undefined>;
}): ReactElement {
  return (
    <div>
      <Title order={3}>{title}</Title>
      <Text size="sm" mb="xs">
        {words}
      </Text>
      <SimpleGrid cols={2}>
        {teams.map((team, t) => (
          <div key={t}>
            <Text size="sm" fw={600}>
              {teamWords(t)}
            </Text>
            <List size="sm" listStyleType="none">
              {team.toSorted().map((playerId) => (
                <List.Item key={playerId}>
                  <Group gap={6}>
                    <PlayerLink id={playerId} name={names.get(playerId)} />
                    {moved.has(playerId) && (
                      <Badge size="xs" variant="light" color="blue">
                        other team
                      </Badge>
                    )}
                  </Group>
                </List.Item>
              ))}
            </List>
          </div>
        ))}
      </SimpleGrid>
    </div>
  );
}
