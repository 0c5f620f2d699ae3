import { SimpleGrid, Text } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { Chart } from '../ui/charts/chart.js';
import { Figure } from '../ui/values/figure.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';
import { numberWords, percentWords, signedWords } from '../ui/values/words.js';
import { healthSeries, leastInDecile } from './health-series.js';
import { coinFlip, type Health } from './health-word.js';

/** How good a pool's predictions are. */
export function PoolHealthPanels({ pool }: { readonly pool: string }): ReactElement {
  const health = useCall(
    'readPoolHealth',
    { params: { pool }, query: { matches: 10_000, periods: 30 } },
    { everyMs: 60_000 },
  );
  return (
    <Shown of={health}>
      {(answer) =>
        answer.overall.calibrated.matches === 0 ? (
          <Panel title="Predictions">
            <Empty>
              None yet. Every match is predicted before it is rated, so figures appear with the first rated
              match.
            </Empty>
          </Panel>
        ) : (
          <>
            <Overall health={answer} />
            <Charts health={answer} />
          </>
        )
      }
    </Shown>
  );
}

function Overall({
  health: {
    overall: { raw, calibrated },
  },
}: {
  readonly health: Health;
}): ReactElement {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Figure
        label="Favourites that won"
        value={calibrated.decided === 0 ? '–' : percentWords(calibrated.accuracy, 1)}
        note={`of ${numberWords(calibrated.decided)} decided matches, the latest 10,000 at most`}
      />
      <Figure
        label="Log-loss of the chances"
        value={calibrated.logLoss.toFixed(4)}
        note={`smaller is better: a coin flip has ${coinFlip.toFixed(3)}, the model without calibration ${raw.logLoss.toFixed(4)}`}
      />
      <Figure
        label="Brier score"
        value={calibrated.brier.toFixed(4)}
        note={`smaller is better: a coin flip has 0.25, the model without calibration ${raw.brier.toFixed(4)}`}
      />
    </SimpleGrid>
  );
}

const share = (value: number): string => percentWords(value);
const four = (value: number): string => value.toFixed(4);

function Charts({ health }: { readonly health: Health }): ReactElement {
  const { times, logLoss, drift, converged, chances, reliability } = useMemo(
    () => healthSeries(health),
    [health],
  );
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Panel title="Reliability">
        {chances.length < 2 ? (
          <Empty>Not enough predictions at different chances yet.</Empty>
        ) : (
          <Chart
            label="Share of predictions that came true, by predicted chance"
            unit="share that won, by predicted chance"
            x={chances}
            xUnit="% predicted"
            series={reliability}
            words={share}
          />
        )}
        <Text size="xs" c="dimmed">
          Good chances lie on the straight line: of what is predicted at 60 %, 60 % is won. Deciles of fewer
          than {leastInDecile} predictions are left out.
        </Text>
      </Panel>
      <Panel title="Log-loss over time">
        <Chart
          label="Log-loss of the calibrated chances over time"
          unit="log-loss; smaller is better"
          x={times}
          series={logLoss}
          words={four}
        />
      </Panel>
      <Panel title="Drift of the mean rating">
        <Chart
          label="Mean rating less the start value, over time"
          unit="start uncertainties; above 0 ratings inflate, below they deflate"
          x={times}
          series={drift}
          words={signedWords}
        />
      </Panel>
      <Panel title="Converged players">
        <Chart
          label="Share of players whose uncertainty is below the pool’s bound, over time"
          unit="share of players"
          x={times}
          series={converged}
          words={share}
        />
      </Panel>
    </SimpleGrid>
  );
}
