import type { PoolHealth } from '@muster/contracts';
import { linesPlot, reliabilityPlot } from '@muster/plot';

/** Draws a pool's health as SVG: over time, or predicted against observed outcomes. */
export function drawHealth(health: PoolHealth, plot: 'time' | 'calibration'): string {
  const { pool, periods, deciles } = health;
  if (plot === 'calibration')
    return reliabilityPlot({
      title: `Calibration of ${pool}`,
      series: [{ name: 'calibrated', bins: deciles }],
    });
  const line = (name: string, value: (period: PoolHealth['periods'][number]) => number) => ({
    name,
    points: periods.map((period) => ({ x: period.to, y: value(period) })),
  });
  return linesPlot({
    title: `Health of ${pool}`,
    x: { label: 'time', kind: 'time' },
    panels: [
      {
        title: 'Log-loss',
        lines: [line('calibrated', ({ calibrated }) => calibrated.logLoss)],
        guide: [{ y: Math.LN2, label: 'coin flip' }],
      },
      {
        title: 'Brier score',
        lines: [line('calibrated', ({ calibrated }) => calibrated.brier)],
        guide: [{ y: 0.25, label: 'coin flip' }],
      },
      {
        title: 'Drift of the mean',
        unit: 'start uncertainties',
        lines: [line('drift', ({ drift }) => drift)],
        guide: [{ y: 0, label: 'start' }],
      },
      { title: 'Converged players', unit: 'share', lines: [line('converged', ({ converged }) => converged)] },
    ],
  });
}
