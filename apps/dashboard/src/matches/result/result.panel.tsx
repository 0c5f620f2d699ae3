import { Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { PlayerLink } from '../../ui/links/links.js';
import { Panel } from '../../ui/panel.js';
import { Empty } from '../../ui/states.js';
import { DataTable, type Column } from '../../ui/table.js';
import { numberWords, signedWords } from '../../ui/values/words.js';
import { isLive, type Match, type MatchPlayer } from '../match.js';
import { pointsWords, resultWords, teamWords } from '../match-words.js';
import { changesOf, placeOf, rangeOf, type RatingChange } from './rating-bands.js';

/** What came of a match: ranks, scores, what players did, and what it did to their ratings. */
export function ResultPanel({ match }: { readonly match: Match }): ReactElement {
  const changes = changesOf(match);
  const result = resultWords(match);
  return (
    <Panel title="Result and ratings">
      <Stack gap="md">
        {result === '' ? (
          <Empty>{noResult(match)}</Empty>
        ) : (
          <Text fw={600}>
            {result}
            {match.state === 'void' && ' · the match is void, so this counts for nothing'}
          </Text>
        )}
        {changes.length > 0 && <Changes changes={changes} />}
        {changes.length === 0 && result !== '' && (
          <Empty>
            {match.state === 'ended'
              ? 'The ratings are being changed.'
              : 'No rating is changed by this match.'}
          </Empty>
        )}
        <Stats match={match} />
      </Stack>
    </Panel>
  );
}

function noResult(match: Match): string {
  if (isLive(match)) return 'It is not over: the server reports the result at its end.';
  return 'It has no result, and nobody is rated.';
}

function Changes({ changes }: { readonly changes: readonly RatingChange[] }): ReactElement {
  const range = rangeOf(changes);
  return (
    <div>
      <DataTable
        caption="What the match did to each rating"
        rows={changes}
        columns={changeColumns(range)}
        keyOf={({ playerId }) => playerId}
        empty=""
      />
      <Text size="xs" c="dimmed">
        In rating points; ± is the uncertainty (one standard deviation). Upper bar: before, lower bar: after.
        A bar holds about 95 % of what is believed of the player, its dot the rating.
      </Text>
    </div>
  );
}

type Range = ReturnType<typeof rangeOf>;

function changeColumns(range: Range): readonly Column<RatingChange>[] {
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
      header: 'Team',
      cell: ({ team }) => <span className="one-line">{teamWords(team)}</span>,
      by: ({ team }) => team,
    },
    {
      header: 'Rating before',
      isNumber: true,
      cell: ({ before: { mu, sigma } }) => `${pointsWords(mu)} ± ${pointsWords(sigma)}`,
      by: ({ before }) => before.mu,
    },
    {
      header: 'After',
      isNumber: true,
      cell: ({ after: { mu, sigma } }) => `${pointsWords(mu)} ± ${pointsWords(sigma)}`,
      by: ({ after }) => after.mu,
    },
    {
      header: 'Change',
      isNumber: true,
      cell: ({ change }) => signedWords(change),
      by: ({ change }) => change,
    },
    {
      header: `From ${pointsWords(range[0])} to ${pointsWords(range[1])}`,
      cell: (change) => <Bands change={change} range={range} />,
    },
  ];
}

const [width, height] = [220, 22];

/** The beliefs before and after as two bars with dots. The numbers stand beside it. */
function Bands({
  change: { before, after },
  range,
}: {
  readonly change: RatingChange;
  readonly range: Range;
}): ReactElement {
  return (
    <svg width={width} height={height} aria-hidden>
      {[before, after].map((belief, i) => {
        const { from, at, to } = placeOf(belief, range);
        const y = i === 0 ? 6 : 16;
        const colour = i === 0 ? 'var(--chart-axis)' : 'var(--series-1)';
        return (
          <g key={y} stroke={colour} fill={colour}>
            <line x1={from * width} x2={to * width} y1={y} y2={y} strokeWidth={3} strokeOpacity={0.45} />
            <circle cx={at * width} cy={y} r={3} stroke="none" />
          </g>
        );
      })}
    </svg>
  );
}

/** More would not fit beside each other. */
const mostStats = 12;

function Stats({ match: { players } }: { readonly match: Match }): ReactElement | null {
  const names = [...new Set(players.flatMap(({ stats = {} }) => Object.keys(stats)))].slice(0, mostStats);
  if (names.length === 0) return null;
  return (
    <DataTable
      caption="What the result counts of players"
      rows={players}
      columns={statColumns(names)}
      keyOf={({ playerId }) => playerId}
      empty=""
    />
  );
}

function statColumns(names: readonly string[]): readonly Column<MatchPlayer>[] {
  const statOf = ({ stats = {} }: MatchPlayer, name: string): string | number | undefined =>
    new Map(Object.entries(stats)).get(name);
  return [
    { header: 'Player', cell: ({ playerId, name }) => <PlayerLink id={playerId} name={name} /> },
    {
      header: 'Team',
      cell: ({ team }) => <span className="one-line">{teamWords(team)}</span>,
      by: ({ team }) => team,
    },
    ...names.map((name) => ({
      header: name,
      isNumber: true,
      cell: (player: MatchPlayer) => {
        const value = statOf(player, name);
        return typeof value === 'number' ? numberWords(value) : (value ?? '–');
      },
      by: (player: MatchPlayer) => statOf(player, name) ?? -Infinity,
    })),
  ];
}
