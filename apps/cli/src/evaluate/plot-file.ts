import { reliabilityPlot } from '@muster/plot';
import { basename } from 'node:path';
import { writePlotFile } from '../terminal/plot-file.js';
import type { Summary } from './summary.js';
import { ranked } from './summary.js';

/**
 * Draws how honest the chances of every model are: raw and calibrated, a panel a model.
 *
 * @throws Error with a sentence for people when it cannot be written
 */
export async function writePlot(file: string, summary: Summary): Promise<void> {
  const svg = reliabilityPlot({
    title: `Predicted and come true: ${basename(summary.file)}`,
    series: ranked(summary.models).flatMap(({ model, raw, calibrated }) => [
      { panel: model, name: 'calibrated', bins: calibrated.reliability },
      { panel: model, name: 'raw', bins: raw.reliability },
    ]),
  });
  await writePlotFile(file, svg);
}
