import { Alert, Badge, SimpleGrid, Stack, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { Figure } from '../ui/values/figure.js';
import { Page } from '../ui/page.js';
import { PageTabs } from '../ui/page-tabs.js';
import { Shown } from '../ui/states.js';
import { Ago } from '../ui/values/time.js';
import { numberWords, percentWords } from '../ui/values/words.js';
import { healthWord } from './health-word.js';
import { Leaderboard } from './leaderboard.js';
import { PlacementPanels } from './placement.js';
import { PoolHealthPanels } from './pool-health.js';
import { CalibrationPanel, Proposals, RulesPanel } from './pool-rules.js';
import { RebuildsPanel } from './rebuilds.js';
import { SeasonsPanels } from './seasons/seasons.js';

type Pool = AnswerOf<'readPool'>;

/** One rating pool. */
export function PoolPage(): ReactElement {
  const { pool } = useParams({ from: '/pools/$pool' });
  const answer = useCall('readPool', { params: { pool } }, { everyMs: 30_000 });
  return (
    <Page title={`Pool ${pool}`}>
      <Shown of={answer}>
        {(found) => (
          <>
            <Proposals pool={found} />
            <RunningRebuild pool={pool} />
            <Summary pool={found} />
            <Parts pool={found} />
          </>
        )}
      </Shown>
    </Page>
  );
}

const parts = {
  health: 'Health',
  leaderboard: 'Leaderboard',
  seasons: 'Seasons',
  rules: 'Rules and calibration',
  newcomers: 'Newcomers',
  rebuilds: 'Rebuilds',
} as const;
type PartName = keyof typeof parts;

function Parts({ pool }: { readonly pool: Pool }): ReactElement {
  const names = Object.keys(parts) as PartName[];
  return (
    <PageTabs tabs={names.map((name) => ({ name, label: parts[name], content: () => partOf(name, pool) }))} />
  );
}

const partOf = (name: PartName, pool: Pool): ReactElement => (
  <Stack>
    <Part name={name} pool={pool} />
  </Stack>
);

function Part({ name, pool }: { readonly name: PartName; readonly pool: Pool }): ReactElement {
  const { rules } = pool;
  switch (name) {
    case 'health':
      return <PoolHealthPanels pool={pool.name} />;
    case 'leaderboard':
      return <Leaderboard pool={pool.name} />;
    case 'seasons':
      return <SeasonsPanels pool={pool.name} rules={rules.season ?? null} />;
    case 'rules':
      return (
        <>
          <RulesPanel pool={pool} />
          <CalibrationPanel pool={pool} />
        </>
      );
    case 'newcomers':
      return <PlacementPanels pool={pool.name} />;
    case 'rebuilds':
      return <RebuildsPanel pool={pool.name} model={rules.model} />;
  }
}

function Summary({
  pool: { name, gameMode, modifiers, rules, version },
}: {
  readonly pool: Pool;
}): ReactElement {
  const health = useCall(
    'readPoolHealth',
    { params: { pool: name }, query: { matches: 10_000, periods: 30 } },
    { everyMs: 60_000 },
  );
  const seasons = useCall('listSeasons', { params: { pool: name } });
  const judged = health.data ? healthWord(health.data) : null;
  const season = seasons.data?.seasons.find(({ state }) => state === 'running');
  const next = seasons.data?.seasons.find(({ state }) => state === 'announced');
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <Figure
        label="Model"
        value={<span className="wraps">{rules.model}</span>}
        note={`rules version ${version}; ${[gameMode ?? 'no game mode named', ...modifiers].join(', ')}`}
      />
      <Figure
        label="Players with a rating"
        value={health.data ? numberWords(health.data.players) : '…'}
        note={
          health.data
            ? `${numberWords(health.data.overall.calibrated.matches)} rated matches, the latest 10,000 at most`
            : undefined
        }
      />
      <Figure
        label="Health"
        value={
          judged ? (
            <Badge size="lg" variant="light" color={judged.colour}>
              {judged.word}
            </Badge>
          ) : (
            '…'
          )
        }
        note={judged?.why}
      />
      <Figure
        label="Season"
        value={season ? season.name : 'none'}
        note={
          next ? (
            <>
              {next.name} begins <Ago at={next.startsAt} />
            </>
          ) : season ? (
            <>
              number {season.number}, began <Ago at={season.startedAt} />
            </>
          ) : (
            'No season is running.'
          )
        }
      />
    </SimpleGrid>
  );
}

/** Whichever part is looked at: results are held back for a moment when a rebuild comes into force. */
function RunningRebuild({ pool }: { readonly pool: string }): ReactElement | null {
  const rebuilds = useCall('listRebuilds', { params: { pool } }, { everyMs: 3_000 });
  const running = rebuilds.data?.rebuilds.find(({ state }) => state === 'running');
  if (!running) return null;
  const { done, total, reason } = running;
  return (
    <Alert title={`A rebuild is running: ${percentWords(total === 0 ? 0 : Math.min(1, done / total))} done`}>
      <Text size="sm">
        {reason} Ratings change when it is done.{' '}
        <Link to="/pools/$pool" params={{ pool }} search={{ tab: 'rebuilds' }}>
          Rebuilds
        </Link>
      </Text>
    </Alert>
  );
}
