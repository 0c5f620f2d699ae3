import { Connection } from '../operator/connection.js';
import type { OperatorOptions } from '../operator/options.js';
import { print } from '../operator/output.js';
import { checkPlotFile } from '../terminal/plot-file.js';
import { counted } from '../terminal/table.js';
import { recordOf, writeRecordFile } from './wait-record.js';

export interface RecordOptions extends OperatorOptions {
  readonly queue: string;
  readonly hours: number;
}

/** Saves the waits of a queue's tickets. @throws Error with a user-facing message */
export async function recordTickets(
  file: string,
  options: RecordOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await checkPlotFile(file);
  const connection = await Connection.open(options, env);
  const record = await connection.ask((operator) => recordOf(operator, options.queue, options.hours));
  await writeRecordFile(file, record);
  const { queue, from, until } = record.head;
  const summary = { file, queue, from, until, tickets: record.lines.length };
  print(options.json, summary, () => [
    `${file}: ${counted(record.lines.length, 'ticket')} of ${queue} that waited in the ${lately(options.hours)}.`,
  ]);
}

/** `last hour`, or the number of minutes. */
export function lately(hours: number): string {
  return hours === 1 ? 'last hour' : `last ${counted(Math.round(hours * 60), 'minute')}`;
}
