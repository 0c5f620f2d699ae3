import { Group, Stack, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { Figure } from '../ui/values/figure.js';
import { QueueLink } from '../ui/links/links.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago } from '../ui/values/time.js';
import { numberWords, percentWords, signedWords } from '../ui/values/words.js';

type Placement = AnswerOf<'readPlacement'>;
type Fit = NonNullable<Placement['fit']>;

/** How newcomers to a pool get a rating. */
export function PlacementPanels({ pool }: { readonly pool: string }): ReactElement {
  const placement = useCall('readPlacement', { params: { pool } }, { everyMs: 60_000 });
  return (
    <>
      <CalibratingQueues pool={pool} />
      <Panel title="Placement from stats">
        <Shown of={placement}>
          {({ used, why, fit }) => (
            <Stack gap="sm">
              <Text size="sm">
                {used
                  ? 'Newcomers are placed by their stats as well as by results. '
                  : 'Newcomers are placed by results alone. '}
                {why}
              </Text>
              {fit && <FitOf fit={fit} />}
            </Stack>
          )}
        </Shown>
      </Panel>
    </>
  );
}

function CalibratingQueues({ pool }: { readonly pool: string }): ReactElement {
  const queues = useCall('listQueues', {});
  return (
    <Panel title="Calibration matches">
      <Shown of={queues}>
        {(answer) => {
          const own = answer.queues.filter((queue) => queue.pool === pool);
          return (
            <Text size="sm" component="div">
              {own.length === 0
                ? 'No queue uses this pool: only reported matches are rated in it, and results alone place newcomers.'
                : own.map(({ name, calibrationMatches = 0 }) => (
                    <div key={name}>
                      <QueueLink id={name} />:{' '}
                      {calibrationMatches === 0
                        ? 'no calibration, results alone move a newcomer’s rating.'
                        : `a newcomer’s first ${calibrationMatches} rated matches search for the level. The player’s page shows the search.`}
                    </div>
                  ))}
            </Text>
          );
        }}
      </Shown>
    </Panel>
  );
}

function FitOf({ fit }: { readonly fit: Fit }): ReactElement {
  return (
    <>
      <Group gap="sm" grow align="stretch">
        <Figure
          label="Explained, of players left out"
          value={percentWords(fit.heldOutR2, 1)}
          note={`of players in the fit ${percentWords(fit.r2, 1)}`}
        />
        <Figure
          label="Error, of players left out"
          value={numberWords(fit.heldOutError)}
          unit="points"
          note={`${numberWords(fit.errorOfMean)} with everybody at the mean`}
        />
        <Figure
          label="Made from"
          value={numberWords(fit.matches)}
          unit="matches"
          note={
            <>
              {numberWords(fit.rows)} rows of {numberWords(fit.players)} converged players,{' '}
              {numberWords(fit.incomplete)} rows left out, <Ago at={fit.fittedAt} />
            </>
          }
        />
      </Group>
      <DataTable
        caption="Stats by their weight, the strongest first"
        rows={fit.stats}
        columns={columns}
        keyOf={({ name }) => name}
        empty="No stat is left that nine of ten rows have."
      />
    </>
  );
}

const columns: readonly Column<Fit['stats'][number]>[] = [
  { header: 'Stat', cell: ({ name }) => name, by: ({ name }) => name },
  {
    header: 'Points for a standard deviation more',
    cell: ({ weight }) => signedWords(weight),
    by: ({ weight }) => weight,
    isNumber: true,
  },
];
