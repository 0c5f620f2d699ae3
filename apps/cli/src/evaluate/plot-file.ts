import { reliabilityPlot } from '@muster/plot';
import { basename } from 'node:path';
import { writePlotFile } from '../terminal/plot-file.js';
import type { Summary } from './summary.js';
import { ranked } from './summary.js';

/**
 * Plots the calibration of every model, raw and calibrated, one panel per model.
 *
 * @throws Error with a user-facing message if the file cannot be written
 */
export async function writePlot(file: string, summary: Summary): Promise<void> {
  const svg = reliabilityPlot({
    title: `Predicted and observed: ${basename(summary.file)}`,
    series: ranked(summary.models).flatMap(({ model, raw, calibrated }) => [
      { panel: model, name: 'calibrated', bins: calibrated.reliability },
      { panel: model, name: 'raw', bins: raw.reliability },
    ]),
  });
  await writePlotFile(file, svg);
}
