import { Button, Group } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../../live/use-call.js';
import { PlayerLink } from '../../ui/links/links.js';
import { Panel } from '../../ui/panel.js';
import { Shown } from '../../ui/states.js';
import { DataTable, type Column } from '../../ui/table.js';
import { numberWords, ratingWords } from '../../ui/values/words.js';
import { positionOf } from '../position.js';
import type { Season } from './season-rules.js';

const onOnePage = 100;
type Standing = AnswerOf<'readSeasonStandings'>['standings'][number];

/** The final standings of an ended season, by rank. */
export function Standings({
  pool,
  season: { number, name, ranked },
}: {
  readonly pool: string;
  readonly season: Season;
}): ReactElement {
  const search = useSearch({ from: '/pools/$pool' });
  const navigate = useNavigate({ from: '/pools/$pool' });
  const from = positionOf(search['from']);
  const standings = useCall('readSeasonStandings', {
    params: { pool, number },
    query: { from, limit: onOnePage },
  });
  const go = (rank: number): void =>
    void navigate({ search: { ...search, from: rank === 1 ? undefined : String(rank) } });
  return (
    <Panel title={`Final standings of season ${number}, ${name}`}>
      <Shown of={standings}>
        {({ standings: rows }) => {
          const last = rows.at(-1)?.rank ?? from;
          return (
            <>
              <DataTable
                caption={`Final standings of ${numberWords(ranked)} ranked players, by rank`}
                rows={rows}
                columns={columns}
                keyOf={({ playerId }) => playerId}
                empty="Nobody had a rank at the end of this season."
              />
              {(from > 1 || rows.length === onOnePage) && (
                <Group gap="xs" component="nav" aria-label="Pages of the standings">
                  <Button size="xs" variant="default" disabled={from === 1} onClick={() => go(1)}>
                    Top
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    disabled={rows.length < onOnePage}
                    // Equal ratings share a rank, so the next page begins with the last rank of this one.
                    onClick={() => go(last > from ? last : from + 1)}
                  >
                    Below
                  </Button>
                </Group>
              )}
            </>
          );
        }}
      </Shown>
    </Panel>
  );
}

const columns: readonly Column<Standing>[] = [
  { header: 'Rank', cell: ({ rank }) => rank ?? 'none', by: ({ rank }) => rank ?? Infinity, isNumber: true },
  {
    header: 'Player',
    cell: ({ playerId, name }) => <PlayerLink id={playerId} name={name} />,
    by: ({ playerId }) => playerId,
  },
  { header: 'Division', cell: ({ division }) => division ?? 'hidden' },
  {
    header: 'Rating',
    cell: ({ mu, sigma }) => (mu === undefined ? '–' : ratingWords({ mu, sigma: sigma ?? 0 })),
    by: ({ mu }) => mu ?? -Infinity,
    isNumber: true,
  },
  {
    header: 'Matches in the season',
    cell: ({ matches }) => numberWords(matches),
    by: ({ matches }) => matches,
    isNumber: true,
  },
];
