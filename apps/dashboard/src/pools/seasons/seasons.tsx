import { Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { useCall } from '../../live/use-call.js';
import { Panel } from '../../ui/panel.js';
import { Shown } from '../../ui/states.js';
import { DataTable, type Column } from '../../ui/table.js';
import { Ago } from '../../ui/values/time.js';
import { numberWords } from '../../ui/values/words.js';
import { NextSeason } from './next-season.js';
import { nextNumber, seasonRuleWords, usualRules, type Season, type SeasonRules } from './season-rules.js';
import { Standings } from './standings.js';

/** A pool’s seasons: those that were, the one that runs, and the next one. */
export function SeasonsPanels({
  pool,
  rules,
}: {
  readonly pool: string;
  /** Of the pool; null: it has none. */
  readonly rules: SeasonRules | null;
}): ReactElement {
  const { season } = useSearch({ from: '/pools/$pool' });
  const seasons = useCall('listSeasons', { params: { pool } }, { everyMs: 30_000 });
  const columns = useMemo(() => columnsFor(pool), [pool]);
  const shown = season === undefined ? Number.NaN : Number(season);
  return (
    <Shown of={seasons}>
      {(answer) => {
        const announced = answer.seasons.find(({ state }) => state === 'announced') ?? null;
        const ended = answer.seasons.find(({ number, state }) => number === shown && state === 'ended');
        return (
          <>
            <Panel title="Seasons">
              <DataTable
                caption="Seasons of the pool, newest first"
                rows={answer.seasons}
                columns={columns}
                keyOf={({ number }) => String(number)}
                empty="No seasons yet. Preview one below; the start of a season resets ratings softly."
              />
            </Panel>
            {ended && <Standings key={ended.number} pool={pool} season={ended} />}
            <NextSeason
              // Another announcement has other rules.
              key={`${pool} ${announced ? seasonRuleWords(announced.rules) : ''}`}
              pool={pool}
              number={nextNumber(answer.seasons)}
              announced={announced}
              rules={announced?.rules ?? rules ?? usualRules}
            />
          </>
        );
      }}
    </Shown>
  );
}

const columnsFor = (pool: string): readonly Column<Season>[] => [
  { header: 'Number', cell: ({ number }) => number, by: ({ number }) => number, isNumber: true },
  { header: 'Name', cell: ({ name }) => name, by: ({ name }) => name },
  { header: 'State', cell: ({ state }) => state, by: ({ state }) => state },
  {
    header: 'Begins or began',
    cell: ({ startedAt, startsAt }) => <Ago at={startedAt ?? startsAt} />,
    by: ({ startedAt, startsAt }) => startedAt ?? startsAt ?? 0,
  },
  { header: 'Ended', cell: ({ endedAt }) => <Ago at={endedAt} />, by: ({ endedAt }) => endedAt ?? 0 },
  {
    header: 'Rules',
    cell: ({ rules }) => (
      <Text size="xs" maw={220}>
        {seasonRuleWords(rules)}
      </Text>
    ),
  },
  { header: 'By', cell: ({ by }) => by, by: ({ by }) => by },
  { header: 'Reason', cell: (season) => <span className="wraps">{season.reason}</span> },
  { header: 'Standings', cell: (season) => <FinalStandings pool={pool} season={season} /> },
];

function FinalStandings({
  pool,
  season,
}: {
  readonly pool: string;
  readonly season: Season;
}): ReactElement | null {
  const { number, state, archivedAt, ranked } = season;
  if (state !== 'ended') return null;
  if (archivedAt === null) return <>being archived, {numberWords(ranked)} ranked so far</>;
  return (
    <Link to="/pools/$pool" params={{ pool }} search={{ tab: 'seasons', season: String(number) }}>
      {numberWords(ranked)} ranked players
    </Link>
  );
}
