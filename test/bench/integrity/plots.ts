import type { SignalKind } from '@muster/domain';
import { linesPlot } from '@muster/plot';
import type { Outcome } from './trial.js';
import { foundAbove, thresholdFor, type Sides } from './tracks.js';

const titles: Readonly<Record<SignalKind, string>> = {
  newcomer: 'New accounts of experienced players',
  thrown: 'Players who throw matches',
  collusion: 'Pairs who agree on outcomes',
  server: 'Servers whose results do not fit',
  alternate: 'New accounts with the habits of older ones',
};
const shares = [0.001, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1];

/** The share of cheats found against the share of false alarms, of the signal and of its baseline. */
export function evidencePlot(kind: SignalKind, outcomes: readonly Outcome[]): string {
  return linesPlot({
    title: `${titles[kind]}: found against false alarms`,
    x: { label: 'honest ones accused, %', kind: 'log' },
    panels: outcomes.map(({ history, sides, baselineSides }) => ({
      title: history,
      unit: '% found',
      lines: [
        { name: 'signal', points: curve(sides) },
        { name: 'baseline', points: curve(baselineSides) },
      ],
    })),
  });
}

function curve(sides: Sides): { x: number; y: number }[] {
  return shares.map((share) => ({
    x: 100 * share,
    y: 100 * foundAbove(sides, thresholdFor(sides.honest, share)).found,
  }));
}
