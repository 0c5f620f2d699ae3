import { Badge, Group, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { useCall } from '../../live/use-call.js';
import { useMay, useSession } from '../../session/session.js';
import { Action, reason } from '../../ui/action.js';
import { PoolLink } from '../../ui/links/links.js';
import { Panel } from '../../ui/panel.js';
import { DataTable, type Column } from '../../ui/table.js';
import { Ago } from '../../ui/values/time.js';
import { numberIn, textIn } from '../../ui/values/values.js';
import { numberWords, ratingWords, signedWords } from '../../ui/values/words.js';
import { ResetRating, SetRating } from './rating-actions.js';

type Rating = AnswerOf<'readRating'>;

/** A player's ratings, one row a pool. */
export function RatingsPanel({
  playerId,
  ratings,
}: {
  readonly playerId: string;
  readonly ratings: readonly Rating[];
}): ReactElement {
  const mayChange = useMay()('setRating');
  const columns = useMemo(() => columnsFor(playerId, mayChange), [playerId, mayChange]);
  return (
    <Panel title="Ratings" actions={<GiveRating playerId={playerId} has={ratings} />}>
      <DataTable
        caption="Ratings of the player by pool"
        rows={ratings}
        columns={columns}
        keyOf={({ pool }) => pool}
        empty="None yet. A rating appears with the first rated match in a pool; until then the player counts as a newcomer."
      />
      <Aspects ratings={ratings} />
    </Panel>
  );
}

const columnsFor = (playerId: string, mayChange: boolean): readonly Column<Rating>[] => [
  { header: 'Pool', cell: ({ pool }) => <PoolLink id={pool} />, by: ({ pool }) => pool },
  { header: 'Rating', cell: (rating) => ratingWords(rating), by: ({ mu }) => mu, isNumber: true },
  {
    header: 'Conservative',
    cell: ({ display }) => numberWords(display),
    by: ({ display }) => display,
    isNumber: true,
  },
  { header: 'Rank', cell: ({ pool }) => <Rank pool={pool} playerId={playerId} /> },
  { header: 'Division', cell: (rating) => <Division {...rating} />, by: ({ division }) => division.step },
  {
    header: 'Matches',
    cell: ({ matches }) => numberWords(matches),
    by: ({ matches }) => matches,
    isNumber: true,
  },
  {
    header: 'Last match',
    cell: (rating) => <LastRated {...rating} />,
    by: ({ lastRatedAt }) => lastRatedAt ?? 0,
  },
  ...(mayChange ? [changeColumn(playerId)] : []),
];

const changeColumn = (playerId: string): Column<Rating> => ({
  header: 'Change',
  cell: (rating) => (
    <Group gap={4} wrap="nowrap">
      <SetRating playerId={playerId} pool={rating.pool} now={rating} />
      <ResetRating playerId={playerId} pool={rating.pool} />
    </Group>
  ),
});

function Division({ division: { name, step, of }, shadow }: Rating): ReactElement {
  return (
    <Group gap={4} wrap="nowrap">
      <span title={`Step ${step} of ${of}, from the lowest`}>{name}</span>
      {shadow.hidden && (
        <Badge
          size="sm"
          variant="light"
          color="gray"
          title={`The player does not see it for ${shadow.matchesLeft} more matches.`}
        >
          hidden
        </Badge>
      )}
    </Group>
  );
}

function LastRated({ lastRatedAt, stale }: Rating): ReactElement {
  return (
    <>
      <Ago at={lastRatedAt} />
      {stale && ', stale'}
    </>
  );
}

/** The place on the leaderboard, as a link to the neighbours. */
function Rank({ pool, playerId }: { readonly pool: string; readonly playerId: string }): ReactElement {
  const board = useCall(
    'readLeaderboard',
    { params: { pool }, query: { around: playerId, limit: 1 } },
    { everyMs: 60_000 },
  );
  if (!board.data) return <>{board.error ? 'unavailable' : '…'}</>;
  const { rows, notRanked, players } = board.data;
  const [row] = rows;
  if (!row) return <span title={notRanked ?? undefined}>not ranked</span>;
  return (
    <Link to="/pools/$pool" params={{ pool }} search={{ tab: 'leaderboard', around: playerId }}>
      {numberWords(row.rank)} of {numberWords(players)}
    </Link>
  );
}

/** What a player is better or worse at than the rating says. */
function Aspects({ ratings }: { readonly ratings: readonly Rating[] }): ReactElement | null {
  const rows = ratings.flatMap(({ pool, aspects = [] }) => aspects.map((aspect) => ({ pool, ...aspect })));
  if (rows.length === 0) return null;
  return (
    <>
      <Text size="sm" fw={600} mt="sm">
        Skill by side, map, venue and role
      </Text>
      <DataTable
        caption="Differences from the common skill"
        rows={rows}
        columns={aspectColumns}
        keyOf={({ pool, name }) => `${pool} ${name}`}
        empty=""
      />
    </>
  );
}

const aspectColumns: readonly Column<{
  readonly pool: string;
  readonly name: string;
  readonly mean: number;
  readonly sd: number;
  readonly matches: number;
}>[] = [
  { header: 'Pool', cell: ({ pool }) => <PoolLink id={pool} />, by: ({ pool }) => pool },
  { header: 'Aspect', cell: ({ name }) => name, by: ({ name }) => name },
  {
    header: 'Difference (log-odds of a duel)',
    cell: ({ mean, sd }) => `${signedWords(mean)} ± ${numberWords(sd)}`,
    by: ({ mean }) => mean,
    isNumber: true,
  },
  {
    header: 'Matches',
    cell: ({ matches }) => numberWords(matches),
    by: ({ matches }) => matches,
    isNumber: true,
  },
];

/** Gives a rating in a pool where the player has none yet. */
function GiveRating({
  playerId,
  has,
}: {
  readonly playerId: string;
  readonly has: readonly Rating[];
}): ReactElement | null {
  const { operator } = useSession();
  const pools = useCall('listPools', {});
  const choices = (pools.data?.pools ?? [])
    .filter(({ name }) => has.every(({ pool }) => pool !== name))
    .map(({ name }) => ({ value: name, label: name }));
  if (choices.length === 0) return null;
  return (
    <Action
      call="setRating"
      label={has.length === 0 ? 'Set a rating' : 'Set in another pool'}
      title={`Set a rating of ${playerId}`}
      text="The player starts with this rating and is not calibrated in the pool. It is recorded in the history with your name and the reason."
      fields={[
        { name: 'pool', label: 'Pool', kind: 'choice', choices, initial: choices[0]?.value ?? '' },
        {
          name: 'mu',
          label: 'Rating',
          kind: 'number',
          description: 'The mean, in the units of the pool’s model.',
        },
        {
          name: 'sigma',
          label: 'Uncertainty',
          kind: 'number',
          isOptional: true,
          description: 'Empty: that of a newcomer.',
        },
        reason('Shown in the history.'),
      ]}
      send={(values) => {
        const sigma = numberIn(values, 'sigma');
        return operator.setRating(textIn(values, 'pool'), playerId, {
          mu: Number(values['mu']),
          ...(sigma === undefined ? {} : { sigma }),
          reason: textIn(values, 'reason'),
        });
      }}
      done="The rating is set."
    />
  );
}
