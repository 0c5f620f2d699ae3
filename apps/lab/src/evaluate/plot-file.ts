import { reliabilityPlot } from '@muster/plot';
import { basename } from 'node:path';
import { writePlotFile } from '@muster/command-line/terminal/plot-file';
import type { Summary } from './summary.js';
import { distinct, ranked } from './summary.js';
import type { Judgement } from './trial.js';

/** A bin of fewer matches says nothing: its share of wins is off by a tenth on average. */
const leastDrawn = 20;

/**
 * Plots the calibration of every model, raw and calibrated, one panel per model. Models that coincide have one panel, and
 * bins of fewer than 20 matches are not drawn.
 *
 * @throws Error with a user-facing message if the file cannot be written
 */
export async function writePlot(file: string, summary: Summary): Promise<void> {
  const svg = reliabilityPlot({
    title: `Predicted and observed: ${basename(summary.file)}`,
    series: distinct(ranked(summary.models)).flatMap(({ model, raw, calibrated }) => [
      { panel: model, name: 'calibrated', bins: drawn(calibrated) },
      { panel: model, name: 'raw', bins: drawn(raw) },
    ]),
  });
  await writePlotFile(file, svg);
}

function drawn({ reliability }: Judgement): Judgement['reliability'] {
  return reliability.filter(({ count }) => count >= leastDrawn);
}
