import { Stack, Text } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';
import { useAsked } from '../../live/use-call.js';
import { useSession } from '../../session/session.js';
import { Chart } from '../../ui/charts/chart.js';
import { MatchLink } from '../../ui/links/links.js';
import { Panel } from '../../ui/panel.js';
import { Shown } from '../../ui/states.js';
import { DataTable, type Column } from '../../ui/table.js';
import { numberWords, signedWords } from '../../ui/values/words.js';
import { calibrationMatchesOf, calibrationOf, type Calibration, type Step } from './calibration.js';
import { readHistory } from './rating-history.js';

/** Changes of a newcomer, among which the search is looked for. */
const ofNewcomer = 300;

/** The search for the level of a newcomer to a pool: the levels that were tried, and what came of it. */
export function CalibrationPanel({
  playerId,
  pool,
}: {
  readonly playerId: string;
  readonly pool: string;
}): ReactElement {
  const { operator } = useSession();
  const calibration = useAsked(
    ['historyOfPlayer', { params: { playerId, pool }, query: { of: 'calibration' } }],
    async (signal): Promise<Calibration> => {
      const [{ queues }, changes, first] = await Promise.all([
        operator.queues({ signal }),
        readHistory(operator, pool, playerId, ofNewcomer, signal),
        operator.matches({ playerId, pool, order: 'oldest', limit: 60 }, { signal }),
      ]);
      return calibrationOf(playerId, calibrationMatchesOf(queues, pool), changes, first.matches);
    },
    { everyMs: 60_000 },
  );
  return (
    <Panel title={`Calibration in ${pool}`}>
      <Shown of={calibration}>{(search) => <Search search={search} />}</Shown>
    </Panel>
  );
}

const stateWords: Readonly<Record<Calibration['state'], (search: Calibration) => string>> = {
  none: () => 'No queue of this pool calibrates newcomers: results alone move the rating.',
  given: () => 'An operator gave a rating, so the player is not calibrated.',
  'not-begun': ({ of }) => `A newcomer: the first ${of} rated matches will search for the level.`,
  running: ({ of, steps }) =>
    `A newcomer: ${steps.length} of ${of} calibration matches are rated. The player is matched at the level under test, not at the rating.`,
  concluding: ({ of }) =>
    `All ${of} calibration matches are rated, but the history has no placement: it is still being computed, or it was dropped and the rating from the matches stays.`,
  placed: ({ why }) => `Placed. ${why ?? ''}`,
};

function Search({ search }: { readonly search: Calibration }): ReactElement {
  const { state, steps } = search;
  const known = useMemo(() => steps.filter(({ level }) => level !== null), [steps]);
  const x = useMemo(() => known.map(({ number }) => number), [known]);
  const series = useMemo(
    () => [{ label: 'level under test', values: known.map(({ level }) => level) }],
    [known],
  );
  return (
    <Stack gap="sm">
      <Text size="sm">{stateWords[state](search)}</Text>
      {known.length > 1 && (
        <Chart
          label="The level under test, by calibration match"
          unit="rating points, by calibration match"
          x={x}
          xUnit="match"
          series={series}
          height={140}
        />
      )}
      {steps.length > 0 && (
        <DataTable
          caption="Calibration matches, the first one first"
          rows={steps}
          columns={columns}
          keyOf={({ match }) => match.matchId}
          empty=""
        />
      )}
    </Stack>
  );
}

const columns: readonly Column<Step>[] = [
  { header: 'Number', cell: ({ number }) => number, isNumber: true },
  { header: 'Match', cell: ({ match }) => <MatchLink id={match.matchId} /> },
  { header: 'Level under test', cell: ({ level }) => numberWords(level), isNumber: true },
  { header: 'Result', cell: ({ outcome }) => outcome },
  { header: 'Rating change', cell: ({ moved }) => signedWords(moved), isNumber: true },
];
