import { linesPlot } from '@muster/plot';
import { fair, type Moment } from './trace.js';

export interface PlottedTrace {
  readonly policy: string;
  readonly moments: readonly Moment[];
}

/** The chance of one team over time on every server, as SVG. */
export function tracesPlot(traces: readonly PlottedTrace[]): string {
  return linesPlot({
    title: 'A community server with live balance and without',
    x: { label: 'seconds', kind: 'number' },
    panels: [
      {
        title: 'Chance of Red to win, by true skill',
        unit: '%',
        lines: traces.map(({ policy, moments }) => ({
          name: policy === 'none' ? 'none: nobody is moved' : policy,
          points: moments.map(({ at, chance }) => ({ x: at, y: 100 * chance })),
        })),
        guide: [
          { y: 100 * fair.from, label: `${100 * fair.from} %` },
          { y: 100 * fair.to, label: `${100 * fair.to} %` },
        ],
      },
    ],
  });
}
